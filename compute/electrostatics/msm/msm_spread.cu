// Multilevel summation on CUDA: charges onto the finest lattice, one block for each brick of 8 x 8 x 8 nodes.
#include <algorithm>
#include <cmath>

#include "compute/base/launch.cuh"
#include "compute/electrostatics/msm/msm_cuda.h"

namespace isolume {

namespace {

constexpr int brick = 8;   // nodes along an edge
constexpr int chunk = 64;  // charges whose weights are in shared memory at a time

struct SpreadGeometry {
  double to_lattice[3][3];  // [row][column], from space
  double offset[3];
  int n[3];
  int bricks[3];
  bool periodic[3];
  int below;
  int degree;
  double fixed_per;  // units of a FixedCharge per node
  float per_fixed;
  int shift_bits;  // log2(fixed_per)
  float scale;
  float coefficient[8][8];  // [power][tap]
};

__global__ void lattice_kernel(const RawCharge* charges, std::uint32_t count, SpreadGeometry g, FixedCharge* out,
                               std::uint32_t* keys, std::uint32_t* order) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const RawCharge c = charges[i];
  int fixed[3];
  int at[3];
  for (int axis = 0; axis < 3; ++axis) {
    double u = g.to_lattice[axis][0] * c.x + g.to_lattice[axis][1] * c.y + g.to_lattice[axis][2] * c.z + g.offset[axis];
    const double n = g.n[axis];
    if (g.periodic[axis]) {
      u -= n * floor(u / n);
    } else {
      u = fmin(fmax(u, static_cast<double>(g.below)), n - g.below - 1.0 - 1e-7);
    }
    fixed[axis] = __double2int_rn(u * g.fixed_per);
    int base = fixed[axis] >> g.shift_bits;
    if (base >= g.n[axis]) {
      // Rounded up to the end of the cell.
      base = 0;
      fixed[axis] = 0;
    }
    at[axis] = base / brick;
  }
  out[i] = {fixed[0], fixed[1], fixed[2], c.charge * g.scale};
  keys[i] = (static_cast<std::uint32_t>(at[2]) * g.bricks[1] + at[1]) * g.bricks[0] + at[0];
  order[i] = i;
}

__global__ void reorder_kernel(const FixedCharge* from, const std::uint32_t* order, std::uint32_t count,
                               FixedCharge* to) {
  const std::uint32_t n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n < count) to[n] = from[order[n]];
}

__global__ void brick_offsets_kernel(const std::uint32_t* keys, std::uint32_t count, std::uint32_t bricks,
                                     std::uint32_t* first) {
  const std::uint32_t b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b > bricks) return;
  std::uint32_t low = 0;
  std::uint32_t high = count;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (keys[middle] < b) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  first[b] = low;
}

/// Part of the range of nodes from which charges reach a brick, along one axis: the brick that holds it, and by how
/// much its nodes are shifted there.
struct Segment {
  int brick;
  int shift;
  int next;  // where the following segment begins
};

__device__ Segment segment_at(int s, int n, bool periodic) {
  int w = s;
  if (periodic) {
    w %= n;
    if (w < 0) w += n;
  }
  const int b = w / brick;
  return {b, s - w, s + min((b + 1) * brick, n) - w};
}

