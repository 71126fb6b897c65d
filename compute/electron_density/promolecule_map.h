// What the promolecule and the gradient model by Hirshfeld atoms share: the points of a tile, and maps of their fields.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "compute/base/span.h"
#include "compute/base/tiles.h"
#include "compute/electron_density/promolecule.h"
#include "molecule/base/units.h"

namespace isolume {

/// Points of a tile along x, y and z.
inline constexpr int promolecule_tile = 4;

/// The points of a tile of a grid, in bohr, and their places among the grid's values.
struct PromoleculeTilePoints {
  static constexpr std::size_t most = promolecule_tile * promolecule_tile * promolecule_tile;
  std::array<glm::dvec3, most> points;
  std::array<std::size_t, most> places;
  std::size_t count = 0;

  /// From `begin` up to `end`, which is not included.
  PromoleculeTilePoints(const Grid& grid, glm::ivec3 begin, glm::ivec3 end) {
    for (int k = begin.z; k < end.z; ++k) {
      for (int j = begin.y; j < end.y; ++j) {
        for (int i = begin.x; i < end.x; ++i, ++count) {
          points[count] = units::angstrom_in_bohr * grid.point(i, j, k);
          places[count] = grid.index(i, j, k);
        }
      }
    }
  }
};

/// One field on a grid, or two.
struct PromoleculeMaps {
  PromoleculeField first;
  Span<float> first_values;
  PromoleculeField second = PromoleculeField::electron;
  Span<float> second_values;  ///< empty where there is no second

  /// Whether one of them is the field.
  bool has(PromoleculeField field) const { return first == field || (second_values.data && second == field); }
  bool wants_hessian() const {
    return has(PromoleculeField::laplacian) || has(PromoleculeField::lambda2) || has(PromoleculeField::sign_lambda2);
  }
  bool wants_lengths() const { return has(PromoleculeField::delta_g) || has(PromoleculeField::delta_g_inter); }
  /// Throws Error (usage) where values and grid do not fit together.
  void check(const Grid& grid, const char* what) const;
  /// Of host memory.
  void store(std::size_t to, const PromoleculePoint& point) const {
    first_values.data[to] = static_cast<float>(map_value(first, point));
    if (second_values.data) second_values.data[to] = static_cast<float>(map_value(second, point));
  }
};

/// Which tiles of a grid (angstrom) a sphere reaches; of a flat grid all.
class TileReach {
 public:
  TileReach(const Grid& grid, const Tiling& tiling) : grid_(grid), tiling_(tiling) {
    flat_ = !(std::abs(glm::determinant(grid.step)) > 0);
    if (flat_) return;
    inverse_ = glm::inverse(grid.step);
    for (int axis = 0; axis < 3; ++axis) {
      wide_[axis] =
          units::bohr_in_angstrom * glm::length(glm::dvec3(inverse_[0][axis], inverse_[1][axis], inverse_[2][axis]));
    }
    for (int corner = 0; corner < 8; ++corner) {
      const glm::dvec3 at =
          units::angstrom_in_bohr * grid.point(corner & 1 ? grid.counts.x - 1 : 0, corner & 2 ? grid.counts.y - 1 : 0,
                                               corner & 4 ? grid.counts.z - 1 : 0);
      lower_ = glm::min(lower_, at);
      upper_ = glm::max(upper_, at);
    }
  }

  /// False where it reaches no point of the grid's box: most atoms of a large structure are told so at once.
  bool may_reach(glm::dvec3 centre, double reach) const {
    return flat_ || (glm::all(glm::greaterThanEqual(centre, lower_ - reach)) &&
                     glm::all(glm::lessThanEqual(centre, upper_ + reach)));
  }

  /// In bohr.
  TileRange tiles(glm::dvec3 centre, double reach) const {
    const glm::ivec3 last = tiling_.counts() - 1;
    if (flat_) return {glm::ivec3(0), last};
    const glm::dvec3 at = inverse_ * (units::bohr_in_angstrom * centre - grid_.origin);
    TileRange range;
    for (int axis = 0; axis < 3; ++axis) {
      const double wide = wide_[axis] * reach;  // how far a sphere goes in this coordinate
      const double from = std::floor((at[axis] - wide) / tiling_.side[axis]),
                   to = std::floor((at[axis] + wide) / tiling_.side[axis]);
      if (to < 0 || from > last[axis]) return {};
      range.lower[axis] = static_cast<int>(std::max(from, 0.0));
      range.upper[axis] = static_cast<int>(std::min(to, static_cast<double>(last[axis])));
    }
    return range;
  }

 private:
  const Grid& grid_;
  const Tiling& tiling_;
  bool flat_ = false;
  glm::dmat3 inverse_{1.0};
  glm::dvec3 wide_{0};                       ///< of a sphere of 1 bohr
  glm::dvec3 lower_{1e300}, upper_{-1e300};  ///< of the grid's points, bohr
};

}  // namespace isolume
