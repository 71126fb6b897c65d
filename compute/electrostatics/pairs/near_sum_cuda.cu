// The sum over pairs within a cutoff on CUDA: every warp keeps a list of the charges near its 8 x 4 x 4 points.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "compute/base/launch.cuh"
#include "compute/electrostatics/pairs/near_pair.cuh"

namespace isolume {

namespace {

using near_cuda::add_pair;
using near_cuda::NearConstants;
using near_cuda::NearGeometry;
using near_cuda::run;

constexpr int warps = 8;       // per block: 2 x 2 x 2 regions
constexpr int capacity = 128;  // charges in a warp's list

template <PairFunction::Kind kind, int order, bool sigmoidal, bool upright>
__global__ void __launch_bounds__(warps * 32)
    near_kernel(const FixedCharge* __restrict__ charges, const std::uint32_t* __restrict__ first,
                const int* __restrict__ coincident, NearGeometry g, NearConstants f, NearColumn column,
                float* __restrict__ potential) {
  __shared__ float4 lists[warps][capacity];
  const int lane = static_cast<int>(threadIdx.x & 31u);
  const int warp = static_cast<int>(threadIdx.x >> 5);
  float4* list = lists[warp];
  const int i0 = static_cast<int>(blockIdx.x) * 16 + (warp & 1) * 8;
  const int j0 = static_cast<int>(blockIdx.y) * 8 + ((warp >> 1) & 1) * 4;
  const int k0 = static_cast<int>(blockIdx.z) * (2 * run) + (warp >> 2) * run;
  if (i0 >= g.nx || j0 >= g.ny || k0 >= g.nz) return;
  const bool on_points = *coincident != 0;

  // Everything is relative to the middle of the warp's points.
  const double mi = i0 + 3.5;
  const double mj = j0 + 1.5;
  const double mk = k0 + 0.5 * (run - 1);
  const double middle[3] = {mi * g.dax + mj * g.dbx + mk * g.dcx, mj * g.dby + mk * g.dcy, mk * g.dcz};
  int fixed[3];
  float rest[3];
  float in_boxes[3];  // the middle, angstrom from the corner of the boxes
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) {
    const double at = middle[axis] * g.per_angstrom;
    fixed[axis] = __double2int_rn(at);
    rest[axis] = static_cast<float>(at - fixed[axis]) * g.per_fixed;
    in_boxes[axis] = static_cast<float>(middle[axis] - g.lower[axis]);
  }
  const auto box_of = [&](float x, int axis) {
    return min(max(static_cast<int>(floorf(x * static_cast<float>(g.inverse_side))), 0), g.counts[axis] - 1);
  };
  const int y_first = box_of(in_boxes[1] - g.half_angstrom[1] - g.reach, 1);
  const int y_count = box_of(in_boxes[1] + g.half_angstrom[1] + g.reach, 1) - y_first + 1;
  const int z_first = box_of(in_boxes[2] - g.half_angstrom[2] - g.reach, 2);
  const int z_count = box_of(in_boxes[2] + g.half_angstrom[2] + g.reach, 2) - z_first + 1;
  const int rows = y_count * z_count;
  const int ix = lane & 7;
  const int iy = lane >> 3;
  const float px = (ix - 3.5f) * g.ax + (iy - 1.5f) * g.bx - 0.5f * (run - 1) * g.cx;
  const float py = (iy - 1.5f) * g.by - 0.5f * (run - 1) * g.cy;
  const float pz = -0.5f * (run - 1) * g.cz;

  float sum[run] = {};
  int filled = 0;

  const auto add_list = [&](auto checked) {
    constexpr bool check = decltype(checked)::value;
    float part[run] = {};
    float charge = 0;
#pragma unroll 2
    for (int n = 0; n < filled; ++n) {
      const float4 c = list[n];
      const float dx = px - c.x;
      const float dy = py - c.y;
      const float dz = pz - c.z;
      if constexpr (kind == PairFunction::Kind::taylor) charge += c.w;
      if constexpr (upright) {
        const float d2 = fmaf(dx, dx, dy * dy);
#pragma unroll
        for (int k = 0; k < run; ++k) {
          add_pair<kind, order, sigmoidal, check>(dz + k * g.cz, d2, c.w, f, g.coincident2, part[k]);
        }
      } else {
#pragma unroll
        for (int k = 0; k < run; ++k) {
          const float x = dx + k * g.cx;
          const float y = dy + k * g.cy;
          add_pair<kind, order, sigmoidal, check>(dz + k * g.cz, fmaf(x, x, y * y), c.w, f, g.coincident2, part[k]);
        }
      }
    }
#pragma unroll
    for (int k = 0; k < run; ++k) sum[k] += fmaf(-f.coefficient[0], charge, part[k]);
  };
  const auto work_off = [&] {
    __syncwarp();
    if (on_points) {
      add_list(std::true_type());
    } else {
      add_list(std::false_type());
    }
    filled = 0;
    __syncwarp();
  };

