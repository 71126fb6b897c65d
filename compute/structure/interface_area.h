// The area that two sets of atoms bury against each other.
#pragma once

#include <cstdint>
#include <span>

#include "compute/analysis/sasa.h"
#include "molecule/frame.h"
#include "molecule/topology.h"

namespace isolume {

/// Solvent-accessible areas, angstrom^2.
struct InterfaceArea {
  double first = 0, second = 0, both = 0;  ///< of each set alone, and of both together
  /// The area of the interface: half of what both lose (first + second - both).
  double area() const { return 0.5 * (first + second - both); }
};

/// Of two sets of atoms (one byte per atom; what is in both is of the first) in a frame, with the atoms' radii; all
/// other atoms are as if they were not there. On the CPU. After Lee and Richards 1971 as solvent_accessible_area() does
/// it. Throws Error (usage) where a set is empty.
InterfaceArea interface_area(const Topology& topology, const Frame& frame, std::span<const std::uint8_t> first,
                             std::span<const std::uint8_t> second, const SasaOptions& options, Job& job);

}  // namespace isolume
