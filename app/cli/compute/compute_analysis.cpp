// isolume compute rdf, rmsd, rmsf, gyration, contacts, dipole, hbonds, distance: tables of trajectories.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "app/cli/cell_option.h"
#include "app/cli/compute/analysis_output.h"
#include "app/cli/compute/compute.h"
#include "app/cli/compute/compute_runs.h"
#include "app/cli/over_time/part_origin.h"
#include "app/cli/over_time/part_run.h"
#include "compute/analysis/analysis_part.h"
#include "compute/base/job_part.h"
#include "compute/base/memory.h"
#include "compute/timeline/residue_words.h"
#include "molecule/base/error.h"
#include "molecule/missing.h"

namespace isolume::cli {
namespace {

struct Options {
  std::vector<std::string> files, reference;
  std::string frames = ":";
  std::string out, map, cell, partial;
  std::optional<std::size_t> atoms_from;
  std::string norm = "g", match = "automatic";
  bool no_fit = false, no_mass = false, by_mass = false;
  std::uint32_t bins = 0;
  double maximum = 0;
  bool between_molecules = false;
  BondTableOptions bonds;
  AnalysisRequest request;
};

AnalysisOutputs outputs_of(const Options& options) {
  return {options.out, options.map, options.bonds.bonds, options.bonds.correlation};
}

// Wrong options are reported before any file is read.
void check(const Options& options) {
  check_outputs_of(outputs_of(options), options.partial.empty() ? "csv npy" : "csv");
  check_part_path(options.partial);
  if (options.partial.empty() && options.atoms_from)
    throw Error("--atoms-from belongs to --partial; without it atoms are looked up in the first of --frames",
                Error::Kind::usage);
  for (const std::string* path : {&options.out, &options.map, &options.bonds.bonds, &options.bonds.correlation})
    if (!path->empty() && *path == options.partial)
      throw Error(fmt::format("{}: --partial and another output name the same file", *path), Error::Kind::usage);
}

// The part of some frames: what the analysis itself keeps, and what the other tables need.
FramePart part_of(AnalysisRequest request, const Options& options, std::span<const std::size_t> frames, Job& job) {
  request.frames.assign(frames.begin(), frames.end());
  const double half = options.map.empty() && !options.bonds.wanted() ? 1.0 : 0.5;
  JobPart first(job, 0, half), second(job, half, 1);
  FramePart part = analyse_part(request, first);
  if (!options.map.empty()) {
    request.kind = AnalysisKind::contact_map;
    FramePart map = analyse_part(request, second);
    part.arrays.insert(part.arrays.end(), map.arrays.begin(), map.arrays.end());
    part.names = std::move(map.names);
  }
  if (options.bonds.wanted()) add_bonds(part, request, table_of(part, request.kind, second), options.bonds, second);
  return part;
}

void run_partial(Run& run, const Options& options, const AnalysisRequest& request) {
  PartRun made(run, options.partial, name(request.kind), request.frames);
  made.finish([&](std::span<const std::size_t> frames, Job& job) { return part_of(request, options, frames, job); });
  if (request.workers != nullptr) run.worked(*request.workers);
  run.report.phase("compute");
  run.report.memory(0, peak_memory(run.device));
  run.report.method = {{"name", name(request.kind)}, {"selection", made.part().text("selection")}};
  try {
    AnalysisOutputs outputs = outputs_of(options);
    outputs.prints = false;
    if (outputs.any()) write_analysis(run, result_of(made.part(), outputs, run.job()), outputs);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::usage) throw;
    run.say(fmt::format("note: {} is kept, but has no tables of its own: {}", options.partial, error.what()));
  }
  run.report.result["part"] = {{"file", options.partial}, {"frames", frames_in_words(made.part().frames)}};
  run.say(
      fmt::format("{}: {} of {}", options.partial, name(request.kind), counted(made.part().frames.size(), "frame")));
  run.finish();
}

/// Bytes for which the counts of distances were planned: the table says of how many atoms and bins they are.
std::size_t counting_memory(const AnalysisTable& table, Device device) {
  const auto fact = [&](const char* name) -> std::size_t {
    std::size_t value = 0;
    for (const auto& [key, text] : table.facts)
      if (key == name) std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  };
  return distance_count_memory(fact("atoms") + fact("other_atoms"), static_cast<std::uint32_t>(fact("bins")), device);
}

/// Which of both sets the pace: reading or computing.
void report_times(Run& run, const FrameTimes& times) {
  if (!(times.reading > 0)) return;  // a kind that has none
  run.report.seconds("frames_reading", times.reading);
  run.report.seconds("frames_copying", times.copying);
  run.report.seconds("frames_computing", times.computing);
  run.report.seconds("frames_waiting", times.waiting);
  constexpr double worth_a_line = 1;
  if (times.reading + times.computing < worth_a_line) return;
  run.say(run.device.is_cuda()
              ? fmt::format("frames: {:.2f} s of reading, at the same time {:.2f} s of computing in "
                            "groups of {}",
                            times.reading + times.copying, times.computing, times.group)
              : fmt::format("frames: {:.2f} s of reading and {:.2f} s of computing", times.reading, times.computing));
}

void run_analysis(const Common& common, const Options& options) {
  check(options);
  const CellTreatment cell = cell_treatment(options.cell);
  AnalysisRequest request = options.request;
  const bool radial = request.kind == AnalysisKind::rdf;
  Run run(common);
  for (const std::string& path : options.files) run.report.input(path);
  for (const std::string& path : options.reference) run.report.input(path);
  request.molecule = read_molecule(options.files, {}, cell);
  if (!options.reference.empty()) request.reference = read_molecule(options.reference);
  if (!request.molecule->topology || request.molecule->frame_count() == 0)
    throw Error(missing_positions(*request.molecule), Error::Kind::usage);
  request.frames = parse_frames(options.frames, request.molecule->frame_count());
  request.superpose = !options.no_fit;
  request.by_mass = request.kind == AnalysisKind::gyration ? !options.no_mass : options.by_mass;
  request.bins = {options.maximum, options.bins};
  request.within_molecules = !options.between_molecules;
  request.norm = options.norm == "g"         ? RadialNorm::g
                 : options.norm == "density" ? RadialNorm::density
                                             : RadialNorm::counts;
  request.device = run.device;
  std::vector<WorkerRecord> workers;
  // Frames are shared by the devices that were named. Of a radial distribution also by equal ones where that is worth
  // it: pairs within the maximum, 10^12 a second on one GPU at 0.1 atoms in a cubic angstrom. Of the others reading
  // takes longer than computing.
  double seconds = 0;
  if (radial) {
    const double atoms = static_cast<double>(request.molecule->atom_count());
    const double reach = options.maximum > 0 ? options.maximum : 15;
    const double pairs = atoms * std::min(atoms, 0.42 * std::pow(reach, 3));
    seconds = pairs * static_cast<double>(request.frames.size()) / 1e12;
  }
  request.devices = run.devices_for(seconds);
  request.workers = &workers;
  request.matching = matching_named(options.match);
  run.report.phase("read");
  constexpr double wide_contact = 15;  // angstrom
  if (request.kind == AnalysisKind::contacts && request.cutoff > wide_contact)
    run.say(
        fmt::format("warning: --cutoff {:g} angstrom is far for a contact (usual: 4.5, of CA 8); time and memory grow "
                    "with its cube",
                    request.cutoff));
  if (!options.partial.empty()) {
    request.opening = options.atoms_from.value_or(0);
    return run_partial(run, options, request);
  }
  const LaunchRecord record;
  FrameTimes times;
  request.times = &times;
  AnalysisResult result{options.request.kind, analyse(request, run.job()), {}, {}, options.cell};
  request.times = nullptr;
  if (has_matrix(outputs_of(options))) {
    result.matrix = residue_contacts(request, run.job());
    for (const std::uint32_t residue : result.matrix.residues)
      result.matrix_words.push_back(residue_words(*request.molecule->topology, residue));
  } else if (!options.map.empty()) {
    request.kind = AnalysisKind::contact_map;
    result.map = analyse(request, run.job());
    request.kind = options.request.kind;
  }
  if (options.bonds.wanted()) result.bonds = bond_tables(request, result.table, options.bonds, run.job());
  run.report.phase("compute");
  run.report.kernels(record.entries());
  if (!workers.empty()) run.worked(workers);
  report_times(run, times);
  run.report.memory(radial ? counting_memory(result.table, run.device) : 0, peak_memory(run.device));
  write_analysis(run, result, outputs_of(options));
  run.finish();
}

// A verb with what all of them take.
Verb add(Commands& commands, Verb parent, const std::shared_ptr<Options>& options, AnalysisKind kind,
         const std::string& what, const std::string& example) {
  options->request.kind = kind;
  const Verb verb = commands.add(parent, name(kind), what, example,
                                 [&commands, options] { run_analysis(commands.common, *options); });
  verb.option("FILE", options->files, "a structure with its trajectory").required();
  verb.option("--out", options->out, "csv, with units in its heading (default: stdout)").type_name("FILE").writes();
  verb.option("--frame,--frames", options->frames, "A:B:STEP (B excluded), or one frame, from 0");
  add_partial_option(verb, options->partial);
  verb.option("--atoms-from", options->atoms_from,
              "of --partial: the frame in which selections and cells are looked up for all parts (0)");
  add_cell_option(verb, options->cell);
  return verb;
}

std::string usual(const char* words) {
  return fmt::format("which atoms (default: {})", words);
}

}  // namespace

