// Fields on fine grids from Gaussians of pairs on the CPU: the sums of a tile, and the fields.
#include "compute/electron_density/fine_grids/pair_fields.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <vector>

#include "compute/base/parallel_for.h"
#include "compute/base/tiles.h"
#include "compute/electron_density/fine_grids/density_refinement.h"
#include "compute/electron_density/fine_grids/mixed_refinement.h"
#include "compute/electron_density/fine_grids/pair_gaussians.h"
#include "compute/electron_density/fine_grids/pair_plan.h"
#include "compute/electron_density/fine_grids/pair_quotients.h"
#include "compute/electron_density/fine_grids/pair_tiles.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

using namespace pairs;

constexpr Limits of_fields{1e-10, 3e-7, 0};
constexpr Limits of_quotients{1e-12, 3e-8, 3e-12};
constexpr double most_doubt = 3e-7;  // of a quotient

/// Which Gaussians reach which tiles of a grid.
class Reach {
 public:
  Reach(const Sum& sum, std::size_t level, const Level& grid) : tiling_{grid.used, glm::ivec3(side)} {
    first_.assign(tiling_.size() + 1, 0);
    each(sum, level, grid, [&](std::uint32_t, std::size_t tile) { ++first_[tile + 1]; });
    for (std::size_t t = 0; t < tiling_.size(); ++t) first_[t + 1] += first_[t];
    which_.resize(first_.back());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    each(sum, level, grid, [&](std::uint32_t n, std::size_t tile) { which_[next[tile]++] = n; });
  }
  std::span<const std::uint32_t> of(std::size_t tile) const {
    return std::span(which_).subspan(first_[tile], first_[tile + 1] - first_[tile]);
  }

 private:
  template <class Use>
  void each(const Sum& sum, std::size_t level, const Level& grid, const Use& use) const {
    const glm::ivec3 last = tiling_.counts() - 1;
    for (const std::uint32_t n : sum.of_level(level)) {
      const PairGaussian& of = sum.all().gaussians[n];
      glm::ivec3 lower, upper;
      for (int axis = 0; axis < 3; ++axis) {
        const double at = (of.centre[axis] - grid.origin[axis]) / grid.step[axis];
        const double reach = of.reach / std::abs(grid.step[axis]);
        lower[axis] = static_cast<int>(std::clamp(std::floor((at - reach) / side), 0.0, last[axis] + 1.0));
        upper[axis] = static_cast<int>(std::clamp(std::floor((at + reach) / side), -1.0, double(last[axis])));
      }
      for (int z = lower.z; z <= upper.z; ++z) {
        for (int y = lower.y; y <= upper.y; ++y) {
          for (int x = lower.x; x <= upper.x; ++x) use(n, tiling_.index({x, y, z}));
        }
      }
    }
  }

  Tiling tiling_;
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> which_;
};

/// The numbers of one sum at the points of a coarser grid, one array after another.
using Numbers = std::vector<double>;

/// Fills a tile of a grid with a sum's numbers; returns whether Gaussians reach it.
class Tile {
 public:
  /// @param from  of the coarser grid; empty where there is none
  bool fill(const Sum& sum, const Level& grid, const Reach& reach, std::size_t index, glm::ivec3 tile,
            PairOutput output, const Level& coarse, const Numbers& from, const Axis (&axes)[3], double* to) {
    const auto count = static_cast<std::size_t>(count_of(output) * points);
    if (from.empty()) {
      std::fill_n(to, count, 0.0);
    } else {
      interpolate(axes, {from.data() + coarse.index(tile * cells), coarse.size(), coarse.plane(), coarse.row()}, output,
                  to);
    }
    const std::span<const std::uint32_t> all = reach.of(index);
    if (all.empty()) return false;
    for (int z = 0; z < side; z += cube) {
      for (int y = 0; y < side; y += cube) {
        for (int x = 0; x < side; x += cube) {
          const glm::ivec3 at = tile * side + glm::ivec3(x, y, z);
          if (glm::any(glm::greaterThanEqual(at, grid.used))) continue;
          const glm::dvec3 first = grid.origin + glm::dvec3(at) * grid.step;
          const glm::dvec3 last = first + (cube - 1.0) * grid.step;
          const glm::dvec3 lower = glm::min(first, last), upper = glm::max(first, last);
          near_.clear();
          for (const std::uint32_t n : all) {
            const PairGaussian& of = sum.all().gaussians[n];
            const glm::dvec3 away = glm::max(glm::max(lower - of.centre, of.centre - upper), glm::dvec3(0));
            if (glm::dot(away, away) < of.reach * of.reach) near_.push_back(n);
          }
          if (!near_.empty()) add(sum.all(), near_, first, grid.step, output, to + (z * side + y) * side + x);
        }
      }
    }
    return true;
  }

 private:
  std::vector<std::uint32_t> near_;
};

