// isolume compute sasa: solvent-accessible area of atoms or residues.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "app/cli/cell_option.h"
#include "app/cli/compute/compute.h"
#include "app/cli/over_time/line_run.h"
#include "app/cli/over_time/part_origin.h"
#include "app/documents/frames.h"
#include "app/fields/field_atoms.h"
#include "compute/analysis/sasa.h"
#include "compute/base/memory.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/missing.h"
#include "molecule/protor_radii.h"
#include "molecule/residue_kinds.h"

namespace isolume::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string frames = "0";
  std::string assembly, cell;
  std::string selection;
  std::string radii = "vdw";
  SasaOptions sasa;
  bool per_residue = false;
  std::string out, partial;
};

// Which atoms count, and with which radii.
struct Chosen {
  std::vector<std::uint32_t> atoms;
  std::vector<SasaAtom> spheres;
  std::size_t guessed = 0;  ///< atoms that ProtOr does not know
};

Chosen choose(const FieldAtoms& of, const Options& options) {
  Chosen kept;
  const std::vector<std::uint32_t>& numbers = of.chosen->numbers;
  const std::vector<DensityAtom> atoms = surface_atoms(of);
  const Topology& topology = *of.molecule->topology;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const Atom& atom = topology.atoms[numbers[i]];
    float radius = atoms[i].radius;
    if (options.radii == "protor") {
      if (atom.element == 1) continue;  // in the radii of the heavy atoms
      const auto known = protor_radius(topology.residue_of(numbers[i]).name, atom.name);
      kept.guessed += !known;
      radius = known.value_or(radius);
    }
    kept.atoms.push_back(numbers[i]);
    kept.spheres.push_back({atoms[i].position, radius});
  }
  if (kept.atoms.empty()) throw Error("no atoms are left without the hydrogens", Error::Kind::usage);
  return kept;
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"") == std::string::npos) return plain(text);
  std::string result = "\"";
  for (const char c : plain(text)) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

// Lines of one frame.
void write_rows(std::string& text, const Options& options, const Topology& topology, const Chosen& chosen,
                const std::vector<float>& areas, std::size_t frame) {
  const auto residue_text = [&](std::uint32_t atom) {
    const Residue& residue = topology.residue_of(atom);
    const Chain& chain = topology.chain_of(atom);
    return fmt::format("{},{},{},{}{}", quoted(chain.id), quoted(chain.segment), quoted(residue.name), residue.number,
                       residue.insertion == ' ' ? "" : std::string(1, residue.insertion));
  };
  for (std::size_t i = 0; i < areas.size();) {
    const std::uint32_t atom = chosen.atoms[i];
    std::size_t end = i + 1;
    double area = static_cast<double>(areas[i]);
    if (options.per_residue)
      for (; end < areas.size() && topology.atoms[chosen.atoms[end]].residue == topology.atoms[atom].residue; ++end)
        area += static_cast<double>(areas[end]);
    if (options.per_residue) {
      text += fmt::format("{},{},{:.4f}\n", frame, residue_text(atom), area);
    } else {
      text += fmt::format("{},{},{},{},{:.3f},{:.4f}\n", frame, topology.atoms[atom].serial, residue_text(atom),
                          quoted(topology.atoms[atom].name), chosen.spheres[i].radius, area);
    }
    i = end;
  }
}

// The atoms without --select: the polymers where there are some.
std::string usual_selection(const Topology& topology) {
  for (std::size_t i = 0; i < topology.residues.size(); ++i) {
    const ResidueKind kind = residue_kind(topology, i);
    if (kind == ResidueKind::protein || kind == ResidueKind::nucleic) return "protein or nucleic";
  }
  return "all";
}

