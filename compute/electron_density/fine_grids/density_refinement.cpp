// Fields of the density on fine grids: the coarser grids, and Lagrange's
// interpolation on the CPU.
#include "compute/electron_density/fine_grids/density_refinement.h"

#include <algorithm>
#include <array>
#include <vector>

#include "compute/electron_density/fine_grids/refinement_driver.h"
#include "compute/orbitals/density_functions.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

using namespace refinement;

constexpr double widest = 0.45;            // bohr, of the coarsest grid's points
constexpr int fewest = 24;                 // of its points along an axis
constexpr int fewest_planes = 4 * fewest;  // of a slab

int numbers_of(DensityOrder order) {
  return order == DensityOrder::value ? 1 : order == DensityOrder::gradient ? 5 : most_numbers;
}

/// Sets the weights of the middle between points p and p + 1 from `count`
/// points, from `start` on.
void set_weights(int p, int start, int count, double* to) {
  std::fill_n(to, taps, 0.0);
  for (int i = start; i < start + count; ++i) {
    double weight = 1;
    for (int j = start; j < start + count; ++j) {
      if (j != i) weight *= (p + 0.5 - j) / (i - j);
    }
    to[i] = weight;
  }
}

void put_derivatives(const DensityDerivatives& of, double factor, int numbers, double* to) {
  to[0] = factor * of.density;
  if (numbers == 1) return;
  for (int axis = 0; axis < 3; ++axis) to[1 + axis] = factor * of.gradient[axis];
  to[4] = factor * of.tau;
  if (numbers == 5) return;
  for (std::size_t k = 0; k < 6; ++k) to[5 + k] = factor * of.hessian[k];
}

/// Lagrange's interpolation of sums, as Filling takes it.
class Lagrange {
 public:
  using Tile = RefinedTile;

  Lagrange(const Weights& weights, const SpinEvaluator& evaluator, const DensityMeasureInfo& measure, double scale)
      : weights_(weights),
        evaluator_(evaluator),
        measure_(measure),
        scale_(scale),
        sets_(evaluator.closed() ? 1 : 2),
        numbers_(numbers_of(measure.order)),
        room_(refinement_room(numbers_)) {}

  void compute(std::span<const glm::dvec3> points, std::span<const std::size_t> places,
               double* const (&sums)[2]) const {
    std::array<DensityDerivatives, DensityEvaluator::batch> alpha, beta;
    evaluator_.evaluate(points, measure_.order, {alpha.data(), points.size()}, {beta.data(), points.size()});
    for (std::size_t n = 0; n < points.size(); ++n) {
      const std::size_t to = places[n] * static_cast<std::size_t>(room_);
      put_derivatives(alpha[n], sets_ == 1 ? 2 : 1, numbers_, sums[0] + to);
      if (sets_ == 2) put_derivatives(beta[n], 1, numbers_, sums[1] + to);
    }
  }
  void interpolate(const Level& from, glm::ivec3 tile, int set, Tile& to) const {
    interpolate_tile(weights_, from.grid.counts, from.sums[set].data(), room_, tile, to);
  }
  void take(const Tile& tile, int n, double* to) const { std::copy_n(tile.values + n * room_, numbers_, to); }
  void take_others(const Tile& tile, glm::ivec3 cell, const double* of, double* others) const {
    const glm::ivec3 middle = 2 * cell + 1;
    const double* const all = tile.values + ((middle.z * side + middle.y) * side + middle.x) * room_;
    const double* const fewer = tile.fewer + ((cell.z * cells + cell.y) * cells + cell.x) * room_;
    for (int k = 0; k < numbers_; ++k) others[k] = of[k] + (fewer[k] - all[k]);
  }
  bool agree(const PointSums& of, const PointSums& others) const {
    return refinement::agree(measure_.measure, of[0], others[0], most_numbers, sets_, numbers_, scale_);
  }
  int field_numbers() const { return numbers_; }
  void put(const double* of, std::size_t place, double* sums) const {
    std::copy_n(of, numbers_, sums + place * static_cast<std::size_t>(room_));
  }

