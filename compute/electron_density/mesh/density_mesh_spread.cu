// Hermite Gaussians onto the mesh of a density's potential, on CUDA: a block has a brick of points and sums over all
// sources that reach it.
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/base/slices.h"
#include "compute/electron_density/mesh/density_mesh_kernels.h"

namespace isolume {

namespace {

constexpr int threads = 128, warps = threads / 32;
constexpr int brick_x = 16, brick_y = 8, brick_z = 8;
constexpr int most_unrolled = 6;     // two f shells
constexpr int most_in_single = 4;    // two d shells
constexpr unsigned looked_at = 512;  // sources, before those that reach the brick are summed

struct SpreadSource {
  double centre[3];  // bohr, from the mesh's first point
  double exponent, root, norm;
  unsigned first;  // of its coefficients
};

struct SpreadTask {
  const SpreadSource* sources;
  const float4* balls;  // centre and reach
  const float* coefficients;
  unsigned begin, end;  // of the sources, all of one order
  double step;
  int counts[3];  // points that are summed
  int rows[2];    // points of a row, rows of a plane
  int first_layer;
  float* mesh;
};

/// `order` fixed when compiled, or up to the largest.
template <int fixed>
struct Shape {
  static constexpr int order = fixed >= 0 ? fixed : most_site_order;
  static constexpr int batch = fixed >= 0 ? 8 : 2;
  static constexpr int powers = (hermite_count(order) + 3) / 4 * 4;
};

/// Derivatives with respect to the centre of root / sqrt(pi) exp(-exponent (x - centre)^2). High ones are differences
/// of large numbers, whose rounding would be a charge.
template <int fixed>
__device__ __forceinline__ void set_line(const SpreadSource& source, double away, int order, float* to, int stride) {
  using Real = std::conditional_t<fixed >= 0 && fixed <= most_in_single, float, double>;
  const Real root = static_cast<Real>(source.root), s = root * static_cast<Real>(away), twice = 2 * root * s;
  const Real exponent = static_cast<Real>(source.exponent);
  Real before = 0, value = static_cast<Real>(source.norm) * exp(-s * s);
#pragma unroll
  for (int t = 0; t <= Shape<fixed>::order; ++t) {
    if (fixed < 0 && t > order) break;
    to[t * stride] = static_cast<float>(value);
    const Real next = twice * value - 2 * exponent * static_cast<Real>(t) * before;
    before = value;
    value = next;
  }
}

template <int fixed>
__global__ void __launch_bounds__(threads) spread_kernel(const __grid_constant__ SpreadTask task, int any_order) {
  using S = Shape<fixed>;
  const int order = fixed >= 0 ? fixed : any_order;
  __shared__ unsigned queue[looked_at];
  __shared__ unsigned found_by[warps];
  __shared__ SpreadSource sources[S::batch];
  __shared__ __align__(16) float along_x[S::batch][S::order + 1][brick_x];
  __shared__ float along_y[S::batch][S::order + 1][brick_y];
  __shared__ float along_z[S::batch][S::order + 1][brick_z];
  __shared__ float coefficients[S::batch][S::powers];
  __shared__ float of_rows[S::batch][S::order + 1][brick_y * brick_z];

  const int thread = static_cast<int>(threadIdx.x);
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int i0 = static_cast<int>(blockIdx.x) * brick_x, j0 = static_cast<int>(blockIdx.y) * brick_y,
            k0 = (task.first_layer + static_cast<int>(blockIdx.z)) * brick_z;
  const float step = static_cast<float>(task.step);
  const float lower[3] = {step * static_cast<float>(i0), step * static_cast<float>(j0), step * static_cast<float>(k0)};
  const float upper[3] = {lower[0] + step * (brick_x - 1), lower[1] + step * (brick_y - 1),
                          lower[2] + step * (brick_z - 1)};
  // A thread's points: row (j, k), half of it.
  const int row = thread % (brick_y * brick_z), half = thread / (brick_y * brick_z) * (brick_x / 2);
  float sums[brick_x / 2] = {};

  for (unsigned begin = task.begin; begin < task.end; begin += looked_at) {
    unsigned found = 0;
    for (unsigned part = 0; part < looked_at / threads; ++part) {
      const unsigned at = begin + part * threads + threadIdx.x;
      bool reaches = false;
      if (at < task.end) {
        const float4 ball = task.balls[at];
        const float x = fmaxf(fmaxf(lower[0] - ball.x, ball.x - upper[0]), 0.0f);
        const float y = fmaxf(fmaxf(lower[1] - ball.y, ball.y - upper[1]), 0.0f);
        const float z = fmaxf(fmaxf(lower[2] - ball.z, ball.z - upper[2]), 0.0f);
        reaches = x * x + y * y + z * z <= ball.w * ball.w;
      }
      const unsigned who = __ballot_sync(~0u, reaches);
      if (lane == 0) found_by[warp] = static_cast<unsigned>(__popc(who));
      __syncthreads();
      unsigned place = found + static_cast<unsigned>(__popc(who & ((1u << lane) - 1)));
      for (unsigned w = 0; w < warps; ++w) {
        if (w < warp) place += found_by[w];
        found += found_by[w];
      }
      if (reaches) queue[place] = at;
      __syncthreads();
    }
    for (unsigned first = 0; first < found; first += S::batch) {
      const int count = static_cast<int>(min(found - first, static_cast<unsigned>(S::batch)));
      if (thread < count) sources[thread] = task.sources[queue[first + threadIdx.x]];
      __syncthreads();
      const int powers = hermite_count(order);
      for (int n = thread; n < count * powers; n += threads)
        coefficients[n / powers][n % powers] = task.coefficients[sources[n / powers].first + n % powers];
      constexpr int places = brick_x + brick_y + brick_z;
      for (int n = thread; n < count * places; n += threads) {
        const int s = n / places, at = n % places;
        const SpreadSource& source = sources[s];
        if (at < brick_x) {
          set_line<fixed>(source, task.step * (i0 + at) - source.centre[0], order, &along_x[s][0][at], brick_x);
        } else if (at < brick_x + brick_y) {
          const int j = at - brick_x;
          set_line<fixed>(source, task.step * (j0 + j) - source.centre[1], order, &along_y[s][0][j], brick_y);
        } else {
          const int k = at - brick_x - brick_y;
          set_line<fixed>(source, task.step * (k0 + k) - source.centre[2], order, &along_z[s][0][k], brick_z);
        }
      }
      __syncthreads();
      // Sums over v and u, by t, for two rows of a plane at a time.
      constexpr int tasks = brick_z * brick_y / 2;
      for (int n = thread; n < count * tasks; n += threads) {
        const int s = n / tasks, k = n % tasks / (brick_y / 2), j = n % (brick_y / 2);
        const float* c = coefficients[s];
        if constexpr (fixed >= 0) {
          float of_z[S::order + 1][S::order + 1] = {};
          float z[S::order + 1];
#pragma unroll
          for (int v = 0; v <= S::order; ++v) z[v] = along_z[s][v][k];
          int h = 0;
#pragma unroll
          for (int total = 0; total <= S::order; ++total) {
#pragma unroll
            for (int t = total; t >= 0; --t) {
#pragma unroll
              for (int u = total - t; u >= 0; --u) of_z[t][u] = fmaf(c[h++], z[total - t - u], of_z[t][u]);
            }
          }
#pragma unroll
          for (int side = 0; side < 2; ++side) {
            const int at = j + side * (brick_y / 2);
#pragma unroll
            for (int t = 0; t <= S::order; ++t) {
              float sum = 0;
#pragma unroll
              for (int u = 0; t + u <= S::order; ++u) sum = fmaf(of_z[t][u], along_y[s][u][at], sum);
              of_rows[s][t][k * brick_y + at] = sum;
            }
          }
        } else {
          for (int side = 0; side < 2; ++side) {
            const int at = j + side * (brick_y / 2);
            for (int t = 0; t <= order; ++t) {
              float sum = 0;
              for (int u = 0; t + u <= order; ++u) {
                float part = 0;
                for (int v = 0; t + u + v <= order; ++v) part = fmaf(c[hermite_place(t, u, v)], along_z[s][v][k], part);
                sum = fmaf(part, along_y[s][u][at], sum);
              }
              of_rows[s][t][k * brick_y + at] = sum;
            }
          }
        }
      }
      __syncthreads();
      for (int s = 0; s < count; ++s) {
#pragma unroll
        for (int t = 0; t <= S::order; ++t) {
          if (fixed < 0 && t > order) break;
          const float value = of_rows[s][t][row];
          const float4* x = reinterpret_cast<const float4*>(&along_x[s][t][half]);
#pragma unroll
          for (int q = 0; q < brick_x / 8; ++q) {
            const float4 four = x[q];
            sums[4 * q] = fmaf(value, four.x, sums[4 * q]);
            sums[4 * q + 1] = fmaf(value, four.y, sums[4 * q + 1]);
            sums[4 * q + 2] = fmaf(value, four.z, sums[4 * q + 2]);
            sums[4 * q + 3] = fmaf(value, four.w, sums[4 * q + 3]);
          }
        }
      }
      __syncthreads();
    }
  }
  const int j = j0 + row % brick_y, k = k0 + row / brick_y;
  if (j >= task.counts[1] || k >= task.counts[2]) return;
  float* const to = task.mesh + (static_cast<std::size_t>(k) * task.rows[1] + j) * task.rows[0] + i0 + half;
#pragma unroll
  for (int i = 0; i < brick_x / 2; ++i) {
    if (i0 + half + i < task.counts[0]) to[i] += sums[i];
  }
}

using Kernel = void (*)(SpreadTask, int);

template <int... orders>
Kernel kernel_for(int order, std::integer_sequence<int, orders...>) {
  Kernel kernel = spread_kernel<-1>;
  ((order == orders ? void(kernel = spread_kernel<orders>) : void()), ...);
  return kernel;
}

int bricks(int count, int edge) {
  return (count + edge - 1) / edge;
}

}  // namespace

void spread_density_cuda(const DensityMeshPlan& plan, float* mesh, Stream& stream, Job& job) {
  const char* what = "density mesh: sources";
  const std::size_t points = static_cast<std::size_t>(plan.padded.x) * static_cast<std::size_t>(plan.padded.y) *
                             static_cast<std::size_t>(plan.padded.z);
  cuda_check(cuda_api().set_bytes(mesh, 0, points * sizeof(float), stream.handle()), what);
  if (plan.sources.empty()) return;
  // By order: those of one launch take the same steps.
  unsigned first[most_site_order + 2] = {};
  for (const MeshSource& source : plan.sources) ++first[source.order + 1];
  for (int order = 0; order <= most_site_order; ++order) first[order + 1] += first[order];
  std::vector<SpreadSource> sources(plan.sources.size());
  std::vector<float4> balls(plan.sources.size());
  unsigned next[most_site_order + 1];
  std::copy_n(first, most_site_order + 1, next);
  double cells = 0;
  for (const MeshSource& source : plan.sources) {
    const unsigned at = next[source.order]++;
    const glm::dvec3 centre = source.centre - plan.origin;
    SpreadSource& to = sources[at];
    for (int axis = 0; axis < 3; ++axis) to.centre[axis] = centre[axis];
    to.exponent = source.exponent;
    to.root = std::sqrt(source.exponent);
    to.norm = std::sqrt(source.exponent) / 1.7724538509055160273;
    to.first = source.first;
    balls[at] = {static_cast<float>(centre.x), static_cast<float>(centre.y), static_cast<float>(centre.z),
                 static_cast<float>(1.001 * source.reach)};
    cells += (source.order + 3) * std::pow(2 * source.reach / plan.step + brick_x, 3);
  }
  const auto sources_there = DeviceArray<SpreadSource>::from_host(sources, stream, "sources on the mesh");
  const auto balls_there = DeviceArray<float4>::from_host(balls, stream, "sources on the mesh");
  const auto coefficients = DeviceArray<float>::from_host(plan.coefficients, stream, "sources on the mesh");
  SpreadTask task{};
  task.sources = sources_there.data();
  task.balls = balls_there.data();
  task.coefficients = coefficients.data();
  task.step = plan.step;
  for (int axis = 0; axis < 3; ++axis) task.counts[axis] = plan.counts[axis];
  task.rows[0] = plan.padded.x;
  task.rows[1] = plan.padded.y;
  task.mesh = mesh;
  const auto layers = static_cast<std::size_t>(bricks(plan.counts.z, brick_z));
  // First launches that are short on any device.
  const double wanted = 2e10 / (cells + 1) * static_cast<double>(layers);
  for_slices(layers, static_cast<std::size_t>(std::clamp(wanted, 1.0, static_cast<double>(layers))), stream, job, what,
             [&](std::size_t begin, std::size_t count) {
               task.first_layer = static_cast<int>(begin);
               const CudaDim grid{static_cast<unsigned>(bricks(plan.counts.x, brick_x)),
                                  static_cast<unsigned>(bricks(plan.counts.y, brick_y)), static_cast<unsigned>(count)};
               for (int order = 0; order <= most_site_order; ++order) {
                 task.begin = first[order];
                 task.end = first[order + 1];
                 if (task.begin == task.end) continue;
                 launch(what, stream, kernel_for(order, std::make_integer_sequence<int, most_unrolled + 1>()), grid,
                        {threads, 1, 1}, task, order);
               }
             });
  // Before what it reads is freed, and what the caller does next can fail.
  stream.synchronize(what);
}

}  // namespace isolume
