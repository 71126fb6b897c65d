// Multilevel summation on CUDA: the lattices, down and up, and the map along x and y.
#include <algorithm>
#include <cmath>

#include "compute/potential/launch.cuh"
#include "compute/potential/msm_cuda.h"
#include "molecule/units.h"

namespace isolume {

namespace {

struct Taps {
  float weight[16];
  int reach;  // of restriction: offsets -reach ... reach
};

__device__ __forceinline__ int wrap(int i, int n) {
  i %= n;
  return i < 0 ? i + n : i;
}

__device__ __forceinline__ std::size_t at(const MsmView& v, int x, int y, int z) {
  return (static_cast<std::size_t>(z) * v.padded[1] + y) * v.padded[0] + x;
}

constexpr CudaDim cube_block{32, 4, 2};

CudaDim cube_blocks(int x, int y, int z) {
  return {static_cast<unsigned>((x + 31) / 32), static_cast<unsigned>((y + 3) / 4), static_cast<unsigned>((z + 1) / 2)};
}

#define ISOLUME_NODE(counts)                                             \
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); \
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y); \
  const int z = static_cast<int>(blockIdx.z * blockDim.z + threadIdx.z); \
  if (x >= (counts)[0] || y >= (counts)[1] || z >= (counts)[2]) return

/// One axis of eq. 13: node J takes nodes 2 (J - shift) + t of the fine lattice with Phi(t/2).
__global__ void restrict_kernel(MsmView fine, MsmView coarse, int axis, int shift, bool periodic, Taps taps) {
  ISOLUME_NODE(coarse.counts);
  int node[3] = {x, y, z};
  const int middle = 2 * (node[axis] - shift);
  float sum = 0;
  for (int t = -taps.reach; t <= taps.reach; ++t) {
    const float w = taps.weight[t + taps.reach];
    if (w == 0) continue;
    int i = middle + t;
    if (periodic) {
      i = wrap(i, fine.counts[axis]);
    } else if (i < 0 || i >= fine.counts[axis]) {
      continue;
    }
    node[axis] = i;
    sum = fmaf(w, fine.values[at(fine, node[0], node[1], node[2])], sum);
  }
  coarse.values[at(coarse, x, y, z)] = sum;
}

/// One axis of eq. 16: node i takes the coarse lattice at i/2 + shift; added for the last axis.
__global__ void prolong_kernel(MsmView coarse, MsmView fine, int axis, int shift, bool periodic, Taps half, int taps,
                               int below, bool add) {
  ISOLUME_NODE(fine.counts);
  int node[3] = {x, y, z};
  const int i = node[axis];
  const int base = i / 2 + shift;
  float sum = 0;
  if (i % 2 == 0) {
    node[axis] = periodic ? wrap(base, coarse.counts[axis]) : min(max(base, 0), coarse.counts[axis] - 1);
    sum = coarse.values[at(coarse, node[0], node[1], node[2])];
  } else {
    for (int m = 0; m < taps; ++m) {
      const int J = base - below + m;
      node[axis] = periodic ? wrap(J, coarse.counts[axis]) : min(max(J, 0), coarse.counts[axis] - 1);
      sum = fmaf(half.weight[m], coarse.values[at(coarse, node[0], node[1], node[2])], sum);
    }
  }
  float* out = fine.values + at(fine, x, y, z);
  *out = add ? *out + sum : sum;
}

__global__ void scatter_kernel(const float* stencil, int3 first, int3 size, MsmView kernel) {
  const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (n >= size.x * size.y * size.z) return;
  const int x = wrap(first.x + n % size.x, kernel.padded[0]);
  const int y = wrap(first.y + n / size.x % size.y, kernel.padded[1]);
  const int z = wrap(first.z + n / size.x / size.y, kernel.padded[2]);
  if (stencil[n] != 0) atomicAdd(kernel.values + at(kernel, x, y, z), stencil[n]);
}

