// Frame kernels: sums over items of every frame of a group, in double precision and in a fixed order.
#pragma once

#include <cstddef>

#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/frames/frame_group.h"

namespace isolume::frame_kernels {

inline constexpr int threads = 256;
/// Items of a block: the same on every device, so that sums are too.
inline constexpr std::size_t items_of_block = 4096;

/// Points of a range of every frame, of single or double precision.
template <class T>
struct Points {
  const T* values;  ///< x, y, z of the first frame's first point
  std::size_t per_frame, first;

  __device__ double3 at(std::size_t frame, std::size_t i) const {
    const T* p = values + 3 * (frame * per_frame + first + i);
    return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
  }
};

/// Calls body(points), whose type is that of the group.
template <class Body>
void with_points(const FrameGroup& group, PointRange range, const Body& body) {
  if (group.precise.empty()) {
    body(Points<float>{&group.positions.data->x, group.points, range.first});
  } else {
    body(Points<double>{&group.precise.data->x, group.points, range.first});
  }
}

/// A block adds up the `size` terms of 4096 items of a frame. Term::add(frame, item, sums) adds those of one.
template <int size, class Term>
__global__ void __launch_bounds__(threads)
    part_kernel(Term term, std::size_t items, std::size_t blocks, double* __restrict__ parts) {
  __shared__ double shared[threads / 32][size];
  const std::size_t frame = blockIdx.x / blocks, block = blockIdx.x % blocks;
  const std::size_t begin = block * items_of_block;
  const std::size_t end = begin + items_of_block < items ? begin + items_of_block : items;
  double sums[size] = {};
  for (std::size_t i = begin + threadIdx.x; i < end; i += threads) term.add(frame, i, sums);
#pragma unroll
  for (int k = 0; k < size; ++k)
    for (int step = 16; step > 0; step /= 2) sums[k] += __shfl_down_sync(~0u, sums[k], step);
  if (threadIdx.x % 32 == 0)
    for (int k = 0; k < size; ++k) shared[threadIdx.x / 32][k] = sums[k];
  __syncthreads();
  if (threadIdx.x >= size) return;
  double sum = 0;
  for (int warp = 0; warp < threads / 32; ++warp) sum += shared[warp][threadIdx.x];
  parts[static_cast<std::size_t>(blockIdx.x) * size + threadIdx.x] = sum;
}

/// Adds up the blocks of each frame, times `scale`. (A template, so that each source has its own.)
template <int size>
__global__ void __launch_bounds__(threads) total_kernel(const double* __restrict__ parts, std::size_t blocks,
                                                        std::size_t frames, double scale, double* __restrict__ totals) {
  const std::size_t at = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
  if (at >= frames * size) return;
  const std::size_t frame = at / size, k = at % size;
  double sum = 0;
  for (std::size_t block = 0; block < blocks; ++block) sum += parts[(frame * blocks + block) * size + k];
  totals[at] = scale * sum;
}

/// `size` totals for each frame, on the device of the stream.
template <int size, class Term>
DeviceArray<double> totals(const char* name, const Stream& stream, const Term& term, std::size_t frames,
                           std::size_t items, double scale = 1) {
  const std::size_t blocks = (items + items_of_block - 1) / items_of_block;
  DeviceArray<double> parts(frames * blocks * size, stream, "sums of blocks");
  DeviceArray<double> result(frames * size, stream, "sums of frames");
  launch(name, stream, part_kernel<size, Term>, {static_cast<unsigned>(frames * blocks), 1, 1}, {threads, 1, 1}, term,
         items, blocks, parts.data());
  launch("totals of frames", stream, total_kernel<size>, blocks_for(frames * size, threads), {threads, 1, 1},
         parts.data(), blocks, frames, scale, result.data());
  return result;
}

}  // namespace isolume::frame_kernels
