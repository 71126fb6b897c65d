// The sum of atoms as Gaussians on a grid.
#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "molecule/grid.h"

namespace isolume {

/// An atom, or a lattice image of one.
struct GaussianAtom {
  glm::dvec3 place{0.0};  ///< angstrom
  double width = 0;       ///< angstrom
  double weight = 0;
};

/// values = sum of w (2 pi s^2)^(-3/2) exp(-d^2 / (2 s^2)), to d of 5.55 s or some points beyond. `atoms` may lie
/// outside, and come back in another order. The steps of the grid lie along x, y and z. On the calling thread.
void gaussian_map(std::vector<GaussianAtom>& atoms, const Grid& grid, std::span<float> values);

}  // namespace isolume