struct FarPart {
  bool present;
  double reciprocal[3][3];  // 2 pi times the dual basis: [axis][component]
  double factor;            // 4 pi nodes / volume
  double inverse_4a2;       // 1/(4 alpha^2)
  double constant;          // nodes * constant
};

__global__ void kernel_spectrum_kernel(const float2* spectrum, int3 n, double norm, FarPart far, float* out) {
  const int half = n.x / 2 + 1;
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= static_cast<std::size_t>(half) * n.y * n.z) return;
  double value = static_cast<double>(spectrum[i].x);
  if (far.present) {
    const int x = static_cast<int>(i % half);
    int y = static_cast<int>(i / half % n.y);
    int z = static_cast<int>(i / half / n.y);
    if (y > n.y / 2) y -= n.y;
    if (z > n.z / 2) z -= n.z;
    if (x == 0 && y == 0 && z == 0) {
      value += far.constant;
    } else {
      double k2 = 0;
      for (int c = 0; c < 3; ++c) {
        const double k = x * far.reciprocal[0][c] + y * far.reciprocal[1][c] + z * far.reciprocal[2][c];
        k2 += k * k;
      }
      value += far.factor / k2 * exp(-k2 * far.inverse_4a2);
    }
  }
  out[i] = static_cast<float>(value * norm);
}

__global__ void multiply_kernel(float2* spectrum, const float* kernel, std::size_t count) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float k = kernel[i];
  float2 s = spectrum[i];
  s.x *= k;
  s.y *= k;
  spectrum[i] = s;
}

