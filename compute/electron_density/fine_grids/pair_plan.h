// Which Gaussians of pairs a field on a fine grid is summed of, and each on which grid: that of the field, or every
// second, fourth, eighth or sixteenth point of it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/electron_density/density_measures.h"
#include "compute/electron_density/fine_grids/pair_gaussians.h"
#include "compute/electron_density/fine_grids/pair_tiles.h"
#include "molecule/grid.h"

namespace isolume::pairs {

inline constexpr int most_levels = 5;

/// What a field is made of.
struct Needs {
  bool density = true, tau = false;
  PairOutput output = PairOutput::value;  // of the density
  bool quotient = false;
};
Needs needs_of(DensityMeasure measure);

/// How exact sums are (atomic units).
struct Limits {
  double left_out;       ///< of a Gaussian, in the density, tau and derivatives
  double within;         ///< of the interpolation of all Gaussians
  double error_of_sums;  ///< what quotients' errors are reckoned from
};

/// One of the grids; lengths in bohr.
struct Level {
  glm::dvec3 origin{0}, step{0};
  glm::ivec3 counts{0};  // with room for whole tiles of the finer grid
  glm::ivec3 used{0};    // of these, the ones that have their numbers

  std::size_t size() const {
    return static_cast<std::size_t>(counts.x) * static_cast<std::size_t>(counts.y) * static_cast<std::size_t>(counts.z);
  }
  std::size_t row() const { return static_cast<std::size_t>(counts.x); }
  std::size_t plane() const { return row() * static_cast<std::size_t>(counts.y); }
  std::size_t index(glm::ivec3 at) const {
    return static_cast<std::size_t>(at.z) * plane() + static_cast<std::size_t>(at.y) * row() +
           static_cast<std::size_t>(at.x);
  }
  double widest() const { return std::max({std::abs(step.x), std::abs(step.y), std::abs(step.z)}); }
};
Level finest(const Grid& grid);
/// Every second point, with those around that all tiles need: point n of the finer one is at before + n / 2.
Level coarser(const Level& fine);
std::vector<Level> levels_of(const Grid& grid);

/// Gaussians of one quantity of one set of orbitals, by the grid on which they are summed.
class Sum {
 public:
  Sum(const DensityFunctions& functions, PairQuantity quantity, PairOutput output, bool quotient, const Limits& limits,
      double step, Job& job);

  PairOutput output() const { return output_; }
  const PairGaussians& all() const { return all_; }
  const std::vector<std::uint32_t>& of_level(std::size_t level) const { return by_level_[level]; }

 private:
  PairOutput output_;
  PairGaussians all_;
  std::array<std::vector<std::uint32_t>, most_levels> by_level_;
};

/// All sums of a field, of each set the density and tau, where they are needed.
std::vector<Sum> sums_of(std::span<const DensityFunctions* const> sets, const Needs& needs, const Limits& limits,
                         double step, Job& job);

}  // namespace isolume::pairs
