// Positions far from the origin.
#include "molecule/far_positions.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace isolume {
namespace {

/// The middle of positions given by their number; `count` of them.
template <class PositionOf>
glm::dvec3 middle(std::size_t count, const PositionOf& position_of) {
  glm::dvec3 lower(std::numeric_limits<double>::infinity()), upper(-std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < count; ++i) {
    const glm::dvec3 p = position_of(i);
    lower = glm::min(lower, p);
    upper = glm::max(upper, p);
  }
  return is_far(lower) || is_far(upper) ? glm::round(0.5 * (lower + upper)) : glm::dvec3(0);
}

}  // namespace

void append_positions(const std::vector<glm::vec3>& more, const std::vector<glm::dvec3>& more_precise,
                      std::vector<glm::vec3>& positions, std::vector<glm::dvec3>& precise) {
  if (!more_precise.empty() && precise.empty()) precise.assign(positions.begin(), positions.end());
  if (!more_precise.empty()) {
    precise.insert(precise.end(), more_precise.begin(), more_precise.end());
  } else if (!precise.empty()) {
    precise.insert(precise.end(), more.begin(), more.end());
  }
  positions.insert(positions.end(), more.begin(), more.end());
}

glm::dvec3 middle_of_far(const Frame& frame, std::span<const std::uint32_t> atoms) {
  if (atoms.empty()) return glm::dvec3(0);
  // Floats have no digits to save unless all atoms are far: the first of them tells.
  if (!has_precise_positions(frame) && !is_far(frame.positions[atoms.front()])) return glm::dvec3(0);
  return middle(atoms.size(), [&](std::size_t i) { return precise_position(frame, atoms[i]); });
}

glm::dvec3 middle_of_far(const Frame& frame) {
  if (frame.positions.empty()) return glm::dvec3(0);
  if (!has_precise_positions(frame) && !is_far(frame.positions.front())) return glm::dvec3(0);
  return middle(frame.positions.size(), [&](std::size_t i) { return precise_position(frame, i); });
}

void move_to_origin(Frame& frame) {
  const glm::dvec3 origin = middle_of_far(frame);
  if (origin == glm::dvec3(0)) return;
  for (std::size_t i = 0; i < frame.positions.size(); ++i) {
    const glm::dvec3 p = precise_position(frame, i) - origin;
    if (has_precise_positions(frame)) frame.precise_positions[i] = p;
    frame.positions[i] = p;
  }
}

std::string coarse_positions_text(const Frame& frame) {
  if (has_precise_positions(frame)) return {};
  float farthest = 0;
  for (const glm::vec3& p : frame.positions)
    farthest = std::max({farthest, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  if (!(static_cast<double>(farthest) > far_from_origin) || !std::isfinite(farthest)) return {};
  const float step = std::nextafter(farthest, std::numeric_limits<float>::infinity()) - farthest;
  char text[200];
  std::snprintf(text, sizeof text,
                "positions up to %.6g angstrom from the origin are read as single-precision numbers, in steps of %.1g "
                "angstrom; the error does not include that",
                static_cast<double>(farthest), static_cast<double>(step));
  return text;
}

}  // namespace isolume