/// A warp per node: lanes share the stencil.
__global__ void direct_kernel(MsmView q, MsmView e, const float* stencil, int3 first, int3 size, bool px, bool py,
                              bool pz) {
  const int lane = static_cast<int>(threadIdx.x & 31u);
  const std::size_t node = (static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x) >> 5;
  const std::size_t total = static_cast<std::size_t>(e.counts[0]) * e.counts[1] * e.counts[2];
  if (node >= total) return;
  const int x = static_cast<int>(node % e.counts[0]);
  const int y = static_cast<int>(node / e.counts[0] % e.counts[1]);
  const int z = static_cast<int>(node / e.counts[0] / e.counts[1]);
  float sum = 0;
  for (int row = 0; row < size.y * size.z; ++row) {
    int y2 = y + first.y + row % size.y;
    int z2 = z + first.z + row / size.y;
    if (py) y2 = wrap(y2, q.counts[1]);
    if (pz) z2 = wrap(z2, q.counts[2]);
    if (y2 < 0 || y2 >= q.counts[1] || z2 < 0 || z2 >= q.counts[2]) continue;
    const float* from = q.values + at(q, 0, y2, z2);
    const float* taps = stencil + static_cast<std::size_t>(row) * size.x;
    for (int a = lane; a < size.x; a += 32) {
      int x2 = x + first.x + a;
      if (px) x2 = wrap(x2, q.counts[0]);
      if (x2 >= 0 && x2 < q.counts[0]) sum = fmaf(taps[a], from[x2], sum);
    }
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (lane == 0) e.values[at(e, x, y, z)] = sum;
}

/// Rows of the lattice at the map's x: out[(layer * y_count + y) * nx + i], y from y_first, layer from z_first.
__global__ void columns_x_kernel(MsmView e, const int* first, const float* weights, int taps, int nx, int y_first,
                                 int y_count, int z_first, int layers, bool px, bool py, bool pz, float* out) {
  const int counts[3] = {nx, y_count, layers};
  ISOLUME_NODE(counts);
  int yy = y_first + y;
  int zz = z_first + z;
  yy = py ? wrap(yy, e.counts[1]) : min(max(yy, 0), e.counts[1] - 1);
  zz = pz ? wrap(zz, e.counts[2]) : min(max(zz, 0), e.counts[2] - 1);
  const float* row = e.values + at(e, 0, yy, zz);
  const int start = first[x];
  float sum = 0;
  for (int m = 0; m < taps; ++m) {
    int i = start + m;
    i = px ? wrap(i, e.counts[0]) : min(max(i, 0), e.counts[0] - 1);
    sum = fmaf(weights[static_cast<std::size_t>(m) * nx + x], row[i], sum);
  }
  out[(static_cast<std::size_t>(z) * y_count + y) * nx + x] = sum;
}

/// The same at the map's y.
__global__ void columns_y_kernel(const float* in, const int* first, const float* weights, int taps, int nx, int ny,
                                 int y_first, int y_count, int layers, float* out) {
  const int counts[3] = {nx, ny, layers};
  ISOLUME_NODE(counts);
  const int start = first[y] - y_first;
  float sum = 0;
  for (int m = 0; m < taps; ++m) {
    sum = fmaf(weights[static_cast<std::size_t>(m) * ny + y],
               in[(static_cast<std::size_t>(z) * y_count + start + m) * nx + x], sum);
  }
  out[(static_cast<std::size_t>(z) * ny + y) * nx + x] = sum;
}

struct PointGeometry {
  double base[3];
  double step[3][3];  // [column][row]
  float coefficient[8][8];
  int taps, below;
  int nx, ny, nz;
  bool periodic[3];
};

__global__ void points_kernel(MsmView e, PointGeometry g, int layers, float* out) {
  const int counts[3] = {g.nx, g.ny, layers};
  ISOLUME_NODE(counts);
  float* to = out + (static_cast<std::size_t>(z) * g.ny + y) * g.nx + x;
  if (z >= g.nz) {
    *to = 0;
    return;
  }
  float w[3][8];
  int node[3][8];
  for (int axis = 0; axis < 3; ++axis) {
    const double u = g.base[axis] + g.step[0][axis] * x + g.step[1][axis] * y + g.step[2][axis] * z;
    const double base = floor(u + 1e-9);
    const float t = static_cast<float>(fmax(u - base, 0.0));
    for (int m = 0; m < g.taps; ++m) {
      float sum = 0;
      for (int k = g.taps - 1; k >= 0; --k) sum = fmaf(sum, t, g.coefficient[m][k]);
      w[axis][m] = sum;
      const int i = static_cast<int>(base) - g.below + m;
      node[axis][m] = g.periodic[axis] ? wrap(i, e.counts[axis]) : min(max(i, 0), e.counts[axis] - 1);
    }
  }
  float sum = 0;
  for (int c = 0; c < g.taps; ++c) {
    for (int b = 0; b < g.taps; ++b) {
      const float* row = e.values + at(e, 0, node[1][b], node[2][c]);
      float part = 0;
      for (int a = 0; a < g.taps; ++a) part = fmaf(w[0][a], row[node[0][a]], part);
      sum = fmaf(w[1][b] * w[2][c], part, sum);
    }
  }
  *to = sum;
}

MsmView view_of(DeviceArray<float>& values, int x, int y, int z) {
  return {values.data(), {x, y, z}, {x, y, z}};
}

}  // namespace

void msm_restrict_cuda(const MsmPlan& plan, const MsmLevel& level, MsmView fine, MsmView coarse, Stream& stream) {
  Taps taps{};
  taps.reach = 2 * (plan.basis.below + 1) - 1;
  for (int t = -taps.reach; t <= taps.reach; ++t) {
    taps.weight[t + taps.reach] = static_cast<float>(plan.basis.phi(0.5 * t));
  }
  const int* n = fine.counts;
  const int* m = coarse.counts;
  DeviceArray<float> first(static_cast<std::size_t>(n[0]) * n[1] * m[2], stream, "MSM: restriction");
  DeviceArray<float> second(static_cast<std::size_t>(n[0]) * m[1] * m[2], stream, "MSM: restriction");
  const MsmView a = view_of(first, n[0], n[1], m[2]);
  const MsmView b = view_of(second, n[0], m[1], m[2]);
  launch("MSM: restriction", stream, restrict_kernel, cube_blocks(n[0], n[1], m[2]), cube_block, fine, a, 2,
         level.shift.z, plan.periodic[2], taps);
  launch("MSM: restriction", stream, restrict_kernel, cube_blocks(n[0], m[1], m[2]), cube_block, a, b, 1, level.shift.y,
         plan.periodic[1], taps);
  launch("MSM: restriction", stream, restrict_kernel, cube_blocks(m[0], m[1], m[2]), cube_block, b, coarse, 0,
         level.shift.x, plan.periodic[0], taps);
}

