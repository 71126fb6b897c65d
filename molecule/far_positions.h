// Positions as a file is read: floats, and doubles too where floats would lose digits that the file has.
#pragma once

#include <glm/glm.hpp>
#include <vector>

namespace isolume {

/// Farther than this (angstrom) from the origin along an axis floats are coarser than 6e-5 angstrom.
inline constexpr double far_from_origin = 1000;

inline bool is_far(glm::dvec3 p) {
  return glm::any(glm::greaterThan(glm::abs(p), glm::dvec3(far_from_origin)));
}

/// Adds a position; `precise` has all of them from the first one on that is far, else none.
inline void add_position(glm::dvec3 p, std::vector<glm::vec3>& positions, std::vector<glm::dvec3>& precise) {
  if (is_far(p) && precise.empty()) precise.assign(positions.begin(), positions.end());
  if (is_far(p) || !precise.empty()) precise.push_back(p);
  positions.emplace_back(p);
}

/// Adds the positions of another part of the file.
inline void append_positions(const std::vector<glm::vec3>& more, const std::vector<glm::dvec3>& more_precise,
                             std::vector<glm::vec3>& positions, std::vector<glm::dvec3>& precise) {
  if (!more_precise.empty() && precise.empty()) precise.assign(positions.begin(), positions.end());
  if (!more_precise.empty()) {
    precise.insert(precise.end(), more_precise.begin(), more_precise.end());
  } else if (!precise.empty()) {
    precise.insert(precise.end(), more.begin(), more.end());
  }
  positions.insert(positions.end(), more.begin(), more.end());
}

}  // namespace isolume
