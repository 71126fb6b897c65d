// The dipole moment of point charges.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>

#include "molecule/frame.h"
#include "molecule/topology.h"

namespace isolume {

/// Sum of charge times position of the atoms of `mask` (one byte per atom), from minus to plus, with where it is taken.
struct Dipole {
  glm::dvec3 moment{0};  ///< debye
  glm::dvec3 centre{0};  ///< their centre of mass, angstrom; the moment of what has a net charge is about it
  double charge = 0;     ///< net, e
};

/// Throws Error (usage) where the topology has no charges.
void require_dipole_charges(const Topology& topology);

/// Of the atoms `first` to `first + count` - 1. Throws Error (usage) where the topology has no charges. Atoms without a
/// mass count as 1 Da for the centre. In periodic systems molecules must be whole.
Dipole dipole(const Topology& topology, const Frame& frame, std::span<const std::uint8_t> mask, std::size_t first = 0,
              std::size_t count = SIZE_MAX);

}  // namespace isolume
