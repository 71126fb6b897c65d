// The charges of a molecule: of which atoms, where, and in which parts.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compute/electrostatics/charges/charged_sphere.h"
#include "compute/electrostatics/hcp/hcp.h"
#include "molecule/molecule.h"

namespace isolume {

/// Charges of some atoms of a molecule in one frame.
struct MoleculeCharges {
  std::vector<ChargedSphere> spheres;  ///< positions relative to `origin`
  glm::dvec3 origin{0.0};              ///< angstrom; 0 but far from the origin
  std::vector<std::uint32_t> atoms;    ///< their numbers in the molecule
  double total = 0;                    ///< e
  Cell cell;                           ///< of the frame
};

/// The charges of the atoms of a selection in a frame, of alternate locations the first. Throws Error (usage) where the
/// selection holds no atoms, or the molecule has no charges, or all of them are 0.
MoleculeCharges molecule_charges(const Molecule& molecule, const Frame& frame, const std::string& selection);

/// Throws Error (usage) where a molecule has no charges, with what may be done: the one place where charges are asked
/// for. A molecule is given charges before it comes here.
void require_charges(const Molecule& molecule);
/// What that error says.
std::string no_charges_text(const Molecule& molecule);

/// The parts above, one by one. The atoms of a selection, of alternate locations the first of each residue. Throws
/// Error (usage) where there are none.
std::vector<std::uint32_t> chosen_atoms(const std::string& selection, const Topology& topology, const Frame& frame);
/// Throws Error (usage) where all `charges`, those of atoms of the molecule, are 0.
void require_any_charge(const Molecule& molecule, std::span<const float> charges);
/// The residues, chains and complexes (a choice of chain_complexes()) that atoms belong to, in their order. Without
/// residues they are one group. Throws as chain_complexes().
std::shared_ptr<const HcpHierarchy> charge_parts(const Topology& topology, std::span<const std::uint32_t> atoms,
                                                 const std::string& complexes = "auto");

}  // namespace isolume
