// The force field of an AMBER topology file.
#pragma once

#include <cstdint>

#include "formats/topologies/prmtop_sections.h"
#include "molecule/force_field/force_field.h"

namespace isolume {

/// The POINTERS section: how many there are of what. Counts of terms are those with hydrogen, then those without.
struct PrmtopPointers {
  std::size_t atoms = 0, types = 0, residues = 0;
  std::size_t bonds_with = 0, bonds_without = 0, angles_with = 0, angles_without = 0;
  std::size_t dihedrals_with = 0, dihedrals_without = 0;
  std::size_t bond_types = 0, angle_types = 0, dihedral_types = 0, exclusions = 0, hydrogen_bonds = 0;
  std::int64_t box = 0;  ///< 0 none, 1 rectangular, 2 truncated octahedron, 3 any
};

/// What an entry of CHARGE is divided by to give e: the root of AMBER's Coulomb constant.
inline constexpr double amber_charge_unit = 18.2223;
/// The same in CHAMBER's files: the root of CHARMM's constant, 332.0716 kcal angstrom / (mol e^2).
inline constexpr double chamber_charge_unit = 18.22283183262141;

/// Throws Error (input) where a section is missing, short, or names what does not exist. Of a topology without
/// Lennard-Jones types only charges, masses, bonds and angles, which make no valid force field.
ForceField read_prmtop_force_field(const PrmtopSections& sections, const PrmtopPointers& pointers);

}  // namespace isolume
