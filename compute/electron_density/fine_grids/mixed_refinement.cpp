// Fields of the density alone on fine grids: Hermite's weights, and the
// interpolation on the CPU.
#include "compute/electron_density/fine_grids/mixed_refinement.h"

#include <algorithm>
#include <array>
#include <vector>

#include "compute/electron_density/fine_grids/refinement_driver.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

using namespace mixed;

constexpr double at_edges = 150;  // of the differences of second derivatives

/// A value with its first and second derivative.
struct Jet {
  double value = 1, first = 0, second = 0;
  Jet operator*(const Jet& b) const {
    return {value * b.value, first * b.value + value * b.first,
            second * b.value + 2 * first * b.first + value * b.second};
  }
};

/// Hermite's weights of `count` points from `start` on, of those of the window
/// of taps, at x.
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

double shortest_step(const Grid& grid) {
  double step = units::angstrom_in_bohr * std::abs(grid.step[0][0]);
  for (int axis = 1; axis < 3; ++axis) step = std::min(step, units::angstrom_in_bohr * std::abs(grid.step[axis][axis]));
  return step;
}

/// Hermite's interpolation of the density with its mixed derivatives, as
/// refinement::Filling takes it.
class Hermite {
 public:
  using Tile = MixedTile;

  Hermite(const Weights& weights, const SpinEvaluator& evaluator, const DensityMeasureInfo& measure, double scale,
          const Grid& to, bool field)
      : weights_(weights),
        evaluator_(evaluator),
        measure_(measure),
        scale_(scale),
        sets_(evaluator.closed() ? 1 : 2),
        output_(!field                                    ? MixedOutput::mixed
                : measure.order == DensityOrder::gradient ? MixedOutput::slopes
                                                          : MixedOutput::second),
        within_(tolerances_of(measure.order == DensityOrder::hessian, shortest_step(to))) {}

  void compute(std::span<const glm::dvec3> points, std::span<const std::size_t> places,
               double* const (&sums)[2]) const {
    std::array<MixedDensity, DensityEvaluator::batch> of;
    for (int set = 0; set < sets_; ++set) {
      evaluator_.mixed(static_cast<std::size_t>(set), points, {of.data(), points.size()});
      for (std::size_t n = 0; n < points.size(); ++n) std::ranges::copy(of[n], sums[set] + places[n] * numbers);
    }
  }
  void interpolate(const refinement::Level& from, glm::ivec3 tile, int set, Tile& to) const {
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
        set_cell(weights_, tile[axis], coarse.counts[axis], cell, decay, step, axes[axis]);
    }
    interpolate_mixed_tile(axes, coarse.counts, sums, output_, to);
  }
  void take(const Tile& tile, int n, double* to) const {
    for (int k = 0; k < count_of(output_); ++k) to[field_place(output_, k)] = tile.values[k][n];
  }
  void take_others(const Tile& tile, glm::ivec3 cell, const double* of, double* others) const {
    for (int k = 0; k < count_of(output_); ++k) {
      const int to = field_place(output_, k);
      others[to] = of[to] + tile.fewer[k][cell.z][cell.y][cell.x];
    }
  }
  bool agree(const refinement::PointSums& of, const refinement::PointSums& others) const {
    return values_agree(measure_.measure, output_, of[0], others[0], refinement::most_numbers, sets_, scale_, within_);
  }
  int field_numbers() const { return mixed::field_numbers(output_); }
  void put(const double* of, std::size_t place, double* sums) const {
    std::copy_n(of, numbers, sums + place * numbers);
  }

 private:
  const Weights& weights_;
  const SpinEvaluator& evaluator_;
  const DensityMeasureInfo& measure_;
  double scale_;
  int sets_;
  MixedOutput output_;
  Tolerances within_;
};

}  // namespace

Weights mixed_weights() {
  Weights to{};
  for (int p = 0; p < taps; ++p) {
    double all[3][taps][2];
    set_weights(p, 0, taps, all);
    std::copy_n(&all[2][0][0], taps * 2, &to.point[p][0][0]);
    if (p == taps - 1) break;
    set_weights(p + 0.5, 0, taps, to.middle[p]);
    set_weights(p + 0.5, std::clamp(p - (fewer_taps / 2 - 1), 0, taps - fewer_taps), fewer_taps, to.fewer[p]);
    if (p == taps / 2 - 1) continue;
    // At the edges second derivatives are worst at the points themselves, and
    // by far: so much is the difference raised.
    for (int k = 0; k < taps; ++k) {
      for (int slope = 0; slope < 2; ++slope) {
        const double all_taps = to.middle[p][2][k][slope];
        to.fewer[p][2][k][slope] = all_taps + at_edges * (to.fewer[p][2][k][slope] - all_taps);
      }
    }
  }
  return to;
}

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

std::size_t mixed_refine_on_cpu(const SpinEvaluator& evaluator, const DensityMeasureInfo& measure, const Grid& grid,
                                int levels, double scale, float* values, Job& job) {
  const Weights weights = mixed_weights();
  const auto make = [&](const Grid& to, bool field) { return Hermite(weights, evaluator, measure, scale, to, field); };
  return refinement::fill(evaluator, measure, grid, levels, numbers, make, values, job);
}

}  // namespace isolume
