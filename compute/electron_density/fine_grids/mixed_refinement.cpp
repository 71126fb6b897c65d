// Fields of the density alone on fine grids: the coarser grids' numbers, their weights, and the steps on the CPU.
#include "compute/electron_density/fine_grids/mixed_refinement.h"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "compute/base/parallel_for.h"
#include "compute/base/tiles.h"
#include "compute/electron_density/fine_grids/density_refinement.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

using namespace mixed;
using refinement::most_numbers;
using refinement::part;

constexpr double at_edges = 150;  // of the differences of second derivatives

/// A value with its first and second derivative.
struct Jet {
  double value = 1, first = 0, second = 0;
  Jet operator*(const Jet& b) const {
    return {value * b.value, first * b.value + value * b.first,
            second * b.value + 2 * first * b.first + value * b.second};
  }
};

/// Hermite's weights of `count` points from `start` on, of those of the window of taps, at x.
void set_weights(double x, int start, int count, double (&to)[3][taps][2]) {
  for (auto& order : to) std::fill_n(&order[0][0], taps * 2, 0.0);
  for (int k = start; k < start + count; ++k) {
    Jet lagrange;
    double slope = 0;  // of Lagrange's polynomial at its point
    for (int j = start; j < start + count; ++j) {
      if (j == k) continue;
      lagrange = lagrange * Jet{(x - j) / (k - j), 1.0 / (k - j), 0};
      slope += 1.0 / (k - j);
    }
    const Jet square = lagrange * lagrange;
    const Jet of_value = Jet{1 - 2 * (x - k) * slope, -2 * slope, 0} * square, of_slope = Jet{x - k, 1, 0} * square;
    const double values[3] = {of_value.value, of_value.first, of_value.second};
    const double slopes[3] = {of_slope.value, of_slope.first, of_slope.second};
    for (int d = 0; d < 3; ++d) {
      to[d][k][0] = values[d];
      to[d][k][1] = slopes[d];
    }
  }
}

Weights make_weights() {
  Weights to{};
  for (int p = 0; p < taps; ++p) {
    double all[3][taps][2];
    set_weights(p, 0, taps, all);
    std::copy_n(&all[2][0][0], taps * 2, &to.point[p][0][0]);
    if (p == taps - 1) break;
    set_weights(p + 0.5, 0, taps, to.middle[p]);
    set_weights(p + 0.5, std::clamp(p - (fewer_taps / 2 - 1), 0, taps - fewer_taps), fewer_taps, to.fewer[p]);
    if (p == taps / 2 - 1) continue;
    // At the edges second derivatives are worst at the points themselves, and by far: so much is the difference raised.
    for (int k = 0; k < taps; ++k) {
      for (int slope = 0; slope < 2; ++slope) {
        const double all_taps = to.middle[p][2][k][slope];
        to.fewer[p][2][k][slope] = all_taps + at_edges * (to.fewer[p][2][k][slope] - all_taps);
      }
    }
  }
  return to;
}

/// The numbers of both sets on one of the grids.
struct Level {
  Grid grid;
  std::vector<double> sums[2];
};

double shortest_step(const Grid& grid) {
  double step = units::angstrom_in_bohr * std::abs(grid.step[0][0]);
  for (int axis = 1; axis < 3; ++axis) step = std::min(step, units::angstrom_in_bohr * std::abs(grid.step[axis][axis]));
  return step;
}

