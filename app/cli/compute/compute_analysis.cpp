// isolume compute rdf, rmsd, rmsf, gyration, contacts, dipole, hbonds, distance: tables of trajectories.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/cli/cell_option.h"
#include "app/cli/compute/bond_tables.h"
#include "app/cli/compute/compute.h"
#include "app/cli/compute/compute_runs.h"
#include "compute/analysis/analysis.h"
#include "compute/base/memory.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/missing.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<std::string> files, reference;
  std::string frames = ":";
  std::string out, map, cell;
  std::string norm = "g", match = "automatic";
  bool no_fit = false, no_mass = false, by_mass = false;
  std::uint32_t bins = 0;
  double maximum = 0;
  bool between_molecules = false;
  BondTableOptions bonds;
  AnalysisRequest request;
};

Json facts_of(const AnalysisTable& table) {
  Json json = Json::object();
  for (const auto& [name, text] : table.facts) {
    const Json number = Json::parse(text, nullptr, false);
    json[name] = number.is_number() ? number : Json(text);
  }
  return json;
}

Json statistics(const AnalysisColumn& column) {
  double sum = 0, squares = 0, least = INFINITY, most = -INFINITY;
  std::size_t count = 0;
  for (const double value : column.values) {
    if (!std::isfinite(value)) continue;
    sum += value;
    least = std::min(least, value);
    most = std::max(most, value);
    ++count;
  }
  if (count == 0) return nullptr;
  const double mean = sum / static_cast<double>(count);
  for (const double value : column.values)
    if (std::isfinite(value)) squares += (value - mean) * (value - mean);
  return {{"mean", mean},
          {"standard_deviation", std::sqrt(squares / static_cast<double>(count))},
          {"minimum", least},
          {"maximum", most},
          {"unit", column.unit}};
}

const char* method_of(AnalysisKind kind) {
  switch (kind) {
    case AnalysisKind::rmsd:
      return "root mean square distance to the reference, superposed by least squares of quaternions";
    case AnalysisKind::rmsf:
      return "root mean square fluctuation about the iterated mean";
    case AnalysisKind::rdf:
      return "histogram of nearest-image distances";
    case AnalysisKind::gyration:
      return "tensor of gyration";
    case AnalysisKind::contacts:
    case AnalysisKind::contact_map:
      return "pairs within a cutoff";
    case AnalysisKind::dipole:
      return "sum of charge times position";
    case AnalysisKind::hydrogen_bonds:
      return "distance and angle (Baker and Hubbard 1984)";
    default:
      return "distances";
  }
}

void write_table(const std::string& path, const AnalysisTable& table) {
  if (path.empty()) {
    fmt::print("{}", table.csv());
  } else {
    write_atomically(path, [&](std::ostream& out) { out << table.csv(); });
  }
}

// The largest value of g(r) and where it is, the number of neighbours up to the first minimum behind it.
Json radial_result(const AnalysisTable& table) {
  const std::vector<double>& r = table.columns[0].values;
  const std::vector<double>& g = table.columns[1].values;
  const auto top = static_cast<std::size_t>(std::max_element(g.begin(), g.end()) - g.begin());
  return {{"highest", {{"r", r[top]}, {"value", g[top]}}},
          {"coordination_number_at_maximum", table.column("coordination number").values.back()}};
}

/// "protein", or of what is between two selections "chain A with chain B".
std::string whose(AnalysisKind kind, const AnalysisTable& table) {
  const bool two =
      kind == AnalysisKind::contacts || kind == AnalysisKind::distance || kind == AnalysisKind::hydrogen_bonds;
  return two && !table.other.empty() && table.other != table.selection ? table.selection + " with " + table.other
                                                                       : table.selection;
}

