// Fields of the density on fine grids on CUDA: coarser grids, tiles interpolated from them, and the parts that are
// computed. A block of the kernel has a tile of 8 x 8 x 8 points and interpolates one sum after another.
#include <algorithm>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/base/slices.h"
#include "compute/electron_density/density_bodies_cuda.h"
#include "compute/electron_density/fine_grids/chosen_parts.cuh"
#include "compute/electron_density/fine_grids/density_refinement.h"
#include "compute/electron_density/fine_grids/mixed_refinement.h"
#include "compute/electron_density/fine_grids/refinement_step_cuda.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

using namespace refinement;

constexpr int threads = 256;
constexpr int rows = window * window;
static_assert(rows <= threads && 2 * threads == side * side * side);

/// Of shared memory: a sum at the fine points of an axis is made from the one before.
struct Room {
  double all[3][cells][window], fewer[3][cells][window];  // weights
  double factors[3][window], back[3][side];               // the density's decay, of coarse and of fine points
  double along_x[side * rows], fewer_x[cells * rows];     // x slowest, then z, y
  double along_y[window * side * side], fewer_y[window * cells * cells];  // z slowest, then y, x
  int first[3], offset[3];
  unsigned failed;  // by part
};
static_assert(sizeof(Room) <= 48 * 1024);

__device__ __forceinline__ double sum_of(const double (&weights)[window], const double* from, int stride) {
  double sum = 0;
#pragma unroll
  for (int k = 0; k < window; ++k) sum = fma(weights[k], from[k * stride], sum);
  return sum;
}

