// What a file leaves out, completed: bonds by distance, secondary structure.
#include "formats/complete.h"

#include <algorithm>

#include "molecule/base/error.h"
#include "molecule/bonds.h"
#include "molecule/crystal/crystal.h"
#include "molecule/residue_kinds.h"
#include "molecule/secondary_structure.h"
#include "molecule/whole_molecules.h"

namespace isolume {
namespace {

bool has_protein(const Topology& topology) {
  for (std::size_t i = 0; i < topology.residues.size(); ++i) {
    if (residue_kind(topology, i) == ResidueKind::protein) return true;
  }
  return false;
}

bool before(const Bond& x, const Bond& y) {
  return x.a != y.a ? x.a < y.a : x.b < y.b;
}

/// Bonds by distance; across the faces of the cell where simulations may have broken molecules, but not in what was
/// deposited, whose neighbouring cells hold other molecules.
std::vector<Bond> guessed_bonds(const Molecule& molecule, const Frame& frame, bool& crowded) {
  const Topology& topology = *molecule.topology;
  const bool deposited = std::any_of(molecule.assemblies.begin(), molecule.assemblies.end(),
                                     [](const auto& assembly) { return assembly->id != unit_cell_id; });
  if (!deposited && cell_holds(frame.cell, topology.atoms.size())) {
    try {
      return guess_bonds(topology, frame, true, &crowded);
    } catch (const Error&) {
      // A cell with more images than can be looked at.
    }
  }
  return guess_bonds(topology, frame, false, &crowded);
}

bool crosses_faces(const Topology& topology, const Frame& frame) {
  if (!cell_holds(frame.cell, topology.atoms.size())) return false;
  return std::any_of(topology.bonds.begin(), topology.bonds.end(), [&](const Bond& bond) {
    const glm::dvec3 d = glm::dvec3(frame.positions[bond.b]) - glm::dvec3(frame.positions[bond.a]);
    return glm::dot(d, d) > 9 && glm::length(d) > glm::length(frame.cell.minimum_image(d)) + 0.5;
  });
}

/// Takes away those bonds by distance that go across the faces in molecules without an end: whoever draws or moves
/// these, does so within the cell.
void remove_endless(Topology& topology, const Frame& frame, const std::vector<Bond>& given) {
  const std::vector<std::uint8_t> endless = endless_bonds(topology, frame);
  std::vector<Bond> kept;
  for (std::size_t i = 0; i < topology.bonds.size(); ++i) {
    const Bond& bond = topology.bonds[i];
    if (!endless[i] || std::binary_search(given.begin(), given.end(), bond, before)) kept.push_back(bond);
  }
  topology.bonds = std::move(kept);
}

/// The molecule's topology to be changed: itself where nobody else has it, which spares millions of atoms a copy.
/// Readers make topologies that are not const.
std::shared_ptr<Topology> own_topology(const Molecule& molecule) {
  if (molecule.topology.use_count() == 1) return std::const_pointer_cast<Topology>(molecule.topology);
  return std::make_shared<Topology>(*molecule.topology);
}

}  // namespace

void complete(Molecule& molecule) {
  if (!molecule.topology || molecule.frame_count() == 0) return;
  const bool needs_bonds = !molecule.topology->has_bonds;
  const bool needs_structure = !molecule.topology->has_structure && has_protein(*molecule.topology);
  if (!needs_bonds && !needs_structure) return;

  Frame frame = molecule.trajectory->frame(0);
  if (frame.positions.size() != molecule.topology->atoms.size()) return;
  bool crowded = false;
  const std::vector<Bond> guessed = needs_bonds ? guessed_bonds(molecule, frame, crowded) : std::vector<Bond>();
  // Where nothing is added, the topology of millions of ions need not be copied.
  if (guessed.empty() && !crowded && !needs_structure && molecule.topology->bonds.empty()) return;
  const std::shared_ptr<Topology> completed = own_topology(molecule);
  if (needs_bonds) {
    // Those of the file (CONECT of ligands, disulfides) are kept together with those by distance.
    const std::vector<Bond> given = std::move(completed->bonds);
    std::vector<Bond> joined;
    joined.reserve(given.size() + guessed.size());
    std::set_union(given.begin(), given.end(), guessed.begin(), guessed.end(), std::back_inserter(joined), before);
    completed->bonds = std::move(joined);
    if (crosses_faces(*completed, frame)) remove_endless(*completed, frame, given);
    if (crowded) {
      completed->notes.push_back(
          "The atoms are so crowded that bonds were sought within residues and along chains alone.");
    }
    if (!completed->bonds.empty()) {
      completed->notes.push_back(!given.empty() ? "Bonds that the file does not list were found by distance."
                                                : "Bonds were found by distance.");
    }
  }
  const bool broken = crosses_faces(*completed, frame);
  if (needs_bonds && broken) completed->notes.push_back("Molecules are broken at the faces of the cell in this file.");
  if (needs_structure) {
    if (broken) MoleculeTree(*completed, frame).make_whole(frame);
    const std::vector<SecondaryStructure> classes = secondary_structure(*completed, frame);
    for (std::size_t i = 0; i < completed->residues.size() && i < classes.size(); ++i) {
      completed->residues[i].structure = classes[i];
    }
    completed->notes.push_back("Secondary structure was computed from the first frame (DSSP).");
  }
  molecule.topology = completed;
}

}  // namespace isolume
