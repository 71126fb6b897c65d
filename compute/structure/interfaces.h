// Which chains and ligands of a structure touch, and the areas that they bury against each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compute/base/job.h"
#include "molecule/frame.h"
#include "molecule/topology.h"

namespace isolume {

/// A chain's protein or nucleic acid, or one ligand.
struct StructurePart {
  std::string name;                  ///< "Chain A" (its number from 1 where it has no letter); "BEN A:248"
  std::vector<std::uint32_t> atoms;  ///< ascending
};
/// The chains, in their order, and then the ligands; solvent, ions and the rest are in none. The frame is for
/// selections that depend on positions.
std::vector<StructurePart> structure_parts(const Topology& topology, const Frame& frame);

/// Two parts that touch.
struct Interface {
  std::size_t first = 0, second = 0;  ///< their numbers, first < second
  double area = 0;                    ///< InterfaceArea::area(), angstrom^2
};
/// The interfaces of parts in a frame of at least half a square angstrom, the largest first; by interface_area() with
/// its usual probe, on the CPU. Throws Error (cancelled).
std::vector<Interface> interfaces(const Topology& topology, const Frame& frame, std::span<const StructurePart> parts,
                                  Job& job);

}  // namespace isolume