template <int numbers, int sets>
__global__ void __launch_bounds__(threads)
    refine_kernel(const __grid_constant__ Step step, const __grid_constant__ Weights weights, unsigned first_tile) {
  __shared__ Room room;
  const int t = static_cast<int>(threadIdx.x);
  const unsigned index = first_tile + blockIdx.x;
  const int tile[3] = {static_cast<int>(index % step.tiles_x), static_cast<int>(index / step.tiles_x % step.tiles_y),
                       static_cast<int>(index / step.tiles_x / step.tiles_y)};
  const std::size_t coarse_size = static_cast<std::size_t>(step.coarse[0]) * static_cast<std::size_t>(step.coarse[1]) *
                                  static_cast<std::size_t>(step.coarse[2]);
  const std::size_t fine_size = static_cast<std::size_t>(step.fine[0]) * static_cast<std::size_t>(step.fine[1]) *
                                static_cast<std::size_t>(step.fine[2]);
  if (t < 3 * cells) {
    const int axis = t / cells, cell = t % cells;
    set_cell(weights, tile[axis], step.coarse[axis], cell, room.all[axis][cell], room.fewer[axis][cell]);
    room.first[axis] = first_of(tile[axis], step.coarse[axis]);
    room.offset[axis] = tile[axis] * cells - room.first[axis];
  }
  if (t == 0) room.failed = 0;
  // A thread has the row (y, z) of the window along x, then a point and the middle next to it along z.
  const int row_y = t % window, row_z = t / window;
  const int x = t % side, y = t / side % side, cell = t / (side * side);
  double values[2][sets * numbers], fewer[sets * numbers] = {};
#pragma unroll
  for (int set = 0; set < sets; ++set) {
    const double* const of_set = step.from + static_cast<std::size_t>(set * numbers) * coarse_size;
    __syncthreads();
    if (t < 3) {
      int middle[3], before[3], after[3];
      for (int axis = 0; axis < 3; ++axis) {
        middle[axis] = min(tile[axis] * cells + cells / 2, step.coarse[axis] - 2);
        before[axis] = middle[axis] - (axis == t ? 1 : 0);
        after[axis] = middle[axis] + (axis == t ? 1 : 0);
      }
      const double rate = decay(of_set[place(step.coarse, before[0], before[1], before[2])],
                                of_set[place(step.coarse, after[0], after[1], after[2])]);
      const int first = first_of(tile[t], step.coarse[t]);
      for (int k = 0; k < window; ++k) room.factors[t][k] = exp(-rate * (first + k - middle[t]));
      for (int k = 0; k < side; ++k) room.back[t][k] = exp(rate * (tile[t] * cells + 0.5 * k - middle[t]));
    }
    __syncthreads();
#pragma unroll
    for (int number = 0; number < numbers; ++number) {
      if (t < rows) {
        const double* const row = of_set + static_cast<std::size_t>(number) * coarse_size +
                                  place(step.coarse, room.first[0], room.first[1] + row_y, room.first[2] + row_z);
        const double factor = room.factors[1][row_y] * room.factors[2][row_z];
        double all[cells] = {}, some[cells] = {};
#pragma unroll
        for (int k = 0; k < window; ++k) {
          const double value = row[k] * (room.factors[0][k] * factor);
#pragma unroll
          for (int c = 0; c < cells; ++c) {
            all[c] = fma(room.all[0][c][k], value, all[c]);
            some[c] = fma(room.fewer[0][c][k], value, some[c]);
          }
        }
#pragma unroll
        for (int c = 0; c < cells; ++c) {
          const int at = min(room.offset[0] + c, window - 1);
          room.along_x[2 * c * rows + t] = row[at] * (room.factors[0][at] * factor);
          room.along_x[(2 * c + 1) * rows + t] = all[c];
          room.fewer_x[c * rows + t] = some[c];
        }
      }
      __syncthreads();
      // Along y: both kinds of points of a cell, then the middles from fewer points.
      for (int e = t; e < window * cells * side; e += threads) {
        const int ex = e % side, ec = e / side % cells, ez = e / (side * cells);
        const double* const from = room.along_x + ex * rows + ez * window;
        double* const to = room.along_y + (ez * side + 2 * ec) * side + ex;
        to[0] = from[min(room.offset[1] + ec, window - 1)];
        to[side] = sum_of(room.all[1][ec], from, 1);
      }
      for (int e = t; e < window * cells * cells; e += threads) {
        const int ex = e % cells, ec = e / cells % cells, ez = e / (cells * cells);
        room.fewer_y[(ez * cells + ec) * cells + ex] =
            sum_of(room.fewer[1][ec], room.fewer_x + ex * rows + ez * window, 1);
      }
      __syncthreads();
      // Along z.
      const int n = set * numbers + number;
      const double* const from = room.along_y + y * side + x;
      const double back = room.back[0][x] * room.back[1][y];
      values[0][n] = from[min(room.offset[2] + cell, window - 1) * side * side] * (back * room.back[2][2 * cell]);
      values[1][n] = sum_of(room.all[2][cell], from, side * side) * (back * room.back[2][2 * cell + 1]);
      if (x % 2 == 1 && y % 2 == 1) {
        fewer[n] = sum_of(room.fewer[2][cell], room.fewer_y + y / 2 * cells + x / 2, cells * cells) *
                   (back * room.back[2][2 * cell + 1]);
      }
    }
  }
  // What the two ways differ by in the middle of a cell, for its points: the middle's thread is of the same warp.
  const int middle = (t % 32) | 1 | side;
#pragma unroll
  for (int n = 0; n < sets * numbers; ++n)
    fewer[n] = __shfl_sync(~0u, x % 2 == 1 && y % 2 == 1 ? fewer[n] - values[1][n] : 0.0, middle);
  const auto agrees = [&](int k) {
    double others[sets * numbers];
#pragma unroll
    for (int n = 0; n < sets * numbers; ++n) others[n] = values[k][n] + fewer[n];
    return agree(step.measure, values[k], others, numbers, sets, numbers, step.scale);
  };
  const auto store = [&](int k, std::size_t to) {
    if (step.values) {
      step.values[to] = static_cast<float>(field_of(step.measure, values[k], numbers, sets, numbers));
      return;
    }
#pragma unroll
    for (int n = 0; n < sets * numbers; ++n) step.sums[static_cast<std::size_t>(n) * fine_size + to] = values[k][n];
  };
  finish_tile(step, tile, x, y, 2 * cell, room.failed, agrees, store);
}

template <int sets>
void launch_step(const Stream& stream, DensityOrder order, const Step& step, const Weights& weights, std::size_t begin,
                 std::size_t count) {
  const auto kernel = order == DensityOrder::value      ? refine_kernel<1, sets>
                      : order == DensityOrder::gradient ? refine_kernel<5, sets>
                                                        : refine_kernel<most_numbers, sets>;
  launch("density: interpolated tiles", stream, kernel, {static_cast<unsigned>(count)},
         {static_cast<unsigned>(threads)}, step, weights, static_cast<unsigned>(begin));
}

unsigned parts_of(int points, int of) {
  return static_cast<unsigned>((points + of - 1) / of);
}

/// Fills a grid: computes sums on the coarsest one, and goes from grid to grid, with either interpolation.
class Refinement {
 public:
  Refinement(const DerivativesCuda& derivatives, std::size_t sets, const MeasureTask& task, Stream& stream, Job& job)
      : derivatives_(derivatives),
        sets_(sets),
        task_(task),
        numbers_(task.mixed                             ? DerivativesCuda::mixed_numbers
                 : task.order == DensityOrder::value    ? 1
                 : task.order == DensityOrder::gradient ? 5
                                                        : most_numbers),
        weights_(refinement_weights()),
        stream_(stream),
        job_(job) {
    if (!task.mixed) return;
    const mixed::Weights weights = mixed_weights();
    mixed_weights_ = DeviceArray<mixed::Weights>::from_host(std::span(&weights, 1), stream, "weights of a grid");
  }

