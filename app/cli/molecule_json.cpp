// What isolume info says of a molecule, as JSON.
#include "app/cli/molecule_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/charge_json.h"
#include "app/cli/command.h"
#include "molecule/assembly.h"
#include "molecule/elements.h"
#include "molecule/force_field/charmm.h"
#include "molecule/quantum/orbital_energies.h"
#include "molecule/residue_kinds.h"

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
}

Json orbital_json(const Orbitals& orbitals, std::size_t index, bool has_energy) {
  const Orbital& orbital = orbitals.orbitals[index];
  std::size_t number = 1;
  for (std::size_t i = 0; i < index; ++i) number += orbitals.orbitals[i].spin == orbital.spin;
  return {{"number", number},
          {"role", orbitals.role(index)},
          {"spin", orbital.spin == Spin::alpha ? "alpha" : "beta"},
          {"energy_hartree", has_energy ? Json(orbital.energy) : Json()},
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
  const bool energies = FrontierOrder(orbitals, Spin::alpha).energies;
  for (std::size_t i = 0; i < orbitals.count(); ++i) list.push_back(orbital_json(orbitals, i, energies));
  const auto index = [&](std::optional<std::size_t> i) { return i ? orbital_json(orbitals, *i, energies) : Json(); };
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

}  // namespace

nlohmann::ordered_json molecule_json(const Molecule& molecule) {
  Json json{
      {"paths", molecule.paths},
      {"format", molecule.format},
      {"title", plain(molecule.title)},
      {"atoms", molecule.topology || !molecule.trajectory ? molecule.atom_count() : molecule.trajectory->atom_count()},
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
  if (molecule.topology) {
    add_topology(json, *molecule.topology);
    add_charges(json, molecule);
  }
  if (const auto& p = molecule.charmm_parameters) {
    json["parameters"] = {{"bonds", p->bonds.size()},         {"angles", p->angles.size()},
                          {"dihedrals", p->dihedrals.size()}, {"impropers", p->impropers.size()},
                          {"maps", p->maps.size()},           {"radii", p->radii.size()},
                          {"pairs", p->pairs.size()},         {"types by number", p->numbers.size()}};
  }
  json["assemblies"] = assemblies_json(molecule);
  add_orbitals(json, molecule);
  add_volumes(json, molecule);
  std::vector<std::string> notes = molecule.topology ? molecule.topology->notes : std::vector<std::string>();
  if (molecule.charmm_parameters) notes = molecule.charmm_parameters->notes;
  for (std::string& note : notes) note = plain(note);
  json["notes"] = notes;
  json["warnings"] = molecule.warnings;
  return json;
}

}  // namespace isolume::cli
