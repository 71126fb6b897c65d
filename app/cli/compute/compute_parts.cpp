// isolume compute ligands, isolume compute ions: tables of the ligands and ions in a file.
#include <fmt/format.h>

#include <map>

#include "app/cli/cell_option.h"
#include "app/cli/compute/compute.h"
#include "app/cli/compute/compute_runs.h"
#include "app/documents/frames.h"
#include "compute/analysis/analysis.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/elements.h"
#include "molecule/selection/selection.h"

namespace isolume::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::size_t frame = 0;
  std::string assembly, out, cell;
};

// In Hill's order: carbon, hydrogen, then by symbol; without carbon all by symbol.
std::string formula(const Topology& topology, const Residue& residue) {
  std::map<std::string, int> counts;
  for (std::uint32_t i = 0; i < residue.atom_count; ++i) {
    const Atom& atom = topology.atoms[residue.first_atom + i];
    if (atom.altloc != ' ' && atom.altloc != 'A' && atom.altloc != '1') continue;
    ++counts[std::string(element(atom.element).symbol)];
  }
  std::string text;
  const auto put = [&](const std::string& symbol) {
    const auto found = counts.find(symbol);
    if (found == counts.end()) return;
    text += symbol + (found->second > 1 ? std::to_string(found->second) : std::string());
    counts.erase(found);
  };
  if (counts.contains("C")) {
    put("C");
    put("H");
  }
  while (!counts.empty()) put(counts.begin()->first);
  return text;
}

void run_parts(const Common& common, const Options& options, const std::string& kind) {
  if (!options.out.empty()) {
    check_output(options.out, "csv");
  }
  Run run(common, false);
  for (const std::string& path : options.files) run.report.input(path);
  const auto molecule = read_molecule(options.files, options.assembly, cell_treatment(options.cell));
  if (!molecule->topology) throw Error("this needs atoms, and the file has none", Error::Kind::usage);
  check_frame(*molecule, options.frame);
  const Topology& topology = *molecule->topology;
  const Frame frame = frame_at(*molecule, options.frame);
  run.report.phase("read");
  const std::vector<std::uint8_t> mask = Selection(kind).mask(topology, frame);
  std::string text =
      "chain,segment,name,number,atoms,formula,charge (e),formal charge (e),mass (Da),x (angstrom),y (angstrom),"
      "z (angstrom)\n";
  std::map<std::string, std::size_t> names;
  std::size_t rows = 0;
  for (const Residue& residue : topology.residues) {
    bool is = false;
    double charge = 0, mass = 0;
    int formal = 0;
    glm::dvec3 centre(0);
    for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
      const Atom& atom = topology.atoms[i];
      is = is || mask[i];
      charge += static_cast<double>(atom.charge);
      formal += atom.formal_charge;
      mass += static_cast<double>(atom.mass);
      if (i < frame.positions.size()) centre += glm::dvec3(frame.positions[i]);
    }
    if (!is) continue;
    centre /= std::max(1.0, static_cast<double>(residue.atom_count));
    const Chain& chain = topology.chains[residue.chain];
    text += fmt::format(
        "{},{},{},{}{},{},{},{},{},{:.3f}", csv_field(chain.id), csv_field(chain.segment), csv_field(residue.name),
        residue.number, residue.insertion == ' ' ? "" : std::string(1, residue.insertion), residue.atom_count,
        formula(topology, residue), topology.has_charges ? fmt::format("{:.4f}", charge) : "", formal, mass);
    text += frame.positions.empty() ? std::string(",,,\n")
                                    : fmt::format(",{:.3f},{:.3f},{:.3f}\n", centre.x, centre.y, centre.z);
    ++names[residue.name];
    ++rows;
  }
  if (options.out.empty()) {
    fmt::print("{}", text);
  } else {
    write_atomically(options.out, [&](std::ostream& out) { out << text; });
  }
  nlohmann::ordered_json by_name = nlohmann::ordered_json::object();
  for (const auto& [residue, count] : names) by_name[plain(residue)] = count;
  run.report.method = {{"name", "residues that the selection holds"}, {"selection", kind}};
  run.report.result = {{"count", rows}, {"names", by_name}};
  run.report.phase("write");
  run.say((options.out.empty() ? "" : options.out + ": ") + counted(rows, kind));
  run.finish();
}

}  // namespace

void add_compute_parts(Commands& commands, Verb parent) {
  for (const bool ions : {false, true}) {
    auto options = std::make_shared<Options>();
    const std::string kind = ions ? "ion" : "ligand";
    const Verb verb =
        commands.add(parent, kind + "s",
                     ions ? "the ions of a file: name, chain, number, charge and place, as a table"
                          : "the ligands of a file: name, chain, number, atoms, formula and charge, as a table",
                     fmt::format("isolume compute {}s complex.pdb --out {}s.csv", kind, kind),
                     [&commands, options, kind] { run_parts(commands.common, *options, kind); });
    verb.option("FILE", options->files, "a structure, with what belongs to it").required();
    verb.option("--out", options->out, "csv (default: stdout)").type_name("FILE").writes();
    verb.option("--assembly", options->assembly, "build this biological assembly (info lists them)");
    verb.option("--frame", options->frame, "which frame, from 0");
    add_cell_option(verb, options->cell);
  }
}

}  // namespace isolume::cli