  // Lanes look up a row of boxes each; then all of them go through the rows, the next charges being loaded meanwhile.
  for (int base_row = 0; base_row < rows; base_row += 32) {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    const int mine = base_row + lane;
    if (mine < rows) {
      const int by = y_first + mine % y_count;
      const int bz = z_first + mine / y_count;
      const float dy = fmaxf(fabsf((by + 0.5f) * g.side - in_boxes[1]) - 0.5f * g.side - g.half_angstrom[1], 0.0f);
      const float dz = fmaxf(fabsf((bz + 0.5f) * g.side - in_boxes[2]) - 0.5f * g.side - g.half_angstrom[2], 0.0f);
      const float left = fmaf(g.reach, g.reach, -fmaf(dy, dy, dz * dz));
      if (left > 0) {
        const float chord = sqrtf(left) + g.half_angstrom[0];
        const std::size_t row = (static_cast<std::size_t>(bz) * g.counts[1] + by) * g.counts[0];
        from = first[row + box_of(in_boxes[0] - chord, 0)];
        to = first[row + box_of(in_boxes[0] + chord, 0) + 1];
      }
    }
    int row = -1;
    std::uint32_t base = 0;
    std::uint32_t end = 0;
    const int last_row = min(32, rows - base_row) - 1;
    const auto advance = [&] {
      base += 32;
      while (base >= end) {
        if (row == last_row) return false;
        ++row;
        base = __shfl_sync(~0u, from, row);
        end = __shfl_sync(~0u, to, row);
      }
      return true;
    };
    const auto load = [&] {
      return base + lane < end ? __ldg(reinterpret_cast<const int4*>(charges) + base + lane) : int4{};
    };
    bool more = advance();
    int4 next = {};
    if (more) next = load();
    while (more) {
      const int4 raw = next;
      const bool valid = base + lane < end;
      more = advance();
      if (more) next = load();
      float4 c;
      c.x = fmaf(static_cast<float>(raw.x - fixed[0]), g.per_fixed, -rest[0]);
      c.y = fmaf(static_cast<float>(raw.y - fixed[1]), g.per_fixed, -rest[1]);
      c.z = fmaf(static_cast<float>(raw.z - fixed[2]), g.per_fixed, -rest[2]);
      c.w = __int_as_float(raw.w) * f.charge_scale;
      const float ex = fmaxf(fabsf(c.x) - g.half[0], 0.0f);
      const float ey = fmaxf(fabsf(c.y) - g.half[1], 0.0f);
      const float ez = fmaxf(fabsf(c.z) - g.half[2], 0.0f);
      const bool near = valid && fmaf(ex, ex, fmaf(ey, ey, ez * ez)) < 1.0f;
      const unsigned votes = __ballot_sync(~0u, near);
      if (near) list[filled + __popc(votes & ((1u << lane) - 1u))] = c;
      filled += __popc(votes);
      if (filled > capacity - 32) work_off();
    }
  }
  work_off();

  const int i = i0 + ix;
  const int j = j0 + iy;
  if (i >= g.nx || j >= g.ny) return;
  const std::size_t plane = static_cast<std::size_t>(g.nx) * g.ny;
  const std::size_t at = static_cast<std::size_t>(j) * g.nx + i;
  if (column.values) {
    const int group = k0 / NearColumn::group;
    const float* values = column.values + static_cast<std::size_t>(column.first[group]) * plane + at;
    const float4* weights =
        reinterpret_cast<const float4*>(column.weights) + static_cast<std::size_t>(group) * column.width;
#pragma unroll 4
    for (int n = 0; n < column.width; ++n) {
      const float v = __ldg(values + static_cast<std::size_t>(n) * plane);
      const float4 w = __ldg(weights + n);
      sum[0] = fmaf(w.x, v, sum[0]);
      sum[1] = fmaf(w.y, v, sum[1]);
      sum[2] = fmaf(w.z, v, sum[2]);
      sum[3] = fmaf(w.w, v, sum[3]);
    }
  }
#pragma unroll
  for (int k = 0; k < run; ++k) {
    if (k0 + k < g.nz) potential[static_cast<std::size_t>(k0 + k) * plane + at] = sum[k];
  }
}
static_assert(run == NearColumn::group);

template <PairFunction::Kind kind, int order, bool sigmoidal>
auto choose_kernel(bool upright) {
  return upright ? near_kernel<kind, order, sigmoidal, true> : near_kernel<kind, order, sigmoidal, false>;
}

auto choose_kernel(const PairFunction& f, bool upright) {
  using Kind = PairFunction::Kind;
  switch (f.kind) {
    case Kind::plain:
      return f.sigmoidal ? choose_kernel<Kind::plain, 0, true>(upright) : choose_kernel<Kind::plain, 0, false>(upright);
    case Kind::shifted:
      return f.sigmoidal ? choose_kernel<Kind::shifted, 0, true>(upright)
                         : choose_kernel<Kind::shifted, 0, false>(upright);
    case Kind::switched:
      return f.sigmoidal ? choose_kernel<Kind::switched, 0, true>(upright)
                         : choose_kernel<Kind::switched, 0, false>(upright);
    case Kind::taylor:
      break;
  }
  if (f.order == 2) return choose_kernel<Kind::taylor, 2, false>(upright);
  if (f.order == 3) return choose_kernel<Kind::taylor, 3, false>(upright);
  return choose_kernel<Kind::taylor, 4, false>(upright);
}

}  // namespace

void near_sum_cuda(const DeviceBins& bins, const Grid& grid, const RowFrame& frame, const PairFunction& function,
                   const NearColumn& column, float* potential, Stream& stream, const char* what) {
  const NearGeometry g = near_cuda::geometry_of(bins, grid, frame, function.cutoff);
  const NearConstants f = near_cuda::constants_of(function);
  const bool upright = frame.cx == 0 && frame.cy == 0;
  const CudaDim blocks{static_cast<unsigned>((g.nx + 15) / 16), static_cast<unsigned>((g.ny + 7) / 8),
                       static_cast<unsigned>((g.nz + 2 * run - 1) / (2 * run))};
  launch(what, stream, choose_kernel(function, upright), blocks, {warps * 32, 1, 1}, bins.charges.data(),
         bins.first.data(), bins.coincident.data(), g, f, column, potential);
}

}  // namespace isolume
