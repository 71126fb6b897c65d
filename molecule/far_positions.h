// Positions far from the origin: doubles where floats would lose digits that the file has, and floats near their
// middle.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <string>
#include <vector>

#include "molecule/frame.h"

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
inline void add_position(glm::dvec3 p, Frame& frame) {
  add_position(p, frame.positions, frame.precise_positions);
}

/// Adds the positions of another part of the file.
void append_positions(const std::vector<glm::vec3>& more, const std::vector<glm::dvec3>& more_precise,
                      std::vector<glm::vec3>& positions, std::vector<glm::dvec3>& precise);

/// Positions of a file, as floats and, where one is far, as doubles.
struct FilePositions {
  std::vector<glm::vec3> positions;
  std::vector<glm::dvec3> precise;
};

inline bool has_precise_positions(const Frame& frame) {
  return !frame.positions.empty() && frame.precise_positions.size() == frame.positions.size();
}

/// Where an atom is, with all digits that are known.
inline glm::dvec3 precise_position(const Frame& frame, std::size_t atom) {
  return has_precise_positions(frame) ? frame.precise_positions[atom] : glm::dvec3(frame.positions[atom]);
}

/// The middle of the atoms, in whole angstrom; 0 where they are not far from the origin. Differences from it are exact
/// in double precision.
glm::dvec3 middle_of_far(const Frame& frame, std::span<const std::uint32_t> atoms);
glm::dvec3 middle_of_far(const Frame& frame);

/// Moves all positions of a frame that is far from the origin to it. What depends on differences alone stays the same.
void move_to_origin(Frame& frame);

/// What to say of positions that are far from the origin and known as floats alone: how coarse they are. Else empty.
std::string coarse_positions_text(const Frame& frame);

}  // namespace isolume
