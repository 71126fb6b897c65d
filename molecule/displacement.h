// Anisotropic displacements, turned.
#pragma once

#include <array>
#include <glm/glm.hpp>

namespace isolume {

/// The displacement of an atom (U11 U22 U33 U12 U13 U23, as in Topology::displacements) of a molecule turned by `turn`.
inline std::array<float, 6> turned_displacement(const std::array<float, 6>& u, const glm::dmat3& turn) {
  const glm::dmat3 m = turn * glm::dmat3(u[0], u[3], u[4], u[3], u[1], u[5], u[4], u[5], u[2]) * glm::transpose(turn);
  const auto at = [&m](int a, int b) { return static_cast<float>(m[a][b]); };
  return {at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(0, 2), at(1, 2)};
}

}  // namespace isolume
