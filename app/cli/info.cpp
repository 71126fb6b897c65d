// isolume info: what is in a file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/command.h"
#include "app/scene/scene_json.h"
#include "app/session/frames.h"
#include "formats/file_patterns.h"
#include "formats/read.h"
#include "molecule/assembly.h"
#include "molecule/elements.h"
#include "molecule/error.h"
#include "molecule/residue_kinds.h"
#include "molecule/units.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

Json vector(glm::dvec3 v) {
  return Json::array({v.x, v.y, v.z});
}

const char* kind_name(ResidueKind kind) {
  switch (kind) {
    case ResidueKind::protein:
      return "protein";
    case ResidueKind::nucleic:
      return "nucleic";
    case ResidueKind::water:
      return "water";
    case ResidueKind::ion:
      return "ion";
    case ResidueKind::lipid:
      return "lipid";
    case ResidueKind::sugar:
      return "sugar";
    case ResidueKind::other:
      break;
  }
  return "other";
}

void add_topology(Json& json, const Topology& topology) {
  std::array<std::size_t, element_count> elements{};
  for (const Atom& atom : topology.atoms) ++elements[std::min<int>(atom.element, element_count - 1)];
  Json by_element = Json::object();
  for (int i = 1; i <= element_count; ++i) {
    const int number = i % element_count;  // unknown ones last
    if (elements[number]) by_element[std::string(element(number).symbol)] = elements[number];
  }
  Json kinds = Json::object();
  for (std::size_t i = 0; i < topology.residues.size(); ++i) {
    Json& count = kinds[kind_name(residue_kind(topology, i))];
    count = (count.is_null() ? 0 : count.get<std::size_t>()) + 1;
  }
  Json chains = Json::array();
  for (const Chain& chain : topology.chains)
    chains.push_back({{"id", plain(chain.id)}, {"segment", plain(chain.segment)}, {"residues", chain.residue_count}});
  json["elements"] = by_element;
  json["residues"] = topology.residues.size();
  json["residue_kinds"] = kinds;
  json["chains"] = chains;
  json["bonds"] = topology.bonds.size();
  json["bonds_from_file"] = topology.has_bonds;
  json["structure_from_file"] = topology.has_structure;
  json["charges"] = topology.has_charges ? Json{{"total", topology.total_charge()}} : Json();
}

Json orbital_json(const Orbitals& orbitals, std::size_t index) {
  const Orbital& orbital = orbitals.orbitals[index];
  std::size_t number = 1;
  for (std::size_t i = 0; i < index; ++i) number += orbitals.orbitals[i].spin == orbital.spin;
  return {{"number", number},
          {"role", orbitals.role(index)},
          {"spin", orbital.spin == Spin::alpha ? "alpha" : "beta"},
          {"energy_hartree", orbital.energy},
          {"occupation", orbital.occupation},
          {"symmetry", plain(orbital.symmetry)}};
}

void add_orbitals(Json& json, const Molecule& molecule) {
  const auto first = std::find_if(molecule.orbitals.begin(), molecule.orbitals.end(), [](const auto& o) { return o; });
  if (first == molecule.orbitals.end()) {
    json["basis"] = json["orbitals"] = Json();
    return;
  }
  const Orbitals& orbitals = **first;
  const Basis& basis = *orbitals.basis;
  const bool spherical =
      std::any_of(basis.shells.begin(), basis.shells.end(), [](const Shell& s) { return s.spherical; });
  json["basis"] = {{"functions", basis.function_count()},
                   {"shells", basis.shells.size()},
                   {"primitives", basis.primitive_count()},
                   {"max_l", basis.max_l()},
                   {"spherical", spherical}};
  Json list = Json::array();
  for (std::size_t i = 0; i < orbitals.count(); ++i) list.push_back(orbital_json(orbitals, i));
  const auto index = [&](std::optional<std::size_t> i) { return i ? orbital_json(orbitals, *i) : Json(); };
  json["orbitals"] = {{"count", orbitals.count()},
                      {"alpha", orbitals.count(Spin::alpha)},
                      {"beta", orbitals.count(Spin::beta)},
                      {"electrons", orbitals.electron_count()},
                      {"homo", index(orbitals.homo())},
                      {"lumo", index(orbitals.lumo())},
                      {"norm_residual", orbitals.norm_residual},
                      {"convention", orbitals.convention},
                      {"frames", molecule.orbitals.size()},
                      {"list", list}};
}

