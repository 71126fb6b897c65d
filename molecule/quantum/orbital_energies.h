// The orbitals of a spin in order of their energy, and whether they have energies.
#pragma once

#include <cstddef>
#include <vector>

#include "molecule/quantum/orbitals.h"

namespace isolume {

/// The orbitals of a spin, occupied before unoccupied and each by energy: the order in which HOMO and LUMO are
/// neighbours even where an unoccupied orbital is below an occupied one. Natural orbitals, which have no energies, go
/// by occupation. File order decides between equals. Orbitals::role() counts in this order.
struct FrontierOrder {
  std::vector<std::size_t> order;
  std::size_t occupied = 0;  ///< the first so many of `order`
  bool energies = true;      ///< false for natural orbitals: programs write zeros, or the occupations once more

  FrontierOrder(const Orbitals& all, Spin spin);
};

}  // namespace isolume