template <int degree>
__global__ void __launch_bounds__(64)
    spread_kernel(const FixedCharge* __restrict__ charges, const std::uint32_t* __restrict__ first, SpreadGeometry g,
                  MsmView nodes) {
  constexpr int below = (degree - 1) / 2;
  constexpr int taps = degree + 1;
  __shared__ float4 queue[2 * chunk];  // position relative to the brick's first node, and charge
  __shared__ float wx[chunk][brick];
  __shared__ float wy[chunk][brick];
  __shared__ float4 wz[chunk][brick / 4];
  __shared__ int votes[2];
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread & 31;
  const int warp = thread >> 5;
  const int low[3] = {static_cast<int>(blockIdx.x) * brick, static_cast<int>(blockIdx.y) * brick,
                      static_cast<int>(blockIdx.z) * brick};
  const int ix = thread & 7;
  const int iy = thread >> 3;
  float sum[brick] = {};
  int filled = 0;

  // Weights of up to `chunk` charges of the queue, then their share of this thread's column of nodes.
  const auto work_off = [&](int count) {
    __syncthreads();
    if (thread < count) {
      const float4 c = queue[thread];
      const float position[3] = {c.x, c.y, c.z};
#pragma unroll
      for (int axis = 0; axis < 3; ++axis) {
        float* w = axis == 0 ? wx[thread] : axis == 1 ? wy[thread] : reinterpret_cast<float*>(wz[thread]);
        const float base = floorf(position[axis]);
        const float t = position[axis] - base;
        const int start = static_cast<int>(base) - below;
#pragma unroll
        for (int i = 0; i < brick; ++i) w[i] = 0;
#pragma unroll
        for (int m = 0; m < taps; ++m) {
          float value = g.coefficient[degree][m];
#pragma unroll
          for (int k = degree - 1; k >= 0; --k) value = fmaf(value, t, g.coefficient[k][m]);
          if (axis == 2) value *= c.w;
          const int i = start + m;
          if (i >= 0 && i < brick) w[i] = value;
        }
      }
    }
    __syncthreads();
    for (int n = 0; n < count; ++n) {
      const float w = wx[n][ix] * wy[n][iy];
      const float4 a = wz[n][0];
      const float4 b = wz[n][1];
      sum[0] = fmaf(w, a.x, sum[0]);
      sum[1] = fmaf(w, a.y, sum[1]);
      sum[2] = fmaf(w, a.z, sum[2]);
      sum[3] = fmaf(w, a.w, sum[3]);
      sum[4] = fmaf(w, b.x, sum[4]);
      sum[5] = fmaf(w, b.y, sum[5]);
      sum[6] = fmaf(w, b.z, sum[6]);
      sum[7] = fmaf(w, b.w, sum[7]);
    }
    __syncthreads();
  };

  int range[3][2];
  for (int axis = 0; axis < 3; ++axis) {
    range[axis][0] = low[axis] - below - 1;
    range[axis][1] = min(low[axis] + brick, g.n[axis]) - 1 + below;
    if (!g.periodic[axis]) {
      range[axis][0] = max(range[axis][0], 0);
      range[axis][1] = min(range[axis][1], g.n[axis] - 1);
    }
  }
  Segment sz;
  for (int z = range[2][0]; z <= range[2][1]; z = sz.next) {
    sz = segment_at(z, g.n[2], g.periodic[2]);
    Segment sy;
    for (int y = range[1][0]; y <= range[1][1]; y = sy.next) {
      sy = segment_at(y, g.n[1], g.periodic[1]);
      Segment sx;
      for (int x = range[0][0]; x <= range[0][1]; x = sx.next) {
        sx = segment_at(x, g.n[0], g.periodic[0]);
        const std::uint32_t key =
            (static_cast<std::uint32_t>(sz.brick) * g.bricks[1] + sy.brick) * g.bricks[0] + sx.brick;
        const std::uint32_t to = first[key + 1];
        for (std::uint32_t base = first[key]; base < to; base += chunk) {
          const std::uint32_t n = base + thread;
          bool reaches = false;
          float4 c = {};
          if (n < to) {
            const int4 raw = __ldg(reinterpret_cast<const int4*>(charges) + n);
            const int rx = raw.x + ((sx.shift - low[0]) << g.shift_bits);
            const int ry = raw.y + ((sy.shift - low[1]) << g.shift_bits);
            const int rz = raw.z + ((sz.shift - low[2]) << g.shift_bits);
            const int bx = rx >> g.shift_bits;
            const int by = ry >> g.shift_bits;
            const int bz = rz >> g.shift_bits;
            reaches = bx >= -below - 1 && bx <= brick - 1 + below && by >= -below - 1 && by <= brick - 1 + below &&
                      bz >= -below - 1 && bz <= brick - 1 + below;
            c = {rx * g.per_fixed, ry * g.per_fixed, rz * g.per_fixed, __int_as_float(raw.w)};
          }
          const unsigned vote = __ballot_sync(~0u, reaches);
          if (lane == 0) votes[warp] = __popc(vote);
          __syncthreads();
          if (reaches) queue[filled + (warp ? votes[0] : 0) + __popc(vote & ((1u << lane) - 1u))] = c;
          filled += votes[0] + votes[1];
          if (filled >= chunk) {
            work_off(chunk);
            // What is left moves to the front.
            filled -= chunk;
            if (thread < filled) queue[thread] = queue[chunk + thread];
          }
          __syncthreads();
        }
      }
    }
  }
  work_off(filled);
  const int x = low[0] + ix;
  const int y = low[1] + iy;
  if (x >= g.n[0] || y >= g.n[1]) return;
#pragma unroll
  for (int i = 0; i < brick; ++i) {
    const int z = low[2] + i;
    if (z < g.n[2]) {
      nodes.values[(static_cast<std::size_t>(z) * nodes.padded[1] + y) * nodes.padded[0] + x] = sum[i];
    }
  }
}

}  // namespace