/// One grid that is filled: numbers of a coarser one, or the field.
class Filling {
 public:
  Filling(const SpinEvaluator& evaluator, const DensityMeasureInfo& measure, double scale, Level& to, float* values)
      : evaluator_(evaluator),
        measure_(measure),
        grid_(to.grid),
        scale_(scale),
        sets_(evaluator.closed() ? 1 : 2),
        output_(!values                                   ? MixedOutput::mixed
                : measure.order == DensityOrder::gradient ? MixedOutput::slopes
                                                          : MixedOutput::second),
        within_(tolerances_of(measure.order == DensityOrder::hessian, shortest_step(to.grid))),
        sums_{to.sums[0].data(), to.sums[1].data()},
        values_(values) {}

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
    if (!values_) {
      std::array<MixedDensity, DensityEvaluator::batch> of;
      for (int set = 0; set < sets_; ++set) {
        evaluator_.mixed(static_cast<std::size_t>(set), {points.data(), count}, {of.data(), count});
        for (std::size_t n = 0; n < count; ++n) std::ranges::copy(of[n], sums_[set] + places[n] * numbers);
      }
      return;
    }
    std::array<DensityDerivatives, DensityEvaluator::batch> alpha, beta;
    evaluator_.evaluate({points.data(), count}, measure_.order, {alpha.data(), count}, {beta.data(), count});
    for (std::size_t n = 0; n < count; ++n)
      values_[places[n]] = static_cast<float>(std::min(measure_value(measure_.measure, alpha[n], beta[n]), 1e30));
  }

  /// Interpolates a tile, and computes what of it does not agree.
  void refine(const Weights& weights, const Level& from, glm::ivec3 tile) const {
    thread_local std::unique_ptr<MixedTile[]> both;
    if (!both) both = std::make_unique<MixedTile[]>(2);
    for (int set = 0; set < sets_; ++set) interpolate(weights, from, tile, set, both[static_cast<std::size_t>(set)]);
    const glm::ivec3 begin = tile * side, end = glm::min(begin + side, grid_.counts);
    bool exact[2][2][2] = {};
    double of[2][most_numbers] = {}, others[2][most_numbers] = {};
    for (int n = 0; n < MixedTile::points; ++n) {
      const glm::ivec3 at(n % side, n / side % side, n / (side * side));
      bool& of_part = exact[at.z / part][at.y / part][at.x / part];
      if (of_part || glm::any(glm::greaterThanEqual(begin + at, end))) continue;
      take(both.get(), n, of);
      take_others(both.get(), at / 2, of, others);
      of_part = !agree(of, others);
    }
    for (int k = begin.z; k < end.z; k += part) {
      for (int j = begin.y; j < end.y; j += part) {
        for (int i = begin.x; i < end.x; i += part) {
          const glm::ivec3 first(i, j, k), at = first - begin;
          if (exact[at.z / part][at.y / part][at.x / part]) {
            compute(first);
            continue;
          }
          const glm::ivec3 last = glm::min(first + part, end);
          for (int z = k; z < last.z; ++z) {
            for (int y = j; y < last.y; ++y) {
              for (int x = i; x < last.x; ++x) {
                take(both.get(), ((z - begin.z) * side + y - begin.y) * side + x - begin.x, of);
                store(grid_.index(x, y, z), of);
              }
            }
          }
        }
      }
    }
  }

 private:
  void interpolate(const Weights& weights, const Level& from, glm::ivec3 tile, int set, MixedTile& to) const {
    const Grid& coarse = from.grid;
    const double* sums = from.sums[set].data();
    const auto density = [&](glm::ivec3 at) { return sums[coarse.index(at.x, at.y, at.z) * numbers]; };
    const glm::ivec3 middle = glm::min(tile * cells + cells / 2, coarse.counts - 2);
    Axis axes[3];
    for (int axis = 0; axis < 3; ++axis) {
      glm::ivec3 next(0);
      next[axis] = 1;
      axes[axis].first = first_of(tile[axis], coarse.counts[axis]);
      const double decay = refinement::decay(density(middle - next), density(middle + next));
      const double step = units::angstrom_in_bohr * coarse.step[axis][axis];
      for (int cell = 0; cell < cells; ++cell)
        set_cell(weights, tile[axis], coarse.counts[axis], cell, decay, step, axes[axis]);
    }
    interpolate_mixed_tile(axes, coarse.counts, sums, output_, to);
  }

  /// Where a number goes: to its own place, or behind tau in the sums of a field.
  int place_of(int number) const { return output_ == MixedOutput::mixed || number < 4 ? number : number + 1; }

  void take(const MixedTile* tiles, int n, double (&of)[2][most_numbers]) const {
    for (int set = 0; set < sets_; ++set) {
      for (int k = 0; k < count_of(output_); ++k) of[set][place_of(k)] = tiles[set].values[k][n];
    }
  }
  void take_others(const MixedTile* tiles, glm::ivec3 cell, const double (&of)[2][most_numbers],
                   double (&others)[2][most_numbers]) const {
    for (int set = 0; set < sets_; ++set) {
      for (int k = 0; k < count_of(output_); ++k)
        others[set][place_of(k)] = of[set][place_of(k)] + tiles[set].fewer[k][cell.z][cell.y][cell.x];
    }
  }

  int field_numbers() const { return output_ == MixedOutput::second ? most_numbers : 5; }

  bool agree(const double (&of)[2][most_numbers], const double (&others)[2][most_numbers]) const {
    const bool quotient = measure_.measure == DensityMeasure::rdg;
    if (output_ != MixedOutput::mixed)
      return refinement::agree(measure_.measure, of[0], others[0], most_numbers, sets_, field_numbers(), scale_,
                               tolerance);
    if (!quotient) return numbers_agree(of[0], others[0], most_numbers, sets_, scale_, within_);
    // A quotient: by its value.
    double fields[2][2][5] = {};
    for (int set = 0; set < sets_; ++set) {
      int to = 0;
      for (const int number : {0, 4, 1, 2}) {
        fields[0][set][to] = of[set][number];
        fields[1][set][to++] = others[set][number];
      }
    }
    return refinement::agree(measure_.measure, fields[0][0], fields[1][0], 5, sets_, 5, scale_, within_.value);
  }

  void store(std::size_t place, const double (&of)[2][most_numbers]) const {
    if (values_) {
      values_[place] =
          static_cast<float>(refinement::field_of(measure_.measure, of[0], most_numbers, sets_, field_numbers()));
      return;
    }
    for (int set = 0; set < sets_; ++set) std::copy_n(of[set], numbers, sums_[set] + place * numbers);
  }

  const SpinEvaluator& evaluator_;
  const DensityMeasureInfo& measure_;
  const Grid& grid_;
  double scale_;
  int sets_;
  MixedOutput output_;
  Tolerances within_;
  double* sums_[2];
  float* values_;
};

