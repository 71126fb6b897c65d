// How a grid is filled from coarser ones on the CPU, with either interpolation.
// Only their two sources include this.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "compute/base/parallel_for.h"
#include "compute/base/tiles.h"
#include "compute/electron_density/fine_grids/density_refinement.h"
#include "molecule/base/units.h"

namespace isolume {
namespace refinement {

/// The numbers of both sets on one of the grids.
struct Level {
  Grid grid;
  std::vector<double> sums[2];
};

/// The sums of a point by set, as field_of() takes them.
using PointSums = double[2][most_numbers];

/// One grid that is filled: numbers of a coarser one, or the field.
///
/// `Way` interpolates. It is made for a grid and for sums or the field, and has
///   Tile                                what is interpolated of one set in a tile,
///   compute(points, places, sums)       the numbers of at most DensityEvaluator::batch points,
///   interpolate(from, tile, set, to)    a tile,
///   take(tile, n, to), take_others(...) the numbers of its point n, and those from fewer points,
///   agree(of, others)                   whether these are close enough,
///   field_numbers()                     how many numbers a field's sums have,
///   put(of, to)                         the numbers of a point where a coarser grid has them.
template <class Way>
class Filling {
 public:
  Filling(const Way& way, const SpinEvaluator& evaluator, const DensityMeasureInfo& measure, Level& to, float* values)
      : way_(way),
        evaluator_(evaluator),
        measure_(measure),
        grid_(to.grid),
        sets_(evaluator.closed() ? 1 : 2),
        sums_{to.sums[0].data(), to.sums[1].data()},
        values_(values) {}

  /// Points that were computed.
  std::size_t computed() const { return computed_; }

  /// Computes at most 4 x 4 x 4 points from `begin` on.
  void compute(glm::ivec3 begin) const {
    const glm::ivec3 end = glm::min(begin + part, grid_.counts);
    std::array<glm::dvec3, DensityEvaluator::batch> points;
    std::array<std::size_t, DensityEvaluator::batch> places;
    std::size_t count = 0;
    for (int k = begin.z; k < end.z; ++k) {
      for (int j = begin.y; j < end.y; ++j) {
        for (int i = begin.x; i < end.x; ++i, ++count) {
          points[count] = units::angstrom_in_bohr * grid_.point(i, j, k);
          places[count] = grid_.index(i, j, k);
        }
      }
    }
    computed_ += count;
    if (!values_) return way_.compute({points.data(), count}, {places.data(), count}, sums_);
    std::array<DensityDerivatives, DensityEvaluator::batch> alpha, beta;
    evaluator_.evaluate({points.data(), count}, measure_.order, {alpha.data(), count}, {beta.data(), count});
    for (std::size_t n = 0; n < count; ++n)
      values_[places[n]] = static_cast<float>(std::min(measure_value(measure_.measure, alpha[n], beta[n]), 1e30));
  }

  /// Interpolates a tile, and computes what of it does not agree.
  void refine(const Level& from, glm::ivec3 tile) const {
    thread_local std::unique_ptr<typename Way::Tile[]> both;
    if (!both) both = std::make_unique<typename Way::Tile[]>(2);
    for (int set = 0; set < sets_; ++set) way_.interpolate(from, tile, set, both[static_cast<std::size_t>(set)]);
    const glm::ivec3 begin = tile * side, end = glm::min(begin + side, grid_.counts);
    bool exact[2][2][2] = {};
    PointSums of = {}, others = {};
    for (int n = 0; n < side * side * side; ++n) {
      const glm::ivec3 at(n % side, n / side % side, n / (side * side));
      bool& of_part = exact[at.z / part][at.y / part][at.x / part];
      if (of_part || glm::any(glm::greaterThanEqual(begin + at, end))) continue;
      for (int set = 0; set < sets_; ++set) {
        way_.take(both[static_cast<std::size_t>(set)], n, of[set]);
        way_.take_others(both[static_cast<std::size_t>(set)], at / 2, of[set], others[set]);
      }
      of_part = !way_.agree(of, others);
    }
    for (int k = begin.z; k < end.z; k += part) {
      for (int j = begin.y; j < end.y; j += part) {
        for (int i = begin.x; i < end.x; i += part) {
          const glm::ivec3 first(i, j, k), at = first - begin;
          if (exact[at.z / part][at.y / part][at.x / part]) {
            compute(first);
          } else {
            store(both.get(), begin, first, glm::min(first + part, end));
          }
        }
      }
    }
  }

 private:
  void store(const typename Way::Tile* tiles, glm::ivec3 begin, glm::ivec3 first, glm::ivec3 last) const {
    PointSums of = {};
    for (int z = first.z; z < last.z; ++z) {
      for (int y = first.y; y < last.y; ++y) {
        for (int x = first.x; x < last.x; ++x) {
          const int n = ((z - begin.z) * side + y - begin.y) * side + x - begin.x;
          const std::size_t place = grid_.index(x, y, z);
          for (int set = 0; set < sets_; ++set) {
            way_.take(tiles[set], n, of[set]);
            if (!values_) way_.put(of[set], place, sums_[set]);
          }
          if (values_) {
            values_[place] =
                static_cast<float>(field_of(measure_.measure, of[0], most_numbers, sets_, way_.field_numbers()));
          }
        }
      }
    }
  }

  const Way& way_;
  const SpinEvaluator& evaluator_;
  const DensityMeasureInfo& measure_;
  const Grid& grid_;
  int sets_;
  double* sums_[2];
  float* values_;
  mutable std::atomic<std::size_t> computed_ = 0;
};

/// Fills a slab, from its coarsest grid on; make_way(grid, field) makes the Way of a grid, which has `room` numbers of
/// each set at a point. Returns how many points were computed.
template <class MakeWay>
std::size_t fill(const SpinEvaluator& evaluator, const DensityMeasureInfo& measure, const Grid& grid, int levels,
                 std::size_t room, const MakeWay& make_way, float* values, Job& job) {
  std::vector<Grid> grids{grid};
  for (int level = 0; level < levels; ++level) grids.push_back(coarser(grids.back()));
  Level from;
  std::size_t computed = 0;
  for (int level = levels; level >= 0; --level) {
    Level to;
    to.grid = grids[static_cast<std::size_t>(level)];
    if (level > 0) {
      to.sums[0].resize(to.grid.size() * room);
      if (!evaluator.closed()) to.sums[1].resize(to.grid.size() * room);
    }
    const auto way = make_way(to.grid, level == 0);
    const Filling filling(way, evaluator, measure, to, level > 0 ? nullptr : values);
    const Tiling tiles{to.grid.counts, glm::ivec3(level == levels ? part : side)};
    parallel_for(tiles.size(), job, measure.title, [&](std::size_t t) {
      if (level == levels) return filling.compute(tiles.tile(t) * part);
      filling.refine(from, tiles.tile(t));
    });
    computed += filling.computed();
    from = std::move(to);
  }
  return computed;
}

}  // namespace refinement
}  // namespace isolume
