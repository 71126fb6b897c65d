// Positions of some atoms of a frame.
#pragma once

#include "molecule/far_positions.h"

namespace isolume {

/// Where atoms are, with all digits that are known.
inline std::vector<glm::dvec3> precise_positions(const Frame& frame, std::span<const std::uint32_t> atoms) {
  std::vector<glm::dvec3> positions;
  positions.reserve(atoms.size());
  for (const std::uint32_t i : atoms) positions.push_back(precise_position(frame, i));
  return positions;
}

}  // namespace isolume