void add_volumes(Json& json, const Molecule& molecule) {
  Json volumes = Json::array();
  for (const auto& volume : molecule.volumes) {
    double sum = 0;
    float low = INFINITY, high = -INFINITY;
    for (const float value : volume->values) {
      sum += value;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    const Grid& grid = volume->grid;
    volumes.push_back({{"name", plain(volume->name)},
                       {"unit", plain(volume->unit)},
                       {"origin", vector(grid.origin)},
                       {"step", {vector(grid.step[0]), vector(grid.step[1]), vector(grid.step[2])}},
                       {"counts", {grid.counts.x, grid.counts.y, grid.counts.z}},
                       {"minimum", low},
                       {"maximum", high},
                       {"mean", sum / static_cast<double>(std::max<std::size_t>(1, volume->values.size()))}});
  }
  json["volumes"] = volumes;
}

Json assemblies_json(const Molecule& molecule) {
  Json list = Json::array();
  for (const auto& assembly : molecule.assemblies)
    list.push_back({{"id", assembly->id},
                    {"details", plain(assembly->details)},
                    {"operators", copy_count(*assembly)},
                    {"atoms", atom_count(*assembly, *molecule.topology)}});
  return list;
}

Json describe(const Molecule& molecule) {
  Json json{{"paths", molecule.paths},
            {"format", molecule.format},
            {"title", plain(molecule.title)},
            {"atoms", molecule.atom_count()},
            {"frames", molecule.frame_count()}};
  json["box"] = json["times_ps"] = Json();
  if (molecule.frame_count() > 0) {
    const Frame first = molecule.trajectory->frame(0);
    if (first.cell.exists())
      json["box"] = {{"lengths", vector(first.cell.lengths())}, {"angles", vector(first.cell.angles())}};
    if (first.has_time) {
      const Frame last = molecule.trajectory->frame(molecule.frame_count() - 1);
      json["times_ps"] = {first.time, last.time};
    }
  }
  if (molecule.topology) add_topology(json, *molecule.topology);
  json["assemblies"] = assemblies_json(molecule);
  add_orbitals(json, molecule);
  add_volumes(json, molecule);
  std::vector<std::string> notes = molecule.topology ? molecule.topology->notes : std::vector<std::string>();
  for (std::string& note : notes) note = plain(note);
  json["notes"] = notes;
  json["warnings"] = molecule.warnings;
  return json;
}

std::string counted(const Json& counts) {
  std::vector<std::string> parts;
  for (const auto& item : counts.items())
    parts.push_back(fmt::format("{} {}", item.value().get<std::size_t>(), item.key()));
  return fmt::format("{}", fmt::join(parts, ", "));
}

void line(const char* key, const std::string& value) {
  fmt::print("  {:<11}{}\n", key, value);
}

std::string orbital_line(const Json& o) {
  return fmt::format("{:>5}  {:<8} {:<6} {:<6} {:>14.6f} Eh {:>12.4f} eV  occupied {:g}",
                     o["number"].get<std::size_t>(), o["role"].get<std::string>(), o["spin"].get<std::string>(),
                     o["symmetry"].get<std::string>(), o["energy_hartree"].get<double>(),
                     o["energy_hartree"].get<double>() * units::hartree_in_ev, o["occupation"].get<double>());
}

void print_structure(const Json& json) {
  line("atoms", fmt::format("{} ({})", json["atoms"].get<std::size_t>(), counted(json["elements"])));
  line("residues", fmt::format("{} ({})", json["residues"].get<std::size_t>(), counted(json["residue_kinds"])));
  std::vector<std::string> chains;
  for (const Json& chain : json["chains"]) {
    const auto id = chain["id"].get<std::string>();
    chains.push_back(id.empty() ? "-" : id);
    if (std::count(chains.begin(), chains.end(), chains.back()) > 1) chains.pop_back();  // waters of a chain
    if (chains.size() == 20) break;
  }
  line("chains",
       fmt::format("{} ({}{})", json["chains"].size(), fmt::join(chains, " "), chains.size() == 20 ? " ..." : ""));
  line("bonds", fmt::format("{} ({})", json["bonds"].get<std::size_t>(),
                            json["bonds_from_file"].get<bool>() ? "from the file" : "by distance"));
  if (!json["charges"].is_null())
    line("charges", fmt::format("total {:+.4f} e", json["charges"]["total"].get<double>()));
}

void print_text(const Json& json, bool all_orbitals) {
  const auto paths = json["paths"].get<std::vector<std::string>>();
  fmt::print("{}: {}\n", plain(fmt::format("{}", fmt::join(paths, " + "))), json["format"].get<std::string>());
  if (const auto title = json["title"].get<std::string>(); !title.empty()) line("title", title);
  if (json.contains("elements")) print_structure(json);
  if (const auto frames = json["frames"].get<std::size_t>(); frames > 0) {
    line("frames", json["times_ps"].is_null()
                       ? fmt::format("{}", frames)
                       : fmt::format("{} ({:g} to {:g} ps)", frames, json["times_ps"][0].get<double>(),
                                     json["times_ps"][1].get<double>()));
  }
  if (const Json& box = json["box"]; !box.is_null()) {
    const auto l = box["lengths"].get<std::vector<double>>();
    const auto a = box["angles"].get<std::vector<double>>();
    line("box", fmt::format("{:.3f} x {:.3f} x {:.3f} angstrom, {:.2f} {:.2f} {:.2f} degrees", l[0], l[1], l[2], a[0],
                            a[1], a[2]));
  }
  for (const Json& assembly : json["assemblies"]) {
    const auto details = assembly["details"].get<std::string>();
    line("assembly", fmt::format("{}: {} operators, {} atoms{}", assembly["id"].get<std::string>(),
                                 assembly["operators"].get<std::size_t>(), assembly["atoms"].get<std::size_t>(),
                                 details.empty() ? "" : ", " + details));
  }
  if (const Json& basis = json["basis"]; !basis.is_null()) {
    line("basis",
         fmt::format("{} {} functions, {} shells, {} primitives, l to {}", basis["functions"].get<std::size_t>(),
                     basis["spherical"].get<bool>() ? "spherical" : "Cartesian", basis["shells"].get<std::size_t>(),
                     basis["primitives"].get<std::size_t>(), basis["max_l"].get<int>()));
    const Json& orbitals = json["orbitals"];
    const auto beta = orbitals["beta"].get<std::size_t>();
    line("orbitals", fmt::format("{}{}, {:g} electrons{}", orbitals["alpha"].get<std::size_t>(),
                                 beta ? fmt::format(" alpha, {} beta", beta) : "", orbitals["electrons"].get<double>(),
                                 orbitals["frames"].get<std::size_t>() > 1
                                     ? fmt::format(", at {} frames", orbitals["frames"].get<std::size_t>())
                                     : ""));
    if (orbitals["norm_residual"].get<double>() >= 0)
      line("check", fmt::format("|C^T S C - 1| <= {:.1e} ({})", orbitals["norm_residual"].get<double>(),
                                orbitals["convention"].get<std::string>()));
    for (const Json& orbital : orbitals["list"]) {
      const auto role = orbital["role"].get<std::string>();
      if (all_orbitals || role == "HOMO" || role == "LUMO") fmt::print("{}\n", orbital_line(orbital));
    }
  }
  for (const Json& volume : json["volumes"]) {
    const auto counts = volume["counts"].get<std::vector<int>>();
    line("volume",
         fmt::format("{}: {} x {} x {} points, {:g} to {:g}{}", volume["name"].get<std::string>(), counts[0], counts[1],
                     counts[2], volume["minimum"].get<double>(), volume["maximum"].get<double>(),
                     volume["unit"].get<std::string>().empty() ? "" : " " + volume["unit"].get<std::string>()));
  }
  for (const Json& note : json["notes"]) line("note", note.get<std::string>());
  for (const Json& warning : json["warnings"]) line("warning", plain(warning.get<std::string>()));
}

void print_formats(bool as_json) {
  Json list = Json::array();
  for (const Format& format : formats()) {
    list.push_back({{"name", format.name}, {"what", format.what}, {"extensions", format.extensions}});
    if (!as_json) fmt::print("{:<22} {:<11} {}\n", format.name, format.what, format.extensions);
  }
  if (as_json) fmt::print("{}\n", list.dump(2));
}

struct Options {
  std::vector<std::string> files;
  std::string assembly;
  bool json = false, orbitals = false, formats = false;
};

// A scene's molecules, without loading them.
bool print_scene(const Options& options) {
  const std::string& path = options.files.front();
  if (options.files.size() != 1 || path.size() < 8 || path.substr(path.size() - 8) != ".isolume") return false;
  std::vector<std::string> notes;
  const Scene scene = read_scene(path, &notes);
  if (options.json) {
    fmt::print("{}", scene_to_json(scene));
    return true;
  }
  fmt::print("{}: a scene\n", plain(path));
  for (const SceneMolecule& molecule : scene.molecules)
    line("molecule", plain(fmt::format("{}", fmt::join(molecule.paths, " + "))));
  line("shows", fmt::format("{} representations, {} fields, frame {}", scene.representations.size(),
                            scene.fields.size(), scene.frame));
  for (const std::string& note : notes) line("note", plain(note));
  return true;
}

void run_info(const Common& common, const Options& options) {
  Run run(common, false);
  if (options.formats) {
    print_formats(options.json);
    return;
  }
  if (options.files.empty()) throw Error("info needs a file; see isolume info --help", Error::Kind::usage);
  if (print_scene(options)) return;
  for (const std::string& file : expand_paths(options.files)) run.report.input(file);
  std::vector<Molecule> molecules = read_files(options.files);
  if (!options.assembly.empty())
    for (Molecule& molecule : molecules) molecule = built_assembly(molecule, options.assembly);
  Json all = Json::array();
  for (const Molecule& molecule : molecules) all.push_back(describe(molecule));
  run.report.phase("read");
  const Json& json = all.size() == 1 ? all.front() : all;
  if (options.json) {
    fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
  } else {
    for (const Json& molecule : all) print_text(molecule, options.orbitals);
  }
  run.report.result = json;
  run.finish();
}

}  // namespace

void add_info(Commands& commands) {
  auto options = std::make_shared<Options>();
  CLI::App& command =
      commands.add(commands.app, "info", "say what is in a file: atoms, frames, box, charges, orbitals, volumes",
                   "isolume info crambin.pdb.gz\n  isolume info water.molden --orbitals",
                   [&commands, options] { run_info(commands.common, *options); });
  command.add_option("FILE", options->files, "files; a trajectory or orbitals are joined to the structure before them");
  command.add_flag("--json", options->json, "as JSON (a list where the files make several molecules)");
  command.add_flag("--orbitals", options->orbitals, "list all orbitals, not only HOMO and LUMO");
  command.add_option("--assembly", options->assembly, "what is there when this biological assembly is built");
  command.add_flag("--formats", options->formats, "list the formats that can be read");
}

}  // namespace isolume::cli