void add_compute_analyses(Commands& commands, Verb parent) {
  constexpr const char* polymer = "protein or nucleic, else all";
  constexpr const char* trace = "CA and P of polymers, else all";
  {
    auto o = std::make_shared<Options>();
    const Verb verb = add(commands, parent, o, AnalysisKind::rdf,
                          "radial distribution function, with the running coordination number",
                          "isolume compute rdf system.psf run.dcd --select 'name OH2' --max 10 --out rdf.csv");
    verb.option("--select", o->request.selection, usual("oxygens of water, else all"));
    verb.option("--to", o->request.other, "atoms around these (default: the same)");
    verb.option("--max", o->maximum, "angstrom; at most half the shortest vector of the lattice (default: 15 or that)")
        .range(1e-3, 1e6);
    verb.option("--bins", o->bins, "number of bins (default: 0.1 angstrom each)")
        .range(1, static_cast<int>(most_distance_bins));
    verb.flag("--between-molecules", o->between_molecules, "leave out pairs within a molecule (atoms joined by bonds)");
    verb.option("--norm", o->norm, "g: 1 for an ideal gas; density: neighbours per angstrom^3; counts: pairs per frame")
        .one_of({"g", "density", "counts"});
  }
  {
    auto o = std::make_shared<Options>();
    const Verb verb = add(commands, parent, o, AnalysisKind::rmsd,
                          "root mean square deviation of every frame from a frame or another structure",
                          "isolume compute rmsd system.psf run.dcd --select 'name CA' --out rmsd.csv");
    verb.option("--select", o->request.selection, usual(trace));
    verb.option("--fit", o->request.fit, "atoms by which frames are superposed (default: the selected ones)");
    verb.flag("--no-fit", o->no_fit, "leave frames where they are");
    verb.option("--reference", o->reference, "a structure to compare with, matched by residues (default: FILE)");
    verb.option("--match", o->match,
                "how atoms are matched to --reference: residues, sequence, order, or automatic (whichever fits; "
                "refused below 30 % identity or half of the smaller molecule)")
        .one_of({"automatic", "residues", "sequence", "order"});
    verb.option("--reference-frame", o->request.reference_frame, "the frame of it, from 0");
    verb.flag("--mass", o->by_mass, "weight atoms by mass");
  }
  {
    auto o = std::make_shared<Options>();
    const Verb verb = add(commands, parent, o, AnalysisKind::rmsf,
                          "root mean square fluctuation of residues or atoms about their mean, and B factors",
                          "isolume compute rmsf system.psf run.dcd --frames 100: --out rmsf.csv");
    verb.option("--select", o->request.selection, usual(trace));
    verb.option("--fit", o->request.fit, "atoms by which frames are superposed on their mean (default: the selected)");
    verb.flag("--no-fit", o->no_fit, "leave frames where they are");
    verb.flag("--per-atom", o->request.per_atom, "atoms instead of residues");
  }
  {
    auto o = std::make_shared<Options>();
    const Verb verb = add(commands, parent, o, AnalysisKind::gyration,
                          "radius of gyration, principal values of its tensor, and shape, of every frame",
                          "isolume compute gyration system.psf run.dcd --out gyration.csv");
    verb.option("--select", o->request.selection, usual(polymer));
    verb.flag("--no-mass", o->no_mass, "weight all atoms equally, instead of by mass");
  }
  {
    auto o = std::make_shared<Options>();
    const Verb verb = add(commands, parent, o, AnalysisKind::contacts,
                          "contacts between atoms in every frame, and the fraction of those of a reference frame",
                          "isolume compute contacts system.psf run.dcd --select 'name CA' --cutoff 8 --out q.csv");
    verb.option("--select", o->request.selection, usual(polymer));
    verb.option("--to", o->request.other, "the other atoms (default: the same)");
    verb.option("--cutoff", o->request.cutoff, "angstrom").range(1e-3, 1e3);
    verb.option("--apart", o->request.apart, "ignore residues of a chain nearer to each other than this")
        .range(0, 1'000'000);
    verb.option("--reference-frame", o->request.reference_frame, "the frame whose contacts are native, from 0");
    verb.option(
            "--map", o->map,
            "csv: pairs of residues and the fraction of frames in which they touch; npy: the same of all residues as a "
            "matrix (not of --partial)")
        .type_name("FILE")
        .writes();
  }
  {
    auto o = std::make_shared<Options>();
    const Verb verb =
        add(commands, parent, o, AnalysisKind::dipole, "dipole moment of partial charges, in debye, of every frame",
            "isolume compute dipole system.psf run.dcd --select protein --out dipole.csv");
    verb.option("--select", o->request.selection, usual(polymer));
  }
  {
    auto o = std::make_shared<Options>();
    const Verb verb = add(commands, parent, o, AnalysisKind::hydrogen_bonds,
                          "number of hydrogen bonds in every frame, and of each bond the occupancy and the lifetime",
                          "isolume compute hbonds system.psf run.dcd --select protein --out hbonds.csv\n"
                          "  isolume compute hbonds system.gro run.xtc --select ligand --to protein --bonds bonds.csv "
                          "--correlation decay.csv --out hbonds.csv");
    verb.option("--select", o->request.selection, usual(polymer));
    verb.option("--to", o->request.other, "bonds between --select and these atoms alone");
    verb.option("--distance", o->request.bond_rule.distance, "donor to acceptor, angstrom").range(0.1, 10.0);
    verb.option("--angle", o->request.bond_rule.angle, "at the hydrogen, degrees").range(0.0, 180.0);
    add_bond_table_options(verb, o->bonds);
  }
  {
    auto o = std::make_shared<Options>();
    const Verb verb =
        add(commands, parent, o, AnalysisKind::distance,
            "distance between the centres of mass of two selections, and of their nearest atoms",
            "isolume compute distance system.psf run.dcd --select 'resid 12' --to 'resid 80' --out d.csv");
    verb.option("--select", o->request.selection, "the first set of atoms").required();
    verb.option("--to", o->request.other, "the second set of atoms").required();
  }
}

}  // namespace isolume::cli