void msm_prolong_cuda(const MsmPlan& plan, const MsmLevel& level, MsmView coarse, MsmView fine, Stream& stream) {
  Taps half{};
  for (int m = 0; m < plan.basis.taps(); ++m) half.weight[m] = static_cast<float>(plan.basis.weight(m, 0.5));
  const int* n = fine.counts;
  const int* m = coarse.counts;
  DeviceArray<float> first(static_cast<std::size_t>(n[0]) * m[1] * m[2], stream, "MSM: prolongation");
  DeviceArray<float> second(static_cast<std::size_t>(n[0]) * n[1] * m[2], stream, "MSM: prolongation");
  const MsmView a = view_of(first, n[0], m[1], m[2]);
  const MsmView b = view_of(second, n[0], n[1], m[2]);
  const int taps = plan.basis.taps();
  const int below = plan.basis.below;
  launch("MSM: prolongation", stream, prolong_kernel, cube_blocks(n[0], m[1], m[2]), cube_block, coarse, a, 0,
         level.shift.x, plan.periodic[0], half, taps, below, false);
  launch("MSM: prolongation", stream, prolong_kernel, cube_blocks(n[0], n[1], m[2]), cube_block, a, b, 1, level.shift.y,
         plan.periodic[1], half, taps, below, false);
  launch("MSM: prolongation", stream, prolong_kernel, cube_blocks(n[0], n[1], n[2]), cube_block, b, fine, 2,
         level.shift.z, plan.periodic[2], half, taps, below, true);
}

void msm_scatter_cuda(const MsmStencil& stencil, MsmView kernel, Stream& stream) {
  const auto values = DeviceArray<float>::from_host(stencil.values, stream, "MSM: kernel");
  const glm::ivec3 size = stencil.size();
  launch("MSM: kernel", stream, scatter_kernel, blocks_for(stencil.values.size()), {256, 1, 1}, values.data(),
         make_int3(stencil.first.x, stencil.first.y, stencil.first.z), make_int3(size.x, size.y, size.z), kernel);
}

void msm_kernel_spectrum_cuda(const MsmPlan& plan, const MsmLevel& level, const std::complex<float>* spectrum,
                              float* out, Stream& stream) {
  const double nodes = static_cast<double>(level.padded.x) * level.padded.y * level.padded.z;
  FarPart far{};
  if (level.top && plan.periodic_top()) {
    const MsmPlan::Split split = plan.top_split();
    const double volume = std::abs(glm::determinant(plan.images.vectors));
    far.present = true;
    for (int axis = 0; axis < 3; ++axis) {
      for (int c = 0; c < 3; ++c) far.reciprocal[axis][c] = 2 * units::pi * plan.images.inverse[c][axis];
    }
    far.factor = 4 * units::pi * nodes / volume;
    far.inverse_4a2 = 1 / (4 * split.alpha * split.alpha);
    far.constant = nodes * split.constant;
  }
  const std::size_t count = static_cast<std::size_t>(level.padded.x / 2 + 1) * level.padded.y * level.padded.z;
  launch("MSM: kernel", stream, kernel_spectrum_kernel, blocks_for(count), {256, 1, 1},
         reinterpret_cast<const float2*>(spectrum), make_int3(level.padded.x, level.padded.y, level.padded.z),
         1 / nodes, far, out);
}

void msm_multiply_cuda(std::complex<float>* spectrum, const float* kernel, std::size_t count, Stream& stream) {
  launch("MSM: lattice product", stream, multiply_kernel, blocks_for(count), {256, 1, 1},
         reinterpret_cast<float2*>(spectrum), kernel, count);
}