  /// Returns how many points were computed.
  std::size_t fill(const Grid& grid, float* values) const {
    std::vector<Grid> grids{grid};
    for (int level = 0; level < task_.levels; ++level) grids.push_back(coarser(grids.back()));
    DeviceArray<double> from = room_of(grids.back());
    compute(grids.back(), {nullptr, task_.measure, from.data()}, nullptr);
    std::size_t computed = grids.back().size();
    for (std::size_t level = grids.size() - 1; level-- > 0;) {
      DeviceArray<double> to;
      if (level > 0) to = room_of(grids[level]);
      computed +=
          refine(grids[level + 1], grids[level], from.data(), {level > 0 ? nullptr : values, task_.measure, to.data()});
      from = std::move(to);
    }
    return computed;
  }

 private:
  DeviceArray<double> room_of(const Grid& grid) const {
    return DeviceArray<double>(grid.size() * sets_ * numbers_, stream_, "sums of a coarse grid");
  }

  /// Sums on a coarser grid, or the field.
  void compute(const Grid& grid, const DensityTarget& target, const ChosenParts* chosen) const {
    if (task_.mixed && !target.values) {
      derivatives_.fill_mixed(grid, target.sums, chosen, stream_, job_);
    } else {
      derivatives_.fill(grid, task_.order, target, chosen, stream_, job_);
    }
  }

  void interpolate(const Step& step, std::size_t begin, std::size_t count) const {
    if (task_.mixed) {
      interpolate_mixed_cuda(stream_, task_.order, sets_, step, mixed_weights_.data(), begin, count);
    } else if (sets_ == 1) {
      launch_step<1>(stream_, task_.order, step, weights_, begin, count);
    } else {
      launch_step<2>(stream_, task_.order, step, weights_, begin, count);
    }
  }

  /// Returns how many points were computed.
  std::size_t refine(const Grid& coarse, const Grid& fine, const double* from, const DensityTarget& target) const {
    Step step{};
    for (int axis = 0; axis < 3; ++axis) {
      step.coarse[axis] = coarse.counts[axis];
      step.fine[axis] = fine.counts[axis];
      step.step[axis] = units::angstrom_in_bohr * coarse.step[axis][axis];
    }
    step.tiles_x = parts_of(fine.counts.x, side);
    step.tiles_y = parts_of(fine.counts.y, side);
    step.parts_x = parts_of(fine.counts.x, part);
    step.parts_y = parts_of(fine.counts.y, part);
    step.from = from;
    step.sums = target.sums;
    step.values = target.values;
    step.measure = task_.measure;
    step.scale = task_.scale;
    DeviceArray<unsigned> chosen(std::size_t{step.parts_x} * step.parts_y * parts_of(fine.counts.z, part), stream_,
                                 "parts of a grid");
    const unsigned none[2] = {};
    auto count = DeviceArray<unsigned>::from_host(none, stream_, "number of parts");
    step.chosen = chosen.data();
    step.count = count.data();
    const std::size_t tiles = std::size_t{step.tiles_x} * step.tiles_y * parts_of(fine.counts.z, side);
    for_slices(tiles, std::size_t{1} << 14, stream_, job_, "interpolation of the density",
               [&](std::size_t begin, std::size_t n) { interpolate(step, begin, n); });
    const std::vector<unsigned> counts = count.copy_to_host();
    const ChosenParts parts{chosen.data(), counts[0]};
    if (parts.count > 0) compute(fine, target, &parts);
    stream_.synchronize("interpolation of the density");
    return counts[1];
  }

  const DerivativesCuda& derivatives_;
  std::size_t sets_;
  MeasureTask task_;
  std::size_t numbers_;
  Weights weights_;
  DeviceArray<mixed::Weights> mixed_weights_;
  Stream& stream_;
  Job& job_;
};

}  // namespace

std::size_t measure_on_grid_cuda(std::span<const DensityFunctions* const> sets, const MeasureTask& task,
                                 const Grid& grid, Span<float> values, Job& job) {
  Stream stream(values.device);
  const DerivativesCuda derivatives(sets, stream);
  if (task.levels == 0) {
    derivatives.fill(grid, task.order, {values.data, task.measure, nullptr}, nullptr, stream, job);
    stream.synchronize("derivatives of the density");
    return grid.size();
  }
  const Refinement refinement(derivatives, sets.size(), task, stream, job);
  std::size_t computed = 0;
  for (int index = 0; index < task.slabs; ++index) {
    int first = 0;
    const Grid slab = slab_of(grid, index, task.slabs, first);
    computed += refinement.fill(slab, values.data + grid.index(0, 0, first));
  }
  return computed;
}

}  // namespace isolume
