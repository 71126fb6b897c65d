// Localised molecular orbitals, by the criteria of Pipek and Mezey or of Boys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "compute/base/job.h"
#include "molecule/quantum/orbitals.h"

namespace isolume {

enum class Localisation : std::uint8_t {
  pipek_mezey,  ///< largest sum of squared Mulliken populations; J. Chem. Phys. 90 (1989) 4916
  boys          ///< least spread of position; Foster and Boys, Rev. Mod. Phys. 32 (1960) 300
};

struct LocalisationOptions {
  Localisation method = Localisation::pipek_mezey;
  bool virtuals = false;  ///< the virtual orbitals too, among themselves; else they stay canonical
};

/// What an atom has of an orbital.
struct AtomShare {
  std::size_t atom = 0;
  double population = 0;  ///< Mulliken; those of all atoms add up to 1
};

struct LocalisedOrbitals {
  Orbitals orbitals;
  std::vector<std::vector<AtomShare>>
      shares;  ///< by orbital, of 0.1 and more, largest first; empty where it is canonical
  double functional =
      0;  ///< sum of squared populations, or of squared distances of the centres from the mean nucleus, bohr^2
  double gradient = 0;  ///< largest derivative of the functional by the angle between two orbitals
  std::size_t sweeps = 0;
  bool converged = false;  ///< the gradient is below 1e-8, at a maximum for every pair
};

/// Orbitals of equal spin and occupation (2, 1 or 0) are mixed among themselves, so that the density stays what it is,
/// by Jacobi sweeps over pairs (Edmiston and Ruedenberg, Rev. Mod. Phys. 35 (1963) 457) in an order that depends on
/// their number alone. They begin with the canonical orbitals and with Cholesky orbitals (Aquilante et al., J. Chem.
/// Phys. 125 (2006) 174101); the larger functional is kept. Energies become expectation values, orbitals are sorted by
/// them, and the largest coefficient of each is positive. With `former`, what this made of the frame before, they begin
/// with the combinations that are most like those, and keep their numbers and phases. Throws Error (input) for orbitals
/// that are partly occupied, and where there are none.
LocalisedOrbitals localised_orbitals(const Orbitals& canonical, const LocalisationOptions& options, Job& job,
                                     const Orbitals* former = nullptr);

}  // namespace isolume