void msm_spread_cuda(const MsmPlan& plan, const DeviceArray<RawCharge>& charges, double scale, MsmView nodes,
                     Stream& stream) {
  SpreadGeometry g{};
  const glm::dmat3 to_lattice = plan.inverse * plan.frame.turn;
  const glm::dvec3 offset = -(to_lattice * plan.frame.origin) - plan.inverse * plan.origin;
  std::uint32_t bricks = 1;
  int longest = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) g.to_lattice[i][j] = to_lattice[j][i];
    g.offset[i] = offset[i];
    g.n[i] = nodes.counts[i];
    g.bricks[i] = (nodes.counts[i] + brick - 1) / brick;
    g.periodic[i] = plan.periodic[i];
    bricks *= static_cast<std::uint32_t>(g.bricks[i]);
    longest = std::max(longest, g.n[i]);
  }
  g.below = plan.basis.below;
  g.degree = plan.basis.degree;
  // A ring may be shifted by its own length and more.
  g.shift_bits = 28 - static_cast<int>(std::ceil(std::log2(static_cast<double>(longest) + 16)));
  g.shift_bits = std::min(g.shift_bits, 21);
  g.fixed_per = std::ldexp(1.0, g.shift_bits);
  g.per_fixed = static_cast<float>(1 / g.fixed_per);
  g.scale = static_cast<float>(scale);
  for (int m = 0; m <= plan.basis.degree; ++m) {
    for (int k = 0; k <= plan.basis.degree; ++k) g.coefficient[k][m] = static_cast<float>(plan.basis.coefficient[m][k]);
  }
  const auto count = static_cast<std::uint32_t>(charges.size());
  DeviceArray<FixedCharge> placed(count, stream, "MSM: charges");
  DeviceArray<FixedCharge> sorted(count, stream, "MSM: charges");
  DeviceArray<std::uint32_t> keys(count, stream, "MSM: bricks of charges");
  DeviceArray<std::uint32_t> sorted_keys(count, stream, "MSM: bricks of charges");
  DeviceArray<std::uint32_t> order(count, stream, "MSM: order of charges");
  DeviceArray<std::uint32_t> sorted_order(count, stream, "MSM: order of charges");
  DeviceArray<std::uint32_t> first(std::size_t{bricks} + 1, stream, "MSM: bricks");
  launch("MSM: lattice coordinates", stream, lattice_kernel, blocks_for(count), {256, 1, 1}, charges.data(), count, g,
         placed.data(), keys.data(), order.data());
  const int bits = std::max(1, static_cast<int>(std::ceil(std::log2(static_cast<double>(bricks) + 1.0))));
  std::size_t bytes = 0;
  cuda_check(cuda_api().sort_pairs(nullptr, &bytes, keys.data(), sorted_keys.data(), order.data(), sorted_order.data(),
                                   count, bits, stream.handle()),
             "sorting charges");
  DeviceArray<std::byte> temporary(bytes, stream, "MSM: sorting");
  {
    const LaunchTimer timer("MSM: sort", stream.device().index, stream.handle());
    cuda_check(cuda_api().sort_pairs(temporary.data(), &bytes, keys.data(), sorted_keys.data(), order.data(),
                                     sorted_order.data(), count, bits, stream.handle()),
               "sorting charges");
  }
  launch("MSM: reorder", stream, reorder_kernel, blocks_for(count), {256, 1, 1}, placed.data(), sorted_order.data(),
         count, sorted.data());
  launch("MSM: bricks", stream, brick_offsets_kernel, blocks_for(std::size_t{bricks} + 1), {256, 1, 1},
         sorted_keys.data(), count, bricks, first.data());
  const auto kernel = plan.basis.degree == 3   ? spread_kernel<3>
                      : plan.basis.degree == 5 ? spread_kernel<5>
                                               : spread_kernel<7>;
  launch("MSM: charges to lattice", stream, kernel,
         {static_cast<unsigned>(g.bricks[0]), static_cast<unsigned>(g.bricks[1]), static_cast<unsigned>(g.bricks[2])},
         {64, 1, 1}, sorted.data(), first.data(), g, nodes);
}

}  // namespace isolume
