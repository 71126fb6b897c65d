// Tiles of 8 x 8 x 8 points interpolated with mixed derivatives on CUDA: a block has one, and goes along x, y and z,
// one order of derivatives after another.
#include <cstddef>

#include "compute/base/launch.cuh"
#include "compute/electron_density/fine_grids/chosen_parts.cuh"
#include "compute/electron_density/fine_grids/refinement_step_cuda.h"

namespace isolume {
namespace {

using namespace mixed;
using refinement::most_numbers;
using refinement::place;
using refinement::Step;

constexpr int threads = 256;
constexpr int rows = window * window;
static_assert(2 * rows <= threads && 2 * threads == side * side * side);

/// The place of a derivative among the numbers of an output; -1 where it has none of it.
template <MixedOutput output>
__device__ constexpr int number_of(int x, int y, int z) {
  if (output == MixedOutput::mixed) return x < 2 && y < 2 && z < 2 ? y + 2 * z + 4 * x : -1;
  if (x + y + z == 0) return 0;
  if (x + y + z == 1) return x == 1 ? 1 : y == 1 ? 2 : 3;
  if (output == MixedOutput::slopes || x + y + z > 2) return -1;
  if (x == 2) return 4;
  if (x == 1) return y == 1 ? 5 : 6;
  return y == 2 ? 7 : y == 1 ? 8 : 9;
}

/// The highest order of derivatives along an axis, plus 1.
template <MixedOutput output>
constexpr int orders = output == MixedOutput::second ? 3 : 2;

/// Of shared memory, for one slope along z.
struct Room {
  Axis axes[2];                          // along y and z
  double x_middle[3][cells][window][2];  // weights along x in the window, by order
  double x_fewer[3][cells][window][2];
  double x_point[cells][window][2];  // of second derivatives at the points
  union {
    Axis x_axis;                           // of which those are made
    double along_y[window * side * side];  // z slowest, then y, x
  };
  double along_x[2][rows * side];  // by slope along y; z slowest, then y, x
  double fewer_x[2][rows * cells];
  double fewer_y[window * cells * cells];
  int offset[3];    // of the tile's first coarse point in the window
  unsigned failed;  // by part
};
static_assert(sizeof(Room) <= 48 * 1024);

/// Weights of all axes for one set.
__device__ __forceinline__ void set_axes(const Step& step, const Weights& weights, const int (&tile)[3],
                                         const double* of_set, Room& room) {
  const int t = static_cast<int>(threadIdx.x);
  if (t < 3) {
    const int first = first_of(tile[t], step.coarse[t]);
    (t == 0 ? room.x_axis : room.axes[t - 1]).first = first;
    room.offset[t] = tile[t] * cells - first;
  }
  __syncthreads();
  if (t < 3 * cells) {
    const int axis = t / cells;
    int before[3], after[3];
    for (int a = 0; a < 3; ++a) {
      const int middle = min(tile[a] * cells + cells / 2, step.coarse[a] - 2);
      before[a] = middle - (axis == a ? 1 : 0);
      after[a] = middle + (axis == a ? 1 : 0);
    }
    const double decay = refinement::decay(of_set[place(step.coarse, before[0], before[1], before[2]) * numbers],
                                           of_set[place(step.coarse, after[0], after[1], after[2]) * numbers]);
    set_cell(weights, tile[axis], step.coarse[axis], t % cells, decay, step.step[axis],
             axis == 0 ? room.x_axis : room.axes[axis - 1]);
  }
  __syncthreads();
  // Those along x in the whole window, since registers have no places that are chosen as the kernel runs.
  for (int e = t; e < 3 * cells * window; e += threads) {
    const int order = e / (cells * window), cell = e / window % cells, at = e % window;
    const int tap = at - room.x_axis.start[cell];
    const bool has = tap >= 0 && tap < taps;
#pragma unroll
    for (int slope = 0; slope < 2; ++slope) {
      room.x_middle[order][cell][at][slope] = has ? room.x_axis.all[order][2 * cell + 1][tap][slope] : 0.0;
      room.x_fewer[order][cell][at][slope] = has ? room.x_axis.fewer[order][cell][tap][slope] : 0.0;
      if (order == 2) room.x_point[cell][at][slope] = has ? room.x_axis.all[2][2 * cell][tap][slope] : 0.0;
    }
  }
  __syncthreads();
}

/// The sum over a window of what has values and slopes.
__device__ __forceinline__ double sum_of(const double (&weights)[window][2], const double (&values)[window],
                                         const double (&slopes)[window]) {
  double sum = 0;
#pragma unroll
  for (int k = 0; k < window; ++k) sum = fma(weights[k][0], values[k], fma(weights[k][1], slopes[k], sum));
  return sum;
}

/// The same over a cell's taps in shared memory, `stride` apart.
__device__ __forceinline__ double sum_of(const double (&weights)[taps][2], const double* values, const double* slopes,
                                         int stride) {
  double sum = 0;
#pragma unroll
  for (int k = 0; k < taps; ++k)
    sum = fma(weights[k][0], values[k * stride], fma(weights[k][1], slopes[k * stride], sum));
  return sum;
}

/// And of values or slopes alone.
__device__ __forceinline__ double sum_of(const double (&weights)[taps][2], int slope, const double* from, int stride) {
  double sum = 0;
#pragma unroll
  for (int k = 0; k < taps; ++k) sum = fma(weights[k][slope], from[k * stride], sum);
  return sum;
}

/// Along x, one order: `row` is that of the window, `ys` the slope along y.
__device__ __forceinline__ void go_along_x(int order, const double (&values)[window], const double (&slopes)[window],
                                           int row, int ys, Room& room) {
  double* const all = room.along_x[ys] + row * side;
#pragma unroll
  for (int cell = 0; cell < cells; ++cell) {
    all[2 * cell + 1] = sum_of(room.x_middle[order][cell], values, slopes);
    room.fewer_x[ys][row * cells + cell] = sum_of(room.x_fewer[order][cell], values, slopes);
    if (order == 2) all[2 * cell] = sum_of(room.x_point[cell], values, slopes);
  }
  if (order == 2) return;
#pragma unroll
  for (int k = 0; k < window; ++k) {
    const int cell = k - room.offset[0];
    if (cell >= 0 && cell < cells) all[2 * cell] = order == 0 ? values[k] : slopes[k];
  }
}

/// Along y, one order, for all planes of the window.
__device__ __forceinline__ void go_along_y(int order, Room& room) {
  const int t = static_cast<int>(threadIdx.x);
  const Axis& axis = room.axes[0];
  for (int e = t; e < window * cells * side; e += threads) {
    const int x = e % side, cell = e / side % cells, z = e / (side * cells);
    const int from = (z * window + axis.start[cell]) * side + x;
    double* const to = room.along_y + (z * side + 2 * cell) * side + x;
    if (order == 2) {
      to[0] = sum_of(axis.all[2][2 * cell], room.along_x[0] + from, room.along_x[1] + from, side);
    } else {
      to[0] = room.along_x[order][(z * window + min(room.offset[1] + cell, window - 1)) * side + x];
    }
    to[side] = sum_of(axis.all[order][2 * cell + 1], room.along_x[0] + from, room.along_x[1] + from, side);
  }
  for (int e = t; e < window * cells * cells; e += threads) {
    const int x = e % cells, cell = e / cells % cells, z = e / (cells * cells);
    const int from = (z * window + axis.start[cell]) * cells + x;
    room.fewer_y[(z * cells + cell) * cells + x] =
        sum_of(axis.fewer[order][cell], room.fewer_x[0] + from, room.fewer_x[1] + from, cells);
  }
}

template <MixedOutput output, int sets>
__global__ void __launch_bounds__(threads, 3 - sets)
    mixed_kernel(const __grid_constant__ Step step, const __grid_constant__ Tolerances within, const Weights* weights,
                 unsigned first_tile) {
  constexpr int count = count_of(output);
  __shared__ Room room;
  const int t = static_cast<int>(threadIdx.x);
  const unsigned index = first_tile + blockIdx.x;
  const int tile[3] = {static_cast<int>(index % step.tiles_x), static_cast<int>(index / step.tiles_x % step.tiles_y),
                       static_cast<int>(index / step.tiles_x / step.tiles_y)};
  const std::size_t coarse_size = static_cast<std::size_t>(step.coarse[0]) * static_cast<std::size_t>(step.coarse[1]) *
                                  static_cast<std::size_t>(step.coarse[2]);
  const std::size_t fine_size = static_cast<std::size_t>(step.fine[0]) * static_cast<std::size_t>(step.fine[1]) *
                                static_cast<std::size_t>(step.fine[2]);
  if (t == 0) room.failed = 0;
  // A thread has a slope along y in the row (y, z) of the window along x, then a point and the middle next to it along
  // z.
  const int row = t / 2, ys = t % 2;
  const int x = t % side, y = t / side % side, cell = t / (side * side);
  const bool of_middle = x % 2 == 1 && y % 2 == 1;
  double values[2][sets * most_numbers] = {}, fewer[sets * most_numbers] = {};
#pragma unroll
  for (int set = 0; set < sets; ++set) {
    const double* const of_set = step.from + static_cast<std::size_t>(set) * coarse_size * numbers;
    __syncthreads();
    set_axes(step, *weights, tile, of_set, room);
    const double* const of_row =
        of_set + place(step.coarse, tile[0] * cells - room.offset[0], room.axes[0].first + row % window,
                       min(room.axes[1].first + row / window, step.coarse[2] - 1)) *
                     numbers;
    const Axis& axis = room.axes[1];
    const int start = axis.start[cell], at = min(room.offset[2] + cell, window - 1);
#pragma unroll 1
    for (int zs = 0; zs < 2; ++zs) {
      double of_window[window], slopes[window];
      if (t < 2 * rows) {
#pragma unroll
        for (int k = 0; k < window; ++k) {
          of_window[k] = of_row[k * numbers + ys + 2 * zs];
          slopes[k] = of_row[k * numbers + ys + 2 * zs + 4];
        }
      }
#pragma unroll
      for (int ox = 0; ox < orders<output>; ++ox) {
        if (t < 2 * rows) go_along_x(ox, of_window, slopes, row, ys, room);
        __syncthreads();
#pragma unroll
        for (int oy = 0; oy < orders<output>; ++oy) {
          if (number_of<output>(ox, oy, 0) < 0) continue;
          go_along_y(oy, room);
          __syncthreads();
          const double* const from = room.along_y + y * side + x;
          const double* const fewer_from = room.fewer_y + y / 2 * cells + x / 2;
#pragma unroll
          for (int oz = 0; oz < orders<output>; ++oz) {
            if (number_of<output>(ox, oy, oz) < 0) continue;
            const int n = set * most_numbers + field_place(output, number_of<output>(ox, oy, oz));
            if (oz == 2) {
              values[0][n] += sum_of(axis.all[2][2 * cell], zs, from + start * side * side, side * side);
            } else if (oz == zs) {
              values[0][n] += from[at * side * side];
            }
            values[1][n] += sum_of(axis.all[oz][2 * cell + 1], zs, from + start * side * side, side * side);
            if (of_middle)
              fewer[n] += sum_of(axis.fewer[oz][cell], zs, fewer_from + start * cells * cells, cells * cells);
          }
          __syncthreads();
        }
      }
    }
  }
  // What the two ways differ by in the middle of a cell, for its points: the middle's thread is of the same warp.
  const int middle = (t % 32) | 1 | side;
#pragma unroll
  for (int set = 0; set < sets; ++set) {
#pragma unroll
    for (int k = 0; k < count; ++k) {
      const int n = set * most_numbers + field_place(output, k);
      fewer[n] = __shfl_sync(~0u, of_middle ? fewer[n] - values[1][n] : 0.0, middle);
    }
  }
  const auto agrees = [&](int k) {
    double others[sets * most_numbers];
#pragma unroll
    for (int n = 0; n < sets * most_numbers; ++n) others[n] = values[k][n] + fewer[n];
    return values_agree(step.measure, output, values[k], others, most_numbers, sets, step.scale, within);
  };
  const auto store = [&](int k, std::size_t to) {
    if constexpr (output != MixedOutput::mixed) {
      step.values[to] =
          static_cast<float>(refinement::field_of(step.measure, values[k], most_numbers, sets, field_numbers(output)));
    } else {
#pragma unroll
      for (int set = 0; set < sets; ++set) {
#pragma unroll
        for (int n = 0; n < numbers; ++n)
          step.sums[(static_cast<std::size_t>(set) * fine_size + to) * numbers + static_cast<std::size_t>(n)] =
              values[k][set * most_numbers + n];
      }
    }
  };
  refinement::finish_tile(step, tile, x, y, 2 * cell, room.failed, agrees, store);
}

template <int sets>
void launch_mixed(const Stream& stream, MixedOutput output, const Step& step, const Tolerances& within,
                  const Weights* weights, std::size_t begin, std::size_t count) {
  const auto kernel = output == MixedOutput::slopes  ? mixed_kernel<MixedOutput::slopes, sets>
                      : output == MixedOutput::mixed ? mixed_kernel<MixedOutput::mixed, sets>
                                                     : mixed_kernel<MixedOutput::second, sets>;
  launch("density: tiles of mixed derivatives", stream, kernel, {static_cast<unsigned>(count)},
         {static_cast<unsigned>(threads)}, step, within, weights, static_cast<unsigned>(begin));
}

}  // namespace

void refinement::interpolate_mixed_cuda(const Stream& stream, DensityOrder order, std::size_t sets, const Step& step,
                                        const mixed::Weights* weights, std::size_t begin, std::size_t count) {
  const MixedOutput output = !step.values                      ? MixedOutput::mixed
                             : order == DensityOrder::gradient ? MixedOutput::slopes
                                                               : MixedOutput::second;
  const double shortest = fmin(fabs(step.step[0]), fmin(fabs(step.step[1]), fabs(step.step[2]))) / 2;
  const Tolerances within = tolerances_of(order == DensityOrder::hessian, shortest);
  if (sets == 1) {
    launch_mixed<1>(stream, output, step, within, weights, begin, count);
  } else {
    launch_mixed<2>(stream, output, step, within, weights, begin, count);
  }
}

}  // namespace isolume
