// Multilevel summation on CUDA: from the finest lattice to the map along x and y, or to each of its points.
#include <algorithm>

#include "compute/base/launch.cuh"
#include "compute/electrostatics/msm/msm_view.cuh"

namespace isolume {

namespace {

constexpr int column_run = 8;  // rows, or layers, of a thread that share its weights

/// Rows of the lattice at the map's x: out[(layer * y_count + y) * nx + i], y from y_first, layer from z_first.
template <int taps>
__global__ void columns_x_kernel(MsmView e, const int* __restrict__ first, const float* __restrict__ weights, int nx,
                                 int y_first, int y_count, int z_first, int layers, bool px, bool py, bool pz,
                                 float* __restrict__ out) {
  const int counts[3] = {nx, (y_count + column_run - 1) / column_run, layers};
  ISOLUME_NODE(counts);
  int zz = z_first + z;
  zz = pz ? wrap(zz, e.counts[2]) : min(max(zz, 0), e.counts[2] - 1);
  const int start = first[x];
  float w[taps];
  int node[taps];
#pragma unroll
  for (int m = 0; m < taps; ++m) {
    w[m] = weights[static_cast<std::size_t>(m) * nx + x];
    node[m] = px ? wrap(start + m, e.counts[0]) : min(max(start + m, 0), e.counts[0] - 1);
  }
  for (int r = 0; r < column_run; ++r) {
    const int row_y = y * column_run + r;
    if (row_y >= y_count) return;
    int yy = y_first + row_y;
    yy = py ? wrap(yy, e.counts[1]) : min(max(yy, 0), e.counts[1] - 1);
    const float* row = e.values + at(e, 0, yy, zz);
    float sum = 0;
#pragma unroll
    for (int m = 0; m < taps; ++m) sum = fmaf(w[m], row[node[m]], sum);
    out[(static_cast<std::size_t>(z) * y_count + row_y) * nx + x] = sum;
  }
}

/// The same at the map's y.
template <int taps>
__global__ void columns_y_kernel(const float* __restrict__ in, const int* __restrict__ first,
                                 const float* __restrict__ weights, int nx, int ny, int y_first, int y_count,
                                 int layers, float* __restrict__ out) {
  const int counts[3] = {nx, ny, (layers + column_run - 1) / column_run};
  ISOLUME_NODE(counts);
  const int start = first[y] - y_first;
  float w[taps];
#pragma unroll
  for (int m = 0; m < taps; ++m) w[m] = weights[static_cast<std::size_t>(m) * ny + y];
#pragma unroll 2
  for (int r = 0; r < column_run; ++r) {
    const int layer = z * column_run + r;
    if (layer >= layers) return;
    const float* from = in + (static_cast<std::size_t>(layer) * y_count + start) * nx + x;
    float sum = 0;
#pragma unroll
    for (int m = 0; m < taps; ++m) sum = fmaf(w[m], from[static_cast<std::size_t>(m) * nx], sum);
    out[(static_cast<std::size_t>(layer) * ny + y) * nx + x] = sum;
  }
}

struct PointGeometry {
  double base[3];
  double step[3][3];  // [column][row]
  float coefficient[8][8];
  int taps, below;
  int nx, ny, nz;
  bool periodic[3];
};

__global__ void points_kernel(MsmView e, PointGeometry g, int z_first, int layers, float* out) {
  const int counts[3] = {g.nx, g.ny, layers};
  ISOLUME_NODE(counts);
  float* to = out + (static_cast<std::size_t>(z) * g.ny + y) * g.nx + x;
  const int k = z_first + z;
  if (k >= g.nz) {
    *to = 0;
    return;
  }
  float w[3][8];
  int node[3][8];
  for (int axis = 0; axis < 3; ++axis) {
    const double u = g.base[axis] + g.step[0][axis] * x + g.step[1][axis] * y + g.step[2][axis] * k;
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

}  // namespace

DeviceArray<float> msm_columns_cuda(const MsmPlan& plan, MsmView e, const MsmTables& tables, int z_first, int layers,
                                    Stream& stream) {
  const int nx = plan.grid.counts.x;
  const int ny = plan.grid.counts.y;
  const int taps = plan.basis.taps();
  const int y_first = plan.axes[1].first.front();
  const int y_count = plan.axes[1].first.back() + taps - y_first;
  DeviceArray<float> rows(static_cast<std::size_t>(nx) * y_count * layers, stream, "MSM: map");
  DeviceArray<float> columns(static_cast<std::size_t>(nx) * ny * layers, stream, "MSM: map");
  const auto along_x = taps == 4 ? columns_x_kernel<4> : taps == 6 ? columns_x_kernel<6> : columns_x_kernel<8>;
  const auto along_y = taps == 4 ? columns_y_kernel<4> : taps == 6 ? columns_y_kernel<6> : columns_y_kernel<8>;
  const auto runs = [](int count) { return (count + column_run - 1) / column_run; };
  launch("MSM: interpolation along x", stream, along_x, cube_blocks(nx, runs(y_count), layers), cube_block, e,
         tables.first[0], tables.weights[0], nx, y_first, y_count, z_first, layers, plan.periodic[0], plan.periodic[1],
         plan.periodic[2], rows.data());
  launch("MSM: interpolation along y", stream, along_y, cube_blocks(nx, ny, runs(layers)), cube_block, rows.data(),
         tables.first[1], tables.weights[1], nx, ny, y_first, y_count, layers, columns.data());
  return columns;
}

DeviceArray<float> msm_points_cuda(const MsmPlan& plan, MsmView e, int z_first, int layers, Stream& stream) {
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
  launch("MSM: interpolation", stream, points_kernel, cube_blocks(g.nx, g.ny, layers), cube_block, e, g, z_first,
         layers, out.data());
  return out;
}

}  // namespace isolume
