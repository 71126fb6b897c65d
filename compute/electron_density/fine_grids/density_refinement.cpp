// Fields of the density on fine grids: the coarser grids, their weights, and the steps on the CPU.
#include "compute/electron_density/fine_grids/density_refinement.h"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "compute/base/parallel_for.h"
#include "compute/base/tiles.h"
#include "compute/orbitals/density_functions.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

using namespace refinement;

constexpr double widest = 0.45;                            // bohr, of the coarsest grid's points
constexpr int fewest = 24;                                 // of its points along an axis
constexpr std::size_t slab_points = std::size_t{1} << 25;  // that are done at once, about
constexpr int fewest_planes = 4 * fewest;                  // of a slab

int numbers_of(DensityOrder order) {
  return order == DensityOrder::value ? 1 : order == DensityOrder::gradient ? 5 : most_numbers;
}

/// Sets the weights of the middle between points p and p + 1 from `count` points, from `start` on.
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

/// The sums of both sets on one of the grids.
struct Level {
  Grid grid;
  std::vector<double> sums[2];
};

void put(const DensityDerivatives& of, double factor, int numbers, double* to) {
  to[0] = factor * of.density;
  if (numbers == 1) return;
  for (int axis = 0; axis < 3; ++axis) to[1 + axis] = factor * of.gradient[axis];
  to[4] = factor * of.tau;
  if (numbers == 5) return;
  for (std::size_t k = 0; k < 6; ++k) to[5 + k] = factor * of.hessian[k];
}

/// One grid that is filled: sums of a coarser one, or the field.
class Filling {
 public:
  Filling(const SpinEvaluator& evaluator, const DensityMeasureInfo& measure, const Grid& grid, double scale,
          double* const (&sums)[2], float* values)
      : evaluator_(evaluator),
        measure_(measure),
        grid_(grid),
        scale_(scale),
        sets_(evaluator.closed() ? 1 : 2),
        numbers_(numbers_of(measure.order)),
        room_(refinement_room(numbers_)),
        sums_{sums[0], sums[1]},
        values_(values) {}

  /// Computes at most 4 x 4 x 4 points from `begin` on.
  void compute(glm::ivec3 begin) const {
    const glm::ivec3 end = glm::min(begin + part, grid_.counts);
    std::array<glm::dvec3, DensityEvaluator::batch> points;
    std::array<DensityDerivatives, DensityEvaluator::batch> alpha, beta;
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
    evaluator_.evaluate({points.data(), count}, measure_.order, {alpha.data(), count}, {beta.data(), count});
    for (std::size_t n = 0; n < count; ++n) {
      double of[2][most_numbers];
      put(alpha[n], sets_ == 1 ? 2 : 1, numbers_, of[0]);
      if (sets_ == 2) put(beta[n], 1, numbers_, of[1]);
      store(places[n], of);
    }
  }