/// One slab.
class Filling {
 public:
  Filling(const SpinEvaluator& evaluator, const DensityMeasureInfo& measure, const Needs& needs,
          const std::vector<Sum>& sums, const Grid& grid, float* values)
      : evaluator_(evaluator),
        measure_(measure),
        needs_(needs),
        sums_(sums),
        grid_(grid),
        levels_(levels_of(grid)),
        values_(values) {}

  std::size_t run(Job& job) {
    std::vector<Numbers> from(sums_.size());
    for (std::size_t level = most_levels - 1; level > 0; --level) {
      std::vector<Numbers> to(sums_.size());
      for (std::size_t s = 0; s < sums_.size(); ++s) {
        if (from[s].empty() && sums_[s].of_level(level).empty()) continue;
        to[s].resize(levels_[level].size() * static_cast<std::size_t>(count_of(PairOutput::mixed)));
        numbers(sums_[s], level, from[s], to[s], job);
      }
      from = std::move(to);
    }
    field(from, job);
    return summed_;
  }

 private:
  void axes_of(std::size_t level, Axis (&axes)[3]) const {
    static const mixed::Weights weights = mixed_weights();
    for (int axis = 0; axis < 3; ++axis) axes[axis] = axis_of(weights, 2 * levels_[level].step[axis]);
  }

  static glm::ivec3 end_of(const Level& grid, glm::ivec3 tile) { return glm::min((tile + 1) * side, grid.used); }
  void count(glm::ivec3 begin, glm::ivec3 end) {
    const glm::ivec3 size = end - begin;
    summed_ += static_cast<std::size_t>(size.x * size.y * size.z);
  }

  void numbers(const Sum& sum, std::size_t level, const Numbers& from, Numbers& to, Job& job) {
    const Level& grid = levels_[level];
    const Level coarse = coarser(grid);
    const Reach reach(sum, level, grid);
    const Tiling tiling{grid.used, glm::ivec3(side)};
    Axis axes[3];
    axes_of(level, axes);
    parallel_for(tiling.size(), job, measure_.title, [&](std::size_t t) {
      constexpr int of_point = count_of(PairOutput::mixed);
      thread_local std::vector<double> room;
      thread_local Tile filler;
      room.resize(of_point * points);
      const glm::ivec3 tile = tiling.tile(t), begin = tile * side, end = end_of(grid, tile);
      if (filler.fill(sum, grid, reach, t, tile, PairOutput::mixed, coarse, from, axes, room.data())) count(begin, end);
      for (int number = 0; number < of_point; ++number) {
        for (int z = begin.z; z < end.z; ++z) {
          for (int y = begin.y; y < end.y; ++y) {
            std::copy_n(room.data() + number * points + ((z - begin.z) * side + y - begin.y) * side, end.x - begin.x,
                        to.data() + static_cast<std::size_t>(number) * grid.size() + grid.index({begin.x, y, z}));
          }
        }
      }
    });
  }

  void field(const std::vector<Numbers>& from, Job& job) {
    const Level& grid = levels_[0];
    const Level coarse = coarser(grid);
    std::vector<Reach> reaches;
    for (const Sum& sum : sums_) reaches.emplace_back(sum, 0, grid);
    const Tiling tiling{grid.used, glm::ivec3(side)};
    Axis axes[3];
    axes_of(0, axes);
    parallel_for(tiling.size(), job, measure_.title, [&](std::size_t t) {
      thread_local std::vector<double> room;
      thread_local Tile filler;
      std::size_t size = 0;
      std::vector<std::size_t> places;
      for (const Sum& sum : sums_) {
        places.push_back(size);
        size += static_cast<std::size_t>(count_of(sum.output()) * points);
      }
      if (room.size() < size) room.resize(size);
      const glm::ivec3 tile = tiling.tile(t), begin = tile * side, end = end_of(grid, tile);
      bool summed = false;
      for (std::size_t s = 0; s < sums_.size(); ++s) {
        summed |= filler.fill(sums_[s], grid, reaches[s], t, tile, sums_[s].output(), coarse, from[s], axes,
                              room.data() + places[s]);
      }
      if (summed) count(begin, end);
      std::vector<const double*> of_sums;
      for (const std::size_t place : places) of_sums.push_back(room.data() + place);
      store(of_sums, begin, end);
    });
  }

  /// The fields of a tile from its sums: of each set the density and tau, where they are needed. Parts with a quotient
  /// that their errors spoil are computed point by point.
  void store(std::span<const double* const> sums, glm::ivec3 begin, glm::ivec3 end) {
    constexpr int part = refinement::part;
    for (int z = begin.z; z < end.z; z += part) {
      for (int y = begin.y; y < end.y; y += part) {
        for (int x = begin.x; x < end.x; x += part) {
          const glm::ivec3 first(x, y, z), last = glm::min(first + part, end);
          if (!store_part(sums, begin, first, last)) compute(first, last);
        }
      }
    }
  }

