// Where compute probe looks, and how charges are grouped.
#include "app/cli/compute/probe_places.h"

#include <fmt/format.h>

#include <map>

#include "app/cli/compute/compute.h"
#include "molecule/base/error.h"
#include "molecule/far_positions.h"
#include "molecule/frames.h"
#include "molecule/selection/empty_selection.h"
#include "molecule/selection/selection.h"

namespace isolume::cli {
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

std::vector<std::uint32_t> selected(const std::string& selection, const Topology& topology, const Frame& frame) {
  std::vector<std::uint32_t> atoms = Selection(selection).atoms(topology, frame);
  if (atoms.empty()) throw Error(empty_selection(selection, topology), Error::Kind::usage);
  return atoms;
}

}  // namespace

void add_probe_choice(Verb command, ProbeChoice& choice) {
  command.option("--points", choice.points, "csv: lines x,y,z in angstrom; they stay where they are").type_name("FILE");
  command.option("--atoms", choice.atoms, "these atoms; an atom's own charge does not count at its place");
  command.option("--bonds", choice.bonds, "the middle of two atoms, and the field along them; may be given again")
      .repeated();
}

void check_probe_choice(const ProbeChoice& choice) {
  const int given = (choice.points.empty() ? 0 : 1) + (choice.atoms.empty() ? 0 : 1) + (choice.bonds.empty() ? 0 : 1);
  if (given != 1)
    throw Error("one of --points, --atoms and --bonds is needed: where should the potential be taken?",
                Error::Kind::usage);
  if (!choice.atoms.empty()) Selection{choice.atoms};
  for (const std::string& bond : choice.bonds) Selection{bond};
}

ProbePlaces::ProbePlaces(const Molecule& molecule, const ProbeChoice& choice, std::size_t reference)
    : bonds_(!choice.bonds.empty()) {
  const Topology& topology = *molecule.topology;
  const Frame frame = frame_at(molecule, reference);
  if (!choice.points.empty()) {
    fixed_ = read_points(choice.points);
    for (std::size_t i = 0; i < fixed_.size(); ++i) names_.push_back(std::to_string(i));
  } else if (!bonds_) {
    for (const std::uint32_t atom : selected(choice.atoms, topology, frame)) {
      atoms_.emplace_back(atom, atom);
      names_.push_back(atom_name(topology, atom));
    }
  }
  for (const std::string& bond : choice.bonds) {
    const std::vector<std::uint32_t> two = selected(bond, topology, frame);
    if (two.size() != 2)
      throw Error(fmt::format("--bonds {}: a bond is two atoms, and this holds {}", bond, two.size()),
                  Error::Kind::usage);
    atoms_.emplace_back(two[0], two[1]);
    names_.push_back(atom_name(topology, two[0]) + "-" + topology.atoms[two[1]].name);
  }
}

std::vector<glm::dvec3> ProbePlaces::points(const Frame& frame) const {
  std::vector<glm::dvec3> points = fixed_;
  for (const auto& [a, b] : atoms_) points.push_back(0.5 * (precise_position(frame, a) + precise_position(frame, b)));
  return points;
}

glm::dvec3 ProbePlaces::direction(std::size_t probe, const Frame& frame) const {
  if (!bonds_) return glm::dvec3(0);
  const auto& [a, b] = atoms_[probe];
  return glm::normalize(precise_position(frame, b) - precise_position(frame, a));
}

std::vector<std::uint32_t> solvent_residues(const Molecule& molecule, std::size_t frame) {
  const Topology& topology = *molecule.topology;
  const std::vector<std::uint8_t> mask = Selection("water or ion").mask(topology, frame_at(molecule, frame));
  std::vector<std::uint32_t> residues;
  for (std::uint32_t i = 0; i < topology.residues.size(); ++i)
    if (topology.residues[i].atom_count > 0 && mask[topology.residues[i].first_atom] != 0) residues.push_back(i);
  return residues;
}

std::vector<std::string> group_names(const Molecule& molecule, const std::vector<std::uint32_t>& atoms,
                                     const std::string& by, std::size_t frame, std::vector<std::uint32_t>& groups) {
  const Topology& topology = *molecule.topology;
  const Frame first = frame_at(molecule, frame);
  const std::vector<std::uint8_t> water = Selection("water").mask(topology, first);
  const std::vector<std::uint8_t> ion = Selection("ion").mask(topology, first);
  std::vector<std::string> names;
  std::map<std::string, std::uint32_t> known;  // of a key that tells groups apart
  for (const std::uint32_t atom : atoms) {
    const std::uint32_t index = topology.atoms[atom].residue;
    const Residue& residue = topology.residues[index];
    std::string key, name;
    if (by == "all") {
      name = "all";
    } else if (by == "chain") {
      const Chain& chain = topology.chains[residue.chain];
      key = std::to_string(residue.chain);
      name = !chain.id.empty() ? chain.id : !chain.segment.empty() ? chain.segment : "chain " + key;
    } else if (water[atom] != 0) {
      key = name = "WATER";
    } else if (ion[atom] != 0) {
      key = name = residue.name;
    } else {
      key = "residue " + std::to_string(index);
      name = residue_name(topology, residue);
    }
    const auto [place, added] = known.try_emplace(key, static_cast<std::uint32_t>(names.size()));
    if (added) names.push_back(name);
    groups.push_back(place->second);
  }
  return names;
}

}  // namespace isolume::cli