  /// Interpolates a tile, and computes what of it does not agree.
  void refine(const Weights& weights, const Level& from, glm::ivec3 tile) const {
    thread_local std::unique_ptr<RefinedTile[]> both;
    if (!both) both = std::make_unique<RefinedTile[]>(2);
    for (int set = 0; set < sets_; ++set)
      interpolate_tile(weights, from.grid.counts, from.sums[set].data(), room_, tile,
                       both[static_cast<std::size_t>(set)]);
    const glm::ivec3 begin = tile * side, end = glm::min(begin + side, grid_.counts);
    bool exact[2][2][2] = {};
    double of[2][most_numbers], others[2][most_numbers];
    const auto take = [&](const double* values, int set, double(&to)[2][most_numbers]) {
      std::copy_n(values, numbers_, to[set]);
    };
    for (int n = 0; n < RefinedTile::points; ++n) {
      const glm::ivec3 at(n % side, n / side % side, n / (side * side));
      bool& of_part = exact[at.z / part][at.y / part][at.x / part];
      if (of_part || glm::any(glm::greaterThanEqual(begin + at, end))) continue;
      const glm::ivec3 cell = at / 2, middle = 2 * cell + 1;
      for (int set = 0; set < sets_; ++set) {
        const RefinedTile& one = both[static_cast<std::size_t>(set)];
        const double* all = one.values + ((middle.z * side + middle.y) * side + middle.x) * room_;
        const double* fewer = one.fewer + ((cell.z * cells + cell.y) * cells + cell.x) * room_;
        take(one.values + n * room_, set, of);
        for (int k = 0; k < numbers_; ++k) others[set][k] = of[set][k] + (fewer[k] - all[k]);
      }
      of_part = !agree(measure_.measure, of[0], others[0], most_numbers, sets_, numbers_, scale_);
    }
    for (int k = begin.z; k < end.z; k += part) {
      for (int j = begin.y; j < end.y; j += part) {
        for (int i = begin.x; i < end.x; i += part) {
          const glm::ivec3 first(i, j, k);
          const glm::ivec3 at = first - begin;
          if (exact[at.z / part][at.y / part][at.x / part]) {
            compute(first);
            continue;
          }
          const glm::ivec3 last = glm::min(first + part, end);
          for (int z = k; z < last.z; ++z) {
            for (int y = j; y < last.y; ++y) {
              for (int x = i; x < last.x; ++x) {
                const int n = ((z - begin.z) * side + y - begin.y) * side + x - begin.x;
                for (int set = 0; set < sets_; ++set)
                  take(both[static_cast<std::size_t>(set)].values + n * room_, set, of);
                store(grid_.index(x, y, z), of);
              }
            }
          }
        }
      }
    }
  }

 private:
  void store(std::size_t place, const double (&of)[2][most_numbers]) const {
    if (values_) {
      values_[place] = static_cast<float>(field_of(measure_.measure, of[0], most_numbers, sets_, numbers_));
      return;
    }
    for (int set = 0; set < sets_; ++set)
      std::copy_n(of[set], numbers_, sums_[set] + place * static_cast<std::size_t>(room_));
  }

  const SpinEvaluator& evaluator_;
  const DensityMeasureInfo& measure_;
  const Grid& grid_;
  double scale_;
  int sets_, numbers_, room_;
  double* sums_[2];
  float* values_;
};

void refine_slab(const SpinEvaluator& evaluator, const DensityMeasureInfo& measure, const Grid& grid, int levels,
                 double scale, const Weights& weights, float* values, Job& job) {
  std::vector<Grid> grids{grid};
  for (int level = 0; level < levels; ++level) grids.push_back(coarser(grids.back()));
  const auto room = static_cast<std::size_t>(refinement_room(numbers_of(measure.order)));
  Level from;
  for (int level = levels; level >= 0; --level) {
    Level to;
    to.grid = grids[static_cast<std::size_t>(level)];
    if (level > 0) {
      to.sums[0].resize(to.grid.size() * room);
      if (!evaluator.closed()) to.sums[1].resize(to.grid.size() * room);
    }
    double* const sums[2] = {to.sums[0].data(), to.sums[1].data()};
    const Filling filling(evaluator, measure, to.grid, scale, sums, level > 0 ? nullptr : values);
    const Tiling tiles{to.grid.counts, glm::ivec3(level == levels ? part : side)};
    parallel_for(tiles.size(), job, measure.title, [&](std::size_t t) {
      if (level == levels) return filling.compute(tiles.tile(t) * part);
      filling.refine(weights, from, tiles.tile(t));
    });
    from = std::move(to);
  }
}

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

int refinement_slabs(const Grid& grid) {
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

void refine_on_cpu(const SpinEvaluator& evaluator, const DensityMeasureInfo& measure, const Grid& grid, int levels,
                   double scale, float* values, Job& job) {
  const Weights weights = refinement_weights();
  const int slabs = refinement_slabs(grid);
  for (int index = 0; index < slabs; ++index) {
    int first = 0;
    const Grid slab = slab_of(grid, index, slabs, first);
    refine_slab(evaluator, measure, slab, levels, scale, weights, values + grid.index(0, 0, first), job);
  }
}

}  // namespace isolume
