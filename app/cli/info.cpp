// isolume info: the contents of files.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/molecule_json.h"
#include "app/documents/frames.h"
#include "app/scene/molviewspec.h"
#include "app/scene/scene_json.h"
#include "formats/file_patterns.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string counts_in_words(const Json& counts) {
  std::vector<std::string> parts;
  for (const auto& item : counts.items())
    parts.push_back(fmt::format("{} {}", item.value().get<std::size_t>(), item.key()));
  return fmt::format("{}", fmt::join(parts, ", "));
}

void line(const char* key, const std::string& value) {
  fmt::print("  {:<11}{}\n", key, value);
}

std::string orbital_line(const Json& o) {
  // Natural orbitals have no energies.
  const Json& hartree = o["energy_hartree"];
  const std::string energy = hartree.is_null() ? std::string("no energy")
                                               : fmt::format("{:>14.6f} Eh {:>12.4f} eV", hartree.get<double>(),
                                                             hartree.get<double>() * units::hartree_in_ev);
  return fmt::format("{:>5}  {:<8} {:<6} {:<6} {}  occupied {:g}", o["number"].get<std::size_t>(),
                     o["role"].get<std::string>(), o["spin"].get<std::string>(), o["symmetry"].get<std::string>(),
                     energy, o["occupation"].get<double>());
}

/// The total, then chains and molecules where there are several, and charges not near an integer.
void print_charges(const Json& charges, const std::string& total) {
  constexpr std::size_t most = 12;
  line("charges", total);
  const auto listed = [&](const char* key, const char* name) {
    std::vector<std::string> parts;
    for (const Json& part : charges[key]) {
      if (parts.size() == most) break;
      const auto count = part.contains("count") ? part["count"].get<std::size_t>() : std::size_t{1};
      const auto text = part[name].get<std::string>();
      parts.push_back(fmt::format("{}{} {:+.3f}", text.empty() ? "-" : text,
                                  count > 1 ? fmt::format(" (each of {})", count) : "", part["charge"].get<double>()));
    }
    return fmt::format("{}{}", fmt::join(parts, ", "), charges[key].size() > most ? ", ..." : "");
  };
  if (charges["chains"].size() > 1) line("", "chains: " + listed("chains", "chain"));
  if (charges["molecules"].size() > 1) line("", "molecules: " + listed("molecules", "name"));
  if (const Json& odd = charges["not_integral"]; !odd.empty()) {
    std::vector<std::string> parts;
    for (const Json& text : odd) parts.push_back(text.get<std::string>());
    if (parts.size() > 5) parts.resize(5);
    line("warning", fmt::format("charges that are not near an integer: {}{}", fmt::join(parts, "; "),
                                odd.size() > 5 ? "; ..." : ""));
  }
}

void print_structure(const Json& json) {
  line("atoms", fmt::format("{} ({})", json["atoms"].get<std::size_t>(), counts_in_words(json["elements"])));
  line("residues", fmt::format("{} ({})", json["residues"].get<std::size_t>(), counts_in_words(json["residue_kinds"])));
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
  if (!json["charges"].is_null()) {
    print_charges(json["charges"], fmt::format("total {:+.4f} e", json["charges"]["total"].get<double>()));
  } else if (!json["prepared_charges"].is_null()) {
    const Json& made = json["prepared_charges"];
    const double total = made["total"].get<double>();
    print_charges(made,
                  fmt::format("none; AMBER ff14SB with {} more hydrogens makes {:+.4f} e (isolume compute charges)",
                              made["added_hydrogens"].get<std::size_t>(), std::abs(total) < 5e-5 ? 0 : total));
  }
}

void print_text(const Json& json, bool all_orbitals) {
  const auto paths = json["paths"].get<std::vector<std::string>>();
  fmt::print("{}: {}\n", plain(fmt::format("{}", fmt::join(paths, " + "))), json["format"].get<std::string>());
  if (const auto title = json["title"].get<std::string>(); !title.empty()) line("title", title);
  if (json.contains("elements")) {
    print_structure(json);
  } else if (json["atoms"] > 0) {
    line("atoms", fmt::format("{} (without names: a structure file goes with them)", json["atoms"].get<std::size_t>()));
  }
  if (json.contains("parameters")) line("parameters", counts_in_words(json["parameters"]));
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
    line("assembly",
         fmt::format("{}: {}, {}{}", assembly["id"].get<std::string>(),
                     counted(assembly["operators"].get<std::size_t>(), "operator"),
                     counted(assembly["atoms"].get<std::size_t>(), "atom"), details.empty() ? "" : ", " + details));
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
  if (options.files.size() != 1 || !(path.ends_with(".isolume") || is_molviewspec(path))) return false;
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

/// The molecules of the files. What is of no use alone, and so refused elsewhere, can be looked at: the frames of a
/// trajectory, parameters of CHARMM.
std::vector<Molecule> read_parts(const std::vector<std::string>& files) {
  if (files.size() != 1) return read_files(files);
  try {
    return read_files(files);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::input || expand_paths(files).size() != 1) throw;
    Molecule molecule = read_file(expand_paths(files).front());  // throws the same where it is damaged
    if (molecule.topology) throw;
    return {std::move(molecule)};
  }
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
  std::vector<Molecule> molecules = read_parts(options.files);
  if (!options.assembly.empty())
    for (Molecule& molecule : molecules) molecule = built_assembly(molecule, options.assembly);
  Json all = Json::array();
  for (const Molecule& molecule : molecules) all.push_back(molecule_json(molecule));
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
  const Verb command =
      commands.add(commands.app, "info", "say what is in a file: atoms, frames, box, charges, orbitals, volumes",
                   "isolume info crambin.pdb.gz\n  isolume info water.molden --orbitals",
                   [&commands, options] { run_info(commands.common, *options); });
  command.option("FILE", options->files, "files; a trajectory or orbitals are joined to the structure before them");
  command.flag("--json", options->json, "as JSON (a list where the files make several molecules)");
  command.flag("--orbitals", options->orbitals, "list all orbitals, not only HOMO and LUMO");
  command.option("--assembly", options->assembly, "describe this biological assembly");
  command.flag("--formats", options->formats, "list the formats that can be read");
}

}  // namespace isolume::cli
