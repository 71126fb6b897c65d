// Solvent-accessible area on CUDA: a block an atom, its neighbours' caps in shared memory.
#include <algorithm>

#include "compute/analysis/sasa_body.h"
#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/base/slices.h"

namespace isolume {
namespace {

constexpr int threads = 128;
constexpr int batch = 256;  // caps in shared memory

/// A block counts the open points of one ball. Points are covered by caps p . d > limit.
__global__ void __launch_bounds__(threads)
    area_kernel(CellGrid grid, const Ball* __restrict__ balls, const std::uint32_t* __restrict__ starts,
                const std::uint32_t* __restrict__ order, const float4* __restrict__ points, int point_count,
                double largest, std::size_t first, float* __restrict__ areas) {
  __shared__ float4 caps[batch];
  __shared__ int listed;
  __shared__ int open_total;
  const std::size_t i = first + blockIdx.x;
  const Ball ball = balls[i];
  const double at[3] = {static_cast<double>(ball.x), static_cast<double>(ball.y), static_cast<double>(ball.z)};
  const double radius = static_cast<double>(ball.radius);
  int lower[3], upper[3];
  for (int axis = 0; axis < 3; ++axis) {
    lower[axis] = grid.along(axis, at[axis] - radius - largest);
    upper[axis] = grid.along(axis, at[axis] + radius + largest);
  }
  if (threadIdx.x == 0) open_total = 0;
  // Points in passes of up to 32 a thread, a bit each.
  for (int base = 0; base < point_count; base += 32 * threads) {
    unsigned free = 0;
    for (int n = 0; n < 32; ++n)
      if (base + n * threads + static_cast<int>(threadIdx.x) < point_count) free |= 1u << n;
    const auto cut = [&](int count) {
      for (int n = 0; n < 32; ++n) {
        if (!(free >> n & 1u)) continue;
        const float4 p = points[base + n * threads + static_cast<int>(threadIdx.x)];
        for (int c = 0; c < count; ++c) {
          const float4 cap = caps[c];
          if (fmaf(p.x, cap.x, fmaf(p.y, cap.y, p.z * cap.z)) > cap.w) {
            free &= ~(1u << n);
            break;
          }
        }
      }
    };
    if (threadIdx.x == 0) listed = 0;
    __syncthreads();
    for (int z = lower[2]; z <= upper[2]; ++z) {
      for (int y = lower[1]; y <= upper[1]; ++y) {
        const std::uint32_t begin = starts[grid.index(lower[0], y, z)];
        const std::uint32_t end = starts[grid.index(upper[0], y, z) + 1];
        for (std::uint32_t from = begin; from < end; from += threads) {
          const std::uint32_t k = from + threadIdx.x;
          if (k < end && k != i) {
            const Ball other = balls[k];
            const double dx = static_cast<double>(other.x) - at[0];
            const double dy = static_cast<double>(other.y) - at[1];
            const double dz = static_cast<double>(other.z) - at[2];
            const double r = static_cast<double>(other.radius);
            const double d2 = dx * dx + dy * dy + dz * dz;
            if (d2 < (radius + r) * (radius + r)) {
              caps[atomicAdd(&listed, 1)] = {static_cast<float>(dx), static_cast<float>(dy), static_cast<float>(dz),
                                             static_cast<float>((d2 + radius * radius - r * r) / (2 * radius))};
            }
          }
          __syncthreads();
          if (listed > batch - threads) {
            cut(listed);
            __syncthreads();
            if (threadIdx.x == 0) listed = 0;
            __syncthreads();
          }
        }
      }
    }
    cut(listed);
    atomicAdd(&open_total, __popc(free));
    __syncthreads();
  }
  if (threadIdx.x == 0) areas[order[i]] = static_cast<float>(sphere_area * radius * radius * open_total / point_count);
}

}  // namespace

void solvent_accessible_area_cuda(std::span<const SasaAtom> atoms, const SasaOptions& options, Span<float> areas,
                                  Job& job) {
  Stream stream(areas.device);
  const BallCells cells = sasa_cells(atoms, options);
  double largest = 0;
  for (const Ball& ball : cells.balls) largest = std::max(largest, static_cast<double>(ball.radius));
  std::vector<float4> unit;
  for (const glm::dvec3& p : sphere_points(options.points))
    unit.push_back({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z), 0});
  const auto balls = DeviceArray<Ball>::from_host(cells.balls, stream, "area: atoms");
  const auto starts = DeviceArray<std::uint32_t>::from_host(cells.starts, stream, "area: cells");
  const auto order = DeviceArray<std::uint32_t>::from_host(cells.order, stream, "area: atoms");
  const auto points = DeviceArray<float4>::from_host(unit, stream, "area: points");
  for_slices(atoms.size(), 16384, stream, job, "solvent-accessible area", [&](std::size_t begin, std::size_t count) {
    launch("solvent-accessible area", stream, area_kernel, {static_cast<unsigned>(count)}, {threads}, cells.grid,
           balls.data(), starts.data(), order.data(), points.data(), options.points, largest, begin, areas.data);
  });
  stream.synchronize("solvent-accessible area");
}

}  // namespace isolume