void msm_direct_cuda(const MsmPlan& plan, MsmView q, MsmView e, const float* stencil, glm::ivec3 first, glm::ivec3 last,
                     Stream& stream) {
  const glm::ivec3 size = last - first + 1;
  const std::size_t nodes = static_cast<std::size_t>(e.counts[0]) * e.counts[1] * e.counts[2];
  launch("MSM: lattice sum", stream, direct_kernel, blocks_for(nodes * 32), {256, 1, 1}, q, e, stencil,
         make_int3(first.x, first.y, first.z), make_int3(size.x, size.y, size.z), plan.periodic[0], plan.periodic[1],
         plan.periodic[2]);
}

namespace {

/// Weights by tap: [m * count + i].
std::vector<float> by_tap(const MsmAxis& axis, int taps) {
  const std::size_t count = axis.first.size();
  std::vector<float> out(axis.weights.size());
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t m = 0; m < static_cast<std::size_t>(taps); ++m) {
      out[m * count + i] = axis.weights[i * static_cast<std::size_t>(taps) + m];
    }
  }
  return out;
}

}  // namespace

DeviceArray<float> msm_columns_cuda(const MsmPlan& plan, MsmView e, int z_first, int layers, Stream& stream) {
  const int nx = plan.grid.counts.x;
  const int ny = plan.grid.counts.y;
  const int taps = plan.basis.taps();
  const int y_first = plan.axes[1].first.front();
  const int y_count = plan.axes[1].first.back() + taps - y_first;
  const auto x_nodes = DeviceArray<std::int32_t>::from_host(plan.axes[0].first, stream, "MSM: map");
  const auto y_nodes = DeviceArray<std::int32_t>::from_host(plan.axes[1].first, stream, "MSM: map");
  const auto x_weights = DeviceArray<float>::from_host(by_tap(plan.axes[0], taps), stream, "MSM: map");
  const auto y_weights = DeviceArray<float>::from_host(by_tap(plan.axes[1], taps), stream, "MSM: map");
  DeviceArray<float> rows(static_cast<std::size_t>(nx) * y_count * layers, stream, "MSM: map");
  DeviceArray<float> columns(static_cast<std::size_t>(nx) * ny * layers, stream, "MSM: map");
  launch("MSM: interpolation along x", stream, columns_x_kernel, cube_blocks(nx, y_count, layers), cube_block, e,
         x_nodes.data(), x_weights.data(), taps, nx, y_first, y_count, z_first, layers, plan.periodic[0],
         plan.periodic[1], plan.periodic[2], rows.data());
  launch("MSM: interpolation along y", stream, columns_y_kernel, cube_blocks(nx, ny, layers), cube_block, rows.data(),
         y_nodes.data(), y_weights.data(), taps, nx, ny, y_first, y_count, layers, columns.data());
  return columns;
}

DeviceArray<float> msm_points_cuda(const MsmPlan& plan, MsmView e, int layers, Stream& stream) {
  PointGeometry g{};
  for (int i = 0; i < 3; ++i) {
    g.base[i] = plan.map_base[i];
    g.periodic[i] = plan.periodic[i];
    for (int j = 0; j < 3; ++j) g.step[i][j] = plan.map_step[i][j];
  }
  g.taps = plan.basis.taps();
  g.below = plan.basis.below;
  for (int m = 0; m < 8; ++m) {
    for (int k = 0; k < 8; ++k) g.coefficient[m][k] = static_cast<float>(plan.basis.coefficient[m][k]);
  }
  g.nx = plan.grid.counts.x;
  g.ny = plan.grid.counts.y;
  g.nz = plan.grid.counts.z;
  DeviceArray<float> out(static_cast<std::size_t>(g.nx) * g.ny * layers, stream, "MSM: map");
  launch("MSM: interpolation", stream, points_kernel, cube_blocks(g.nx, g.ny, layers), cube_block, e, g, layers,
         out.data());
  return out;
}

}  // namespace isolume