 private:
  const Weights& weights_;
  const SpinEvaluator& evaluator_;
  const DensityMeasureInfo& measure_;
  double scale_;
  int sets_, numbers_, room_;
};

}  // namespace

int refinement_levels(const Grid& grid) {
  double step = 0;
  for (int axis = 0; axis < 3; ++axis) step = std::max(step, units::angstrom_in_bohr * glm::length(grid.step[axis]));
  int levels = 0;
  for (Grid next = coarser(grid); levels < 3; ++levels, next = coarser(next)) {
    step *= 2;
    if (!(step <= widest) || std::min({next.counts.x, next.counts.y, next.counts.z}) < fewest) break;
  }
  return levels;
}

Grid coarser(const Grid& grid) {
  Grid to;
  to.origin = grid.origin;
  to.step = 2.0 * grid.step;
  to.counts = (grid.counts - 1) / 2 + 2;
  return to;
}

int refinement_slabs(const Grid& grid, std::size_t slab_points) {
  const std::size_t wanted = (grid.size() + slab_points - 1) / slab_points;
  const auto most = static_cast<std::size_t>(std::max(1, grid.counts.z / fewest_planes));
  return static_cast<int>(std::clamp<std::size_t>(wanted, 1, most));
}

Grid slab_of(const Grid& grid, int index, int count, int& first) {
  const auto begin = [&](int n) { return static_cast<int>(std::int64_t{grid.counts.z} * n / count); };
  first = begin(index);
  Grid to = grid;
  to.origin = grid.point(0, 0, first);
  to.counts.z = begin(index + 1) - first;
  return to;
}

Weights refinement_weights() {
  Weights to;
  for (int p = 0; p < taps - 1; ++p) {
    set_weights(p, 0, taps, to.all[p]);
    set_weights(p, std::clamp(p - (fewer_taps / 2 - 1), 0, taps - fewer_taps), fewer_taps, to.fewer[p]);
  }
  return to;
}

double refinement_scale(const SpinEvaluator& evaluator) {
  std::vector<glm::dvec3> centres;
  for (const DensityShell& shell : evaluator.functions()[0]->shells) {
    if (std::ranges::find(centres, shell.centre) == centres.end()) centres.push_back(shell.centre);
    if (centres.size() == DensityEvaluator::batch) break;
  }
  std::vector<DensityDerivatives> alpha(centres.size()), beta(centres.size());
  evaluator.evaluate(centres, DensityOrder::value, alpha, beta);
  double largest = 0;
  for (std::size_t i = 0; i < centres.size(); ++i)
    largest = std::max(largest, std::abs(alpha[i].density) + std::abs(beta[i].density));
  return std::min(1.0, largest);
}

std::size_t refinement_memory(const Grid& grid, std::size_t sets, DensityOrder order) {
  const int levels = refinement_levels(grid);
  if (levels == 0) return 0;
  int first = 0;
  Grid next = slab_of(grid, 0, refinement_slabs(grid), first);
  std::size_t points = 0;
  for (int level = 0; level < levels; ++level) {
    next = coarser(next);
    points += next.size();
  }
  return points * sets * static_cast<std::size_t>(refinement_room(numbers_of(order))) * sizeof(double);
}

std::size_t refine_on_cpu(const SpinEvaluator& evaluator, const DensityMeasureInfo& measure, const Grid& grid,
                          int levels, double scale, float* values, Job& job) {
  const Weights weights = refinement_weights();
  const auto make = [&](const Grid&, bool) { return Lagrange(weights, evaluator, measure, scale); };
  const auto room = static_cast<std::size_t>(refinement_room(numbers_of(measure.order)));
  return fill(evaluator, measure, grid, levels, room, make, values, job);
}

}  // namespace isolume
