// Debye-Hückel on CUDA: several points per thread, spheres through shared memory.
#include <cmath>
#include <vector>

#include "compute/device_array.h"
#include "compute/potential/direct_math.h"
#include "compute/potential/fast_math.cuh"
#include "compute/potential/launch.cuh"
#include "compute/potential/potential_bodies.h"
#include "molecule/units.h"

namespace isolume {

namespace {

constexpr int threads = 128;
constexpr int most_grids = 6;

struct GridPoints {
  double origin[3];
  double step[3][3];  // [axis][component]
  int nx, ny;
  std::uint32_t first;  // of its points among those of the launch
};

struct PointSet {
  GridPoints grids[most_grids];
  int grid_count;
  std::uint32_t count;
};

/// spheres: x, y, z relative to the same centre as the grids, and the amplitude. Points per thread are `threads` apart.
template <int run>
__global__ void __launch_bounds__(threads)
    debye_kernel(const float4* __restrict__ spheres, int count, PointSet points, float rate, float* __restrict__ out) {
  __shared__ float4 block[threads];
  const std::uint32_t first = blockIdx.x * (threads * run) + threadIdx.x;
  float px[run];
  float py[run];
  float pz[run];
  float sum[run] = {};
  double total[run] = {};
#pragma unroll
  for (int k = 0; k < run; ++k) {
    std::uint32_t at = min(first + k * threads, points.count - 1);
    int which = 0;
    while (which + 1 < points.grid_count && at >= points.grids[which + 1].first) ++which;
    const GridPoints& g = points.grids[which];
    at -= g.first;
    const double i = at % g.nx;
    const double j = at / g.nx % g.ny;
    const double l = at / g.nx / g.ny;
    px[k] = static_cast<float>(g.origin[0] + i * g.step[0][0] + j * g.step[1][0] + l * g.step[2][0]);
    py[k] = static_cast<float>(g.origin[1] + i * g.step[0][1] + j * g.step[1][1] + l * g.step[2][1]);
    pz[k] = static_cast<float>(g.origin[2] + i * g.step[0][2] + j * g.step[1][2] + l * g.step[2][2]);
  }
  for (int base = 0; base < count; base += threads) {
    __syncthreads();
    const int n = base + static_cast<int>(threadIdx.x);
    block[threadIdx.x] = n < count ? spheres[n] : make_float4(1e9f, 0, 0, 0);
    __syncthreads();
#pragma unroll 4
    for (int m = 0; m < threads; ++m) {
      const float4 s = block[m];
#pragma unroll
      for (int k = 0; k < run; ++k) {
        const float dx = px[k] - s.x;
        const float dy = py[k] - s.y;
        const float dz = pz[k] - s.z;
        const float r2 = fmaf(dx, dx, fmaf(dy, dy, dz * dz));
        const float inverse = r2 < static_cast<float>(coincidence * coincidence) ? 0.0f : fast_rsqrt(r2);
        sum[k] = fmaf(s.w * inverse, fast_exp2(rate * (r2 * inverse)), sum[k]);
      }
    }
    if ((base / threads) % 8 == 7) {
#pragma unroll
      for (int k = 0; k < run; ++k) {
        total[k] += static_cast<double>(sum[k]);
        sum[k] = 0;
      }
    }
  }
#pragma unroll
  for (int k = 0; k < run; ++k) {
    const std::uint32_t at = first + k * threads;
    if (at < points.count) out[at] = static_cast<float>(total[k] + static_cast<double>(sum[k]));
  }
}

}  // namespace

void debye_hueckel_cuda(std::span<const ChargedSphere> spheres, std::span<const Grid> grids,
                        const DebyeHueckelOptions& options, Span<float> potential, Job& job) {
  const double kappa = options.inverse_debye_length();
  // Relative to the middle of the spheres, so that single precision is used where it matters.
  glm::dvec3 centre(0.0);
  for (const ChargedSphere& s : spheres) centre += glm::dvec3(s.position) / static_cast<double>(spheres.size());
  std::vector<float4> packed;
  packed.reserve(spheres.size());
  for (const ChargedSphere& s : spheres) {
    const glm::dvec3 p = glm::dvec3(s.position) - centre;
    const double radius = static_cast<double>(s.radius);
    const double amplitude = units::coulomb_volt_angstrom / options.permittivity * static_cast<double>(s.charge) *
                             std::exp(kappa * radius) / (1 + kappa * radius);
    packed.push_back(make_float4(static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z),
                                 static_cast<float>(amplitude)));
  }
  Stream stream(potential.device);
  const auto array = DeviceArray<float4>::from_host(packed, stream, "Debye-Hückel: spheres");
  const auto rate = static_cast<float>(-kappa * 1.4426950408889634);
  const auto points_of = [&](const Grid& grid, int k) {
    GridPoints g{};
    const glm::dvec3 origin = grid.point(0, 0, k) - centre;
    for (int c = 0; c < 3; ++c) {
      g.origin[c] = origin[c];
      for (int axis = 0; axis < 3; ++axis) g.step[axis][c] = grid.step[axis][c];
    }
    g.nx = grid.counts.x;
    g.ny = grid.counts.y;
    return g;
  };
  const auto sum = [&](const PointSet& points, float* out) {
    // Few points: fewer per thread, so that all multiprocessors have work.
    const auto kernel = points.count < (1u << 20) ? debye_kernel<2> : debye_kernel<8>;
    const unsigned per_block = threads * (points.count < (1u << 20) ? 2 : 8);
    launch("Debye-Hückel", stream, kernel, blocks_for(points.count, per_block), {threads, 1, 1}, array.data(),
           static_cast<int>(packed.size()), points, rate, out);
  };
  std::size_t total = 0;
  for (const Grid& grid : grids) total += grid.size();
  if (grids.size() <= most_grids && total < (std::size_t{1} << 24)) {
    PointSet points{};
    for (const Grid& grid : grids) {
      if (grid.size() == 0) continue;
      GridPoints& g = points.grids[points.grid_count++] = points_of(grid, 0);
      g.first = points.count;
      points.count += static_cast<std::uint32_t>(grid.size());
    }
    sum(points, potential.data);
    stream.synchronize("Debye-Hückel");
    return;
  }
  std::size_t offset = 0;
  for (const Grid& grid : grids) {
    // In pieces, so that a cancelled job stops soon and 32-bit indices suffice.
    const std::size_t plane = static_cast<std::size_t>(grid.counts.x) * static_cast<std::size_t>(grid.counts.y);
    if (grid.size() == 0) continue;
    const int layers = static_cast<int>(std::max<std::size_t>(1, (std::size_t{1} << 24) / plane));
    for (int k = 0; k < grid.counts.z; k += layers) {
      job.check();
      PointSet points{};
      points.grids[0] = points_of(grid, k);
      points.grid_count = 1;
      points.count = static_cast<std::uint32_t>(plane * static_cast<std::size_t>(std::min(layers, grid.counts.z - k)));
      sum(points, potential.data + offset + plane * static_cast<std::size_t>(k));
      stream.synchronize("Debye-Hückel");
    }
    offset += grid.size();
  }
  stream.synchronize("Debye-Hückel");
}

}  // namespace isolume