std::string summary(AnalysisKind kind, const AnalysisTable& table) {
  if (kind == AnalysisKind::rdf) {
    const Json result = radial_result(table);
    return fmt::format("{} of {}, highest {:.3f} at {:.2f} angstrom", table.columns[1].name, table.selection,
                       result["highest"]["value"].get<double>(), result["highest"]["r"].get<double>());
  }
  if (kind == AnalysisKind::contact_map) return counted(table.rows(), "pair") + " of residues";
  const bool frames = table.atoms.empty();
  const AnalysisColumn& column =
      frames ? table.columns[table.columns[1].name == "time" ? 2 : 1] : table.columns.front();
  const Json values = statistics(column);
  if (values.is_null()) return column.name + ": no values";
  const auto least = values["minimum"].get<double>(), most = values["maximum"].get<double>();
  const bool whole = column.decimals == 0;  // counts
  std::string mean = fmt::format("{:.{}f}", values["mean"].get<double>(), whole ? 1 : 3);
  if (whole && mean.ends_with(".0")) mean.resize(mean.size() - 2);
  return fmt::format("{} of {}: mean {}{}{}, {:.{}f} to {:.{}f}, {}", column.name, whose(kind, table), mean,
                     column.unit.empty() ? "" : " ", column.unit, least, whole ? 0 : 3, most, whole ? 0 : 3,
                     counted(table.rows(), frames ? "frame" : "row"));
}

void run_analysis(const Common& common, const Options& options) {
  for (const std::string& path : {options.out, options.map, options.bonds.bonds, options.bonds.correlation}) {
    if (path.empty()) continue;
    check_output(path, "csv");
  }
  const CellTreatment cell = cell_treatment(options.cell);
  AnalysisRequest request = options.request;
  const bool on_device = request.kind == AnalysisKind::rdf;
  Run run(common, on_device);
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
  request.matching = matching_named(options.match);
  run.report.phase("read");
  constexpr double wide_contact = 15;  // angstrom
  if (request.kind == AnalysisKind::contacts && request.cutoff > wide_contact)
    run.say(
        fmt::format("warning: --cutoff {:g} angstrom is far for a contact (usual: 4.5, of CA 8); time and memory grow "
                    "with its cube",
                    request.cutoff));
  const LaunchRecord record;
  const AnalysisTable table = analyse(request, run.job());
  AnalysisTable map;
  if (!options.map.empty()) {
    request.kind = AnalysisKind::contact_map;
    map = analyse(request, run.job());
    request.kind = options.request.kind;
  }
  std::optional<BondTables> bonds;
  if (options.bonds.wanted()) bonds = bond_tables(request, table, options.bonds, run.job());
  run.report.phase("compute");
  run.report.kernels(record.entries());
  run.report.memory(0, peak_memory(run.device));
  write_table(options.out, table);
  if (!options.map.empty()) write_table(options.map, map);
  if (bonds) bonds->write(options.bonds);
  for (const std::string& note : table.notes) run.say("note: " + note);
  run.report.method = {{"name", method_of(request.kind)},
                       {"selection", table.selection},
                       {"pbc", options.cell.empty() ? "whole" : options.cell}};
  if (!table.other.empty()) run.report.method["other_selection"] = table.other;
  run.report.method.update(facts_of(table));
  Json result = Json::object();
  result["rows"] = table.rows();
  if (request.kind == AnalysisKind::rdf) {
    run.report.unit = table.columns[1].unit;
    result.update(radial_result(table));
  } else {
    std::string unit;
    for (const AnalysisColumn& column : table.columns) {
      if (column.name == "frame" || column.name == "time") continue;
      if (unit.empty()) unit = column.unit;
      result[column.name] = statistics(column);
    }
    run.report.unit = unit;
  }
  if (bonds) result.update(bonds->result);
  run.report.result = result;
  run.report.phase("write");
  run.say(fmt::format("{}{}", options.out.empty() ? "" : options.out + ": ", summary(request.kind, table)));
  if (bonds) run.say(bonds->summary);
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
    verb.option("--map", o->map, "csv: pairs of residues and the fraction of frames in which they touch")
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
