// Energies with which molecules of water interact with the rest of a system, for maps of hydration.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "molecule/cell.h"
#include "molecule/force_field/force_field.h"
#include "molecule/topology.h"

namespace isolume {

/// What the energy of a molecule of water is with.
enum class HydrationPartner : std::uint8_t {
  solute,  ///< all that is no water: E_sw of grid inhomogeneous solvation theory
  water,   ///< the other molecules of water, half of it: E_ww, which adds up to the energy of all pairs
};

/// Coulomb and Lennard-Jones energies over all pairs of atoms, by the charges and tables of a force field, without a
/// cutoff (Nguyen, Kurtzman Young, Gilson, J. Chem. Phys. 137, 044101 (2012), doi:10.1063/1.4733951). In a cell every
/// pair of atoms is met at its nearest image, as cpptraj does.
class HydrationEnergies {
 public:
  /// `water`: the atoms of all molecules of water, of which each residue is one. Throws Error (usage) where there are
  /// none, or the force field is of another number of atoms.
  HydrationEnergies(const Topology& topology, const ForceField& field, std::span<const std::uint32_t> water);

  /// kcal/mol, of the molecules that the atoms `which` belong to. `positions`: of all atoms, angstrom. On the calling
  /// thread. Throws Error (usage) for an atom that is no water's, and for another number of positions.
  std::vector<double> of(std::span<const std::uint32_t> which, std::span<const glm::dvec3> positions, const Cell& cell,
                         HydrationPartner partner, const Job& job) const;

 private:
  struct Molecule {
    std::uint32_t first, last;  ///< of waters_
  };
  double between(std::uint32_t a, std::uint32_t b, double squared) const;

  double constant_;
  std::uint32_t type_count_;
  std::vector<double> charges_, lj_a_, lj_b_;
  std::vector<std::uint32_t> types_;
  std::vector<std::uint32_t> waters_, solute_;  ///< atoms
  std::vector<Molecule> molecules_;
  std::vector<std::int32_t> molecule_of_;  ///< by atom; -1: solute
};

}  // namespace isolume
