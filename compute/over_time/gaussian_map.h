// The sum of atoms as Gaussians on a grid.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <numbers>
#include <span>
#include <vector>

#include "compute/over_time/gaussian_bricks.h"
#include "molecule/grid.h"

namespace isolume {

/// The sum of w (2 pi s^2)^(-3/2) exp(-d^2 / (2 s^2)) over atoms, to d of 5.55 s or some points beyond. On the calling
/// thread, whose memory it takes: one at a time.
class GaussianMap {
 public:
  /// The steps of the grid lie along x, y and z.
  explicit GaussianMap(const Grid& grid);

  /// An atom, or a lattice image of one, which may be outside the grid. `per_width`: 1/s, 1/angstrom.
  void add(glm::dvec3 place, double per_width, double weight) {
    BrickAtom& to = work_.placed.emplace_back();
    std::uint32_t cube = 0;
    for (int axis = 2; axis >= 0; --axis) {
      const double at = std::clamp((place[axis] - origin_[axis]) * per_side_[axis], -1e6, 1e6);
      const int brick = static_cast<int>(at + 1e6) - 1000000;  // down, where a conversion cuts
      to.brick[axis] = brick;
      to.within[axis] = static_cast<float>(at - brick);
      cube = cube * static_cast<std::uint32_t>(cubes_[axis]) +
             static_cast<std::uint32_t>(std::clamp((brick >> shift_[axis]) + 1, 0, cubes_[axis] - 1));
    }
    to.per_width = per_width;
    const double height = per_width * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    to.height = static_cast<float>(weight * height * height * height);
    work_.cubes.push_back(cube);
  }

  /// The sum of those that were added, at the points of the grid.
  void fill(std::span<float> values);

 private:
  /// Memory of a thread, which makes frame after frame.
  struct Workspace {
    std::vector<float> sums;
    std::vector<std::uint32_t> cubes, starts;
    std::vector<BrickAtom> placed, sorted;
    GaussianBatch batch;
  };
  static Workspace& workspace();
  void sort();
  void copy_to(std::span<float> values) const;

  Workspace& work_;
  glm::dvec3 origin_, per_side_;
  glm::ivec3 counts_, shift_{0}, cubes_{0};
  BrickGrid layout_;
};

}  // namespace isolume