void run_sasa(const Common& common, const Options& options) {
  if (!options.out.empty()) {
    check_output(options.out, "csv");
  }
  check_part_path(options.partial);
  Run run(common);
  for (const std::string& file : options.files) run.report.input(file);
  const auto molecule = read_molecule(options.files, options.assembly, cell_treatment(options.cell));
  if (!molecule->topology || molecule->frame_count() == 0)
    throw Error(missing_positions(*molecule), Error::Kind::usage);
  const Topology& topology = *molecule->topology;
  Field field;
  field.selection = options.selection.empty() ? usual_selection(topology) : options.selection;
  const std::vector<std::size_t> frames = parse_frames(options.frames, molecule->frame_count());
  run.report.phase("read");
  const LaunchRecord record;
  const std::string heading =
      options.per_residue ? "frame,chain,segment,residue,number,area (angstrom^2)\n"
                          : "frame,serial,chain,segment,residue,number,atom,radius (angstrom),area (angstrom^2)\n";
  std::vector<double> totals;
  Chosen chosen;
  const auto lines = [&](std::size_t frame) {
    chosen = choose(*field_atoms(field, molecule, frame), options);
    DeviceArray<float> areas(chosen.spheres.size(), run.device, "solvent-accessible area");
    solvent_accessible_area(chosen.spheres, options.sasa, areas.span(), run.job());
    const std::vector<float> host = areas.copy_to_host();
    totals.push_back(std::accumulate(host.begin(), host.end(), 0.0));
    std::string text;
    write_rows(text, options, topology, chosen, host, frame);
    return text;
  };
  if (!options.partial.empty())
    return run_line_part(run, {options.partial, options.out, "sasa", heading, field.selection}, frames, lines);
  std::string text = heading;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    run.job().check();
    const double n = static_cast<double>(frames.size());
    run.progress.part(static_cast<double>(i) / n, static_cast<double>(i + 1) / n, "solvent-accessible area");
    text += lines(frames[i]);
    run.report.phase("compute");
  }
  if (options.out.empty()) {
    fmt::print("{}", text);
  } else {
    write_atomically(options.out, [&](std::ostream& out) { out << text; });
  }
  run.report.kernels(record.entries());
  run.report.memory(chosen.spheres.size() * 64, peak_memory(run.device));
  run.report.method = {{"name", "Shrake-Rupley, golden spiral"},
                       {"points", options.sasa.points},
                       {"probe_radius", options.sasa.probe_radius},
                       {"radii", options.radii},
                       {"selection", field.selection}};
  run.report.unit = "angstrom^2";
  run.report.result = {{"area", totals.back()}, {"atoms", chosen.atoms.size()}, {"frames", frames.size()}};
  if (options.radii == "protor") run.report.result["atoms_without_protor_radius"] = chosen.guessed;
  if (frames.size() > 1) run.report.result["areas"] = totals;
  run.report.phase("write");
  if (chosen.guessed > 0 && options.radii == "protor")
    run.say(fmt::format("note: {} atoms are not of amino acids; they have van der Waals radii", chosen.guessed));
  run.say(fmt::format("{}{} atoms, {:.1f} angstrom^2{}", options.out.empty() ? "" : options.out + ": ",
                      chosen.atoms.size(), totals.back(),
                      frames.size() > 1 ? fmt::format(" in the last of {} frames", frames.size()) : ""));
  run.finish();
}

}  // namespace

void add_compute_sasa(Commands& commands, Verb parent) {
  auto options = std::make_shared<Options>();
  const Verb command =
      commands.add(parent, "sasa", "solvent-accessible surface area of every atom or residue, as a table",
                   "isolume compute sasa crambin.pdb.gz --per-residue --out areas.csv\n"
                   "  isolume compute sasa protein.pdb --radii protor --points 5000 --out atoms.csv",
                   [&commands, options] { run_sasa(commands.common, *options); });
  command.option("FILE", options->files, "a structure, perhaps with its trajectory").required();
  command.option("--out", options->out, "csv (default: stdout)").type_name("FILE").writes();
  command.option("--probe", options->sasa.probe_radius, "radius of the probe, angstrom").range(0.0, 20.0);
  command.option("--points", options->sasa.points, "test points on every atom").range(12, 1'000'000);
  command
      .option("--radii", options->radii,
              "vdw (the file's, else van der Waals) or protor (united atoms of Tsai et al. 1999, without "
              "hydrogens; as FreeSASA)")
      .one_of({"vdw", "protor"});
  command.flag("--per-residue", options->per_residue, "sums of residues instead of atoms");
  command.option("--select", options->selection, "atoms to include (default: protein or nucleic)");
  command.option("--assembly", options->assembly, "build this biological assembly (info lists them)");
  add_cell_option(command, options->cell);
  command.option("--frame,--frames", options->frames, "A:B:STEP (B excluded), or one frame, from 0");
  add_partial_option(command, options->partial);
}

}  // namespace isolume::cli