  bool store_part(std::span<const double* const> sums, glm::ivec3 begin, glm::ivec3 first, glm::ivec3 last) const {
    constexpr int most = refinement::most_numbers;
    const int sets = evaluator_.closed() ? 1 : 2;
    const int numbers = needs_.output == PairOutput::second                 ? most
                        : needs_.tau || needs_.output == PairOutput::slopes ? 5
                                                                            : 1;
    const int of_density = needs_.density ? count_of(needs_.output) : 0;
    double of[2][most] = {};
    for (int z = first.z; z < last.z; ++z) {
      for (int y = first.y; y < last.y; ++y) {
        for (int x = first.x; x < last.x; ++x) {
          const int n = ((z - begin.z) * side + y - begin.y) * side + x - begin.x;
          const double* const* next = sums.data();
          for (int set = 0; set < sets; ++set) {
            if (needs_.density) {
              for (int k = 0; k < of_density; ++k) of[set][k < 4 ? k : k + 1] = (*next)[k * points + n];
              ++next;
            }
            if (needs_.tau) of[set][4] = (*next++)[n];
          }
          float& value = values_[grid_.index(x, y, z)];
          if (needs_.quotient) {
            const Quotient quotient = quotient_of(measure_.measure, of, sets, of_quotients.error_of_sums);
            if (!(quotient.doubt <= most_doubt)) return false;
            value = static_cast<float>(quotient.value);
          } else {
            value = static_cast<float>(refinement::field_of(measure_.measure, of[0], most, sets, numbers));
          }
        }
      }
    }
    return true;
  }

  void compute(glm::ivec3 first, glm::ivec3 last) {
    std::array<glm::dvec3, DensityEvaluator::batch> at;
    std::array<std::size_t, DensityEvaluator::batch> places;
    std::array<DensityDerivatives, DensityEvaluator::batch> alpha, beta;
    std::size_t count = 0;
    for (int z = first.z; z < last.z; ++z) {
      for (int y = first.y; y < last.y; ++y) {
        for (int x = first.x; x < last.x; ++x, ++count) {
          at[count] = units::angstrom_in_bohr * grid_.point(x, y, z);
          places[count] = grid_.index(x, y, z);
        }
      }
    }
    evaluator_.evaluate({at.data(), count}, measure_.order, {alpha.data(), count}, {beta.data(), count});
    for (std::size_t n = 0; n < count; ++n)
      values_[places[n]] = static_cast<float>(measure_value(measure_.measure, alpha[n], beta[n]));
    summed_ += count;
  }

  const SpinEvaluator& evaluator_;
  const DensityMeasureInfo& measure_;
  const Needs& needs_;
  const std::vector<Sum>& sums_;
  const Grid& grid_;
  std::vector<Level> levels_;
  float* values_;
  std::atomic<std::size_t> summed_ = 0;
};

}  // namespace

bool has_pair_fields(const DensityMeasureInfo& measure, const Grid& grid) {
  for (int axis = 0; axis < 3; ++axis) {
    for (int c = 0; c < 3; ++c) {
      if (c != axis && grid.step[axis][c] != 0) return false;
    }
  }
  // Its error at a point would count more than the density's: where the gradient is small these are quotients of it.
  return measure.measure != DensityMeasure::rdg && measure.measure != DensityMeasure::dori;
}

std::size_t pair_fields_memory(const SpinEvaluator& evaluator, const DensityMeasureInfo& measure, const Grid& grid,
                               int slabs) {
  const Needs needs = needs_of(measure.measure);
  std::size_t bytes = 0;
  for (const DensityFunctions* functions : evaluator.functions()) {
    if (needs.density) bytes += pair_memory(*functions, PairQuantity::density);
    if (needs.tau) bytes += pair_memory(*functions, PairQuantity::tau);
  }
  int first = 0;
  std::size_t of_grids = 0;
  const std::vector<Level> levels = levels_of(slab_of(grid, 0, slabs, first));
  for (std::size_t level = 1; level < levels.size(); ++level) of_grids += levels[level].size();
  const std::size_t sums = evaluator.functions().size() * (needs.density + needs.tau);
  return bytes + of_grids * sums * static_cast<std::size_t>(count_of(PairOutput::mixed)) * sizeof(double);
}

std::size_t pair_fields_on_cpu(const SpinEvaluator& evaluator, const DensityMeasureInfo& measure, const Grid& grid,
                               int slabs, float* values, Job& job) {
  const Needs needs = needs_of(measure.measure);
  const std::vector<Sum> sums =
      sums_of(evaluator.functions(), needs, needs.quotient ? of_quotients : of_fields, finest(grid).widest(), job);
  std::size_t summed = 0;
  for (int index = 0; index < slabs; ++index) {
    int first = 0;
    const Grid slab = slab_of(grid, index, slabs, first);
    summed += Filling(evaluator, measure, needs, sums, slab, values + grid.index(0, 0, first)).run(job);
  }
  return summed;
}

}  // namespace isolume