void refine_slab(const SpinEvaluator& evaluator, const DensityMeasureInfo& measure, const Grid& grid, int levels,
                 double scale, const Weights& weights, float* values, Job& job) {
  std::vector<Grid> grids{grid};
  for (int level = 0; level < levels; ++level) grids.push_back(coarser(grids.back()));
  Level from;
  for (int level = levels; level >= 0; --level) {
    Level to;
    to.grid = grids[static_cast<std::size_t>(level)];
    if (level > 0) {
      to.sums[0].resize(to.grid.size() * numbers);
      if (!evaluator.closed()) to.sums[1].resize(to.grid.size() * numbers);
    }
    const Filling filling(evaluator, measure, scale, to, level > 0 ? nullptr : values);
    const Tiling tiles{to.grid.counts, glm::ivec3(level == levels ? part : side)};
    parallel_for(tiles.size(), job, measure.title, [&](std::size_t t) {
      if (level == levels) return filling.compute(tiles.tile(t) * part);
      filling.refine(weights, from, tiles.tile(t));
    });
    from = std::move(to);
  }
}

}  // namespace

bool has_mixed_refinement(const DensityMeasureInfo& measure, const Grid& grid) {
  using M = DensityMeasure;
  for (int axis = 0; axis < 3; ++axis) {
    for (int c = 0; c < 3; ++c) {
      if (c != axis && grid.step[axis][c] != 0) return false;
    }
  }
  switch (measure.measure) {
    case M::gradient:
    case M::hessian:
    case M::laplacian:
    case M::lambda2:
    case M::rdg:
    case M::sign_lambda2:
      return true;
    default:
      return false;
  }
}

std::size_t mixed_refinement_memory(const Grid& grid, std::size_t sets) {
  int first = 0;
  Grid next = slab_of(grid, 0, refinement_slabs(grid), first);
  std::size_t points = 0;
  for (int level = 0; level < refinement_levels(grid); ++level) {
    next = coarser(next);
    points += next.size();
  }
  return points * sets * numbers * sizeof(double);
}

void mixed_refine_on_cpu(const SpinEvaluator& evaluator, const DensityMeasureInfo& measure, const Grid& grid,
                         int levels, double scale, float* values, Job& job) {
  const Weights weights = make_weights();
  const int slabs = refinement_slabs(grid);
  for (int index = 0; index < slabs; ++index) {
    int first = 0;
    const Grid slab = slab_of(grid, index, slabs, first);
    refine_slab(evaluator, measure, slab, levels, scale, weights, values + grid.index(0, 0, first), job);
  }
}

}  // namespace isolume
