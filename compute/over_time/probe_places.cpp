// Where a potential is probed, and how the charges are grouped whose contributions are told apart.
#include "compute/over_time/probe_places.h"

#include <fmt/format.h>

#include <map>

#include "molecule/base/error.h"
#include "molecule/far_positions.h"
#include "molecule/frames.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

std::string residue_name(const Topology& topology, const Residue& residue) {
  const Chain& chain = topology.chains[residue.chain];
  const std::string& id = chain.id.empty() ? chain.segment : chain.id;
  return fmt::format("{}{}{}{}{}", id, id.empty() ? "" : "/", residue.name, residue.number,
                     residue.insertion == ' ' ? "" : std::string(1, residue.insertion));
}

std::string atom_name(const Topology& topology, std::uint32_t atom) {
  return residue_name(topology, topology.residue_of(atom)) + ":" + topology.atoms[atom].name;
}

void check_atom(const Topology& topology, std::uint32_t atom) {
  if (atom >= topology.atoms.size())
    throw Error(
        fmt::format("a probe is at atom {}: the molecule has {} (they count from 0)", atom, topology.atoms.size()),
        Error::Kind::usage);
}

}  // namespace

ProbePlace probe_at_atom(const Topology& topology, std::uint32_t atom) {
  check_atom(topology, atom);
  return {atom_name(topology, atom), {atom}, {}, false};
}

ProbePlace probe_at_bond(const Topology& topology, std::uint32_t first, std::uint32_t second) {
  check_atom(topology, first);
  check_atom(topology, second);
  if (first == second) throw Error("a probe of a bond needs two atoms, not one twice", Error::Kind::usage);
  return {atom_name(topology, first) + "-" + topology.atoms[second].name, {first, second}, {}, true};
}

ProbePlace probe_at_residue(const Topology& topology, std::uint32_t residue) {
  if (residue >= topology.residues.size() || topology.residues[residue].atom_count == 0)
    throw Error(fmt::format("a probe is at residue {}: the molecule has {} with atoms (they count from 0)", residue,
                            topology.residues.size()),
                Error::Kind::usage);
  const Residue& found = topology.residues[residue];
  ProbePlace place{residue_name(topology, found), {}, {}, false};
  for (std::uint32_t i = 0; i < found.atom_count; ++i) place.atoms.push_back(found.first_atom + i);
  return place;
}

glm::dvec3 point_of(const ProbePlace& place, const Frame& frame) {
  if (place.atoms.empty()) return place.point;
  glm::dvec3 sum(0);
  for (const std::uint32_t atom : place.atoms) sum += precise_position(frame, atom);
  return sum / static_cast<double>(place.atoms.size());
}

glm::dvec3 direction_of(const ProbePlace& place, const Frame& frame) {
  if (!place.bond) return glm::dvec3(0);
  return glm::normalize(precise_position(frame, place.atoms[1]) - precise_position(frame, place.atoms[0]));
}

std::vector<std::uint32_t> solvent_residues(const Molecule& molecule, std::size_t frame) {
  const Topology& topology = *molecule.topology;
  const std::vector<std::uint8_t> mask = Selection("water or ion").mask(topology, frame_at(molecule, frame));
  std::vector<std::uint32_t> residues;
  for (std::uint32_t i = 0; i < topology.residues.size(); ++i)
    if (topology.residues[i].atom_count > 0 && mask[topology.residues[i].first_atom] != 0) residues.push_back(i);
  return residues;
}

ShareGroups share_groups(const Molecule& molecule, const std::vector<std::uint32_t>& atoms, ShareBy by,
                         std::size_t frame) {
  const Topology& topology = *molecule.topology;
  const Frame first = frame_at(molecule, frame);
  const std::vector<std::uint8_t> water = Selection("water").mask(topology, first);
  const std::vector<std::uint8_t> ion = Selection("ion").mask(topology, first);
  ShareGroups groups;
  std::map<std::string, std::uint32_t> known;  // of a key that tells groups apart
  for (const std::uint32_t atom : atoms) {
    const std::uint32_t index = topology.atoms[atom].residue;
    const Residue& residue = topology.residues[index];
    std::string key, name;
    if (by == ShareBy::all) {
      name = "all";
    } else if (by == ShareBy::chain) {
      const Chain& chain = topology.chains[residue.chain];
      key = std::to_string(residue.chain);
      name = !chain.id.empty() ? chain.id.text() : !chain.segment.empty() ? chain.segment.text() : "chain " + key;
    } else if (water[atom] != 0) {
      key = name = "WATER";
    } else if (ion[atom] != 0) {
      key = name = residue.name;
    } else {
      key = "residue " + std::to_string(index);
      name = residue_name(topology, residue);
    }
    const auto [place, added] = known.try_emplace(key, static_cast<std::uint32_t>(groups.names.size()));
    if (added) groups.names.push_back(name);
    groups.of.push_back(place->second);
  }
  return groups;
}

}  // namespace isolume
