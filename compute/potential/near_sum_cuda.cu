// The sum over pairs within a cutoff on CUDA: every warp keeps a list of the charges near its 8 x 4 x 4 points.
#include <cmath>

#include "compute/potential/fast_math.cuh"
#include "compute/potential/launch.cuh"
#include "compute/potential/near_sum_cuda.h"

namespace isolume {

namespace {

constexpr int warps = 8;       // per block: 2 x 2 x 2 regions
constexpr int run = 4;         // points per lane, along z
constexpr int capacity = 128;  // charges in a warp's list

struct NearGeometry {
  // Points of the grid in the row frame, angstrom.
  float ax, bx, by, cx, cy, cz;
  double dax, dbx, dby, dcx, dcy, dcz;
  int nx, ny, nz;
  // Boxes.
  double lower[3];
  double inverse_side;
  int counts[3];
  double per_angstrom;
  float angstrom_per;
  float half[3];  // half-sides of a warp's box
  double reach;
  float reach2;
};

struct NearConstants {
  float cutoff2, inverse_cutoff2, switching2, switch_scale, bulk, slope;
  float coefficient[5];
};

template <PairFunction::Kind kind, int order, bool sigmoidal, bool checked>
__device__ __forceinline__ float pair_value(float r2, const NearConstants& f) {
  using Kind = PairFunction::Kind;
  const float s = kind == Kind::plain ? r2 : fminf(r2, f.cutoff2);
  float e = fast_rsqrt(s);
  if (checked && r2 < static_cast<float>(coincidence * coincidence)) e = 0;
  if constexpr (kind == Kind::taylor) {
    float p = f.coefficient[order];
#pragma unroll
    for (int k = order - 1; k >= 1; --k) p = fmaf(p, s, f.coefficient[k]);
    return fmaf(-p, s, e - f.coefficient[0]);
  } else {
    float v = e;
    if constexpr (kind == Kind::plain) {
      v = r2 < f.cutoff2 ? e : 0.0f;
    } else if constexpr (kind == Kind::shifted) {
      const float t = fmaf(-s, f.inverse_cutoff2, 1.0f);
      v = e * t * t;
    } else {
      const float t = f.cutoff2 - s;
      const float w = t * t * fmaf(2.0f, s, f.cutoff2 - 3 * f.switching2) * f.switch_scale;
      v = s < f.switching2 ? e : e * w;
    }
    if constexpr (sigmoidal) {
      const float x = s * e * f.slope;
      const float g = fmaf(x, x + 2.0f, 2.0f) * expf(-x);
      v = v / fmaf(-0.5f * (f.bulk - 1), g, f.bulk);
    }
    return v;
  }
}

template <PairFunction::Kind kind, int order, bool sigmoidal, bool checked, bool upright>
__global__ void __launch_bounds__(warps * 32)
    near_kernel(const FixedCharge* __restrict__ charges, const std::uint32_t* __restrict__ first, NearGeometry g,
                NearConstants f, NearColumn column, float* __restrict__ potential) {
  __shared__ float4 lists[warps][capacity];
  const int lane = static_cast<int>(threadIdx.x & 31u);
  const int warp = static_cast<int>(threadIdx.x >> 5);
  float4* list = lists[warp];
  const int i0 = static_cast<int>(blockIdx.x) * 16 + (warp & 1) * 8;
  const int j0 = static_cast<int>(blockIdx.y) * 8 + ((warp >> 1) & 1) * 4;
  const int k0 = static_cast<int>(blockIdx.z) * (2 * run) + (warp >> 2) * run;
  if (i0 >= g.nx || j0 >= g.ny || k0 >= g.nz) return;

  // Everything is relative to the middle of the warp's points.
  const double mi = i0 + 3.5;
  const double mj = j0 + 1.5;
  const double mk = k0 + 0.5 * (run - 1);
  const double middle[3] = {mi * g.dax + mj * g.dbx + mk * g.dcx, mj * g.dby + mk * g.dcy, mk * g.dcz};
  int fixed[3];
  float rest[3];
  int begin[3];
  int end[3];
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) {
    const double at = middle[axis] * g.per_angstrom;
    fixed[axis] = __double2int_rn(at);
    rest[axis] = static_cast<float>(at - fixed[axis]) * g.angstrom_per;
    const double half = g.half[axis] + g.reach;
    begin[axis] = max(0, __double2int_rd((middle[axis] - half - g.lower[axis]) * g.inverse_side));
    end[axis] = min(g.counts[axis] - 1, __double2int_rd((middle[axis] + half - g.lower[axis]) * g.inverse_side));
  }
  const int ix = lane & 7;
  const int iy = lane >> 3;
  const float px = (ix - 3.5f) * g.ax + (iy - 1.5f) * g.bx - 0.5f * (run - 1) * g.cx;
  const float py = (iy - 1.5f) * g.by - 0.5f * (run - 1) * g.cy;
  const float pz = -0.5f * (run - 1) * g.cz;

  float sum[run] = {};
  int filled = 0;

  const auto work_off = [&] {
    __syncwarp();
#pragma unroll 2
    for (int n = 0; n < filled; ++n) {
      const float4 c = list[n];
      const float dx = px - c.x;
      const float dy = py - c.y;
      const float dz = pz - c.z;
      if constexpr (upright) {
        const float d2 = fmaf(dx, dx, dy * dy);
#pragma unroll
        for (int k = 0; k < run; ++k) {
          const float z = dz + k * g.cz;
          sum[k] = fmaf(c.w, pair_value<kind, order, sigmoidal, checked>(fmaf(z, z, d2), f), sum[k]);
        }
      } else {
#pragma unroll
        for (int k = 0; k < run; ++k) {
          const float x = dx + k * g.cx;
          const float y = dy + k * g.cy;
          const float z = dz + k * g.cz;
          const float r2 = fmaf(x, x, fmaf(y, y, z * z));
          sum[k] = fmaf(c.w, pair_value<kind, order, sigmoidal, checked>(r2, f), sum[k]);
        }
      }
    }
    filled = 0;
    __syncwarp();
  };

  for (int bz = begin[2]; bz <= end[2]; ++bz) {
    for (int by = begin[1]; by <= end[1]; ++by) {
      if (begin[0] > end[0]) continue;
      const std::size_t row = (static_cast<std::size_t>(bz) * g.counts[1] + by) * g.counts[0];
      const std::uint32_t from = first[row + begin[0]];
      const std::uint32_t to = first[row + end[0] + 1];
      for (std::uint32_t base = from; base < to; base += 32) {
        const std::uint32_t n = base + lane;
        float4 c = {};
        bool near = false;
        if (n < to) {
          const int4 raw = __ldg(reinterpret_cast<const int4*>(charges) + n);
          c.x = (raw.x - fixed[0]) * g.angstrom_per - rest[0];
          c.y = (raw.y - fixed[1]) * g.angstrom_per - rest[1];
          c.z = (raw.z - fixed[2]) * g.angstrom_per - rest[2];
          c.w = __int_as_float(raw.w);
          const float ex = fmaxf(fabsf(c.x) - g.half[0], 0.0f);
          const float ey = fmaxf(fabsf(c.y) - g.half[1], 0.0f);
          const float ez = fmaxf(fabsf(c.z) - g.half[2], 0.0f);
          near = fmaf(ex, ex, fmaf(ey, ey, ez * ez)) < g.reach2;
        }
        const unsigned votes = __ballot_sync(~0u, near);
        if (near) list[filled + __popc(votes & ((1u << lane) - 1u))] = c;
        filled += __popc(votes);
        if (filled > capacity - 32) work_off();
      }
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
auto choose_kernel(bool checked, bool upright) {
  if (checked) {
    return upright ? near_kernel<kind, order, sigmoidal, true, true> : near_kernel<kind, order, sigmoidal, true, false>;
  }
  return upright ? near_kernel<kind, order, sigmoidal, false, true> : near_kernel<kind, order, sigmoidal, false, false>;
}

auto choose_kernel(const PairFunction& f, bool checked, bool upright) {
  using Kind = PairFunction::Kind;
  switch (f.kind) {
    case Kind::plain:
      return f.sigmoidal ? choose_kernel<Kind::plain, 0, true>(checked, upright)
                         : choose_kernel<Kind::plain, 0, false>(checked, upright);
    case Kind::shifted:
      return f.sigmoidal ? choose_kernel<Kind::shifted, 0, true>(checked, upright)
                         : choose_kernel<Kind::shifted, 0, false>(checked, upright);
    case Kind::switched:
      return f.sigmoidal ? choose_kernel<Kind::switched, 0, true>(checked, upright)
                         : choose_kernel<Kind::switched, 0, false>(checked, upright);
    case Kind::taylor:
      break;
  }
  if (f.order == 2) return choose_kernel<Kind::taylor, 2, false>(checked, upright);
  if (f.order == 3) return choose_kernel<Kind::taylor, 3, false>(checked, upright);
  return choose_kernel<Kind::taylor, 4, false>(checked, upright);
}

}  // namespace

void near_sum_cuda(const DeviceBins& bins, const Grid& grid, const RowFrame& frame, const PairFunction& function,
                   const NearColumn& column, float* potential, Stream& stream, const char* what) {
  NearGeometry g{};
  g.ax = static_cast<float>(g.dax = frame.ax);
  g.bx = static_cast<float>(g.dbx = frame.bx);
  g.by = static_cast<float>(g.dby = frame.by);
  g.cx = static_cast<float>(g.dcx = frame.cx);
  g.cy = static_cast<float>(g.dcy = frame.cy);
  g.cz = static_cast<float>(g.dcz = frame.cz);
  g.nx = grid.counts.x;
  g.ny = grid.counts.y;
  g.nz = grid.counts.z;
  for (int axis = 0; axis < 3; ++axis) {
    g.lower[axis] = bins.lower[axis];
    g.counts[axis] = bins.counts[axis];
  }
  g.inverse_side = 1 / bins.side;
  g.per_angstrom = bins.per_angstrom;
  g.angstrom_per = static_cast<float>(1 / bins.per_angstrom);
  g.half[0] =
      static_cast<float>(3.5 * frame.ax + 1.5 * std::abs(frame.bx) + 0.5 * (run - 1) * std::abs(frame.cx) + 1e-4);
  g.half[1] = static_cast<float>(1.5 * frame.by + 0.5 * (run - 1) * std::abs(frame.cy) + 1e-4);
  g.half[2] = static_cast<float>(0.5 * (run - 1) * frame.cz + 1e-4);
  g.reach = function.cutoff;
  g.reach2 = static_cast<float>(function.cutoff * function.cutoff);
  NearConstants f{};
  f.cutoff2 = function.cutoff2;
  f.inverse_cutoff2 = function.inverse_cutoff2;
  f.switching2 = function.switching2;
  f.switch_scale = function.switch_scale;
  f.bulk = function.bulk;
  f.slope = function.slope;
  for (int k = 0; k < 5; ++k) f.coefficient[k] = function.coefficient[k];
  const bool upright = frame.cx == 0 && frame.cy == 0;
  const CudaDim blocks{static_cast<unsigned>((g.nx + 15) / 16), static_cast<unsigned>((g.ny + 7) / 8),
                       static_cast<unsigned>((g.nz + 2 * run - 1) / (2 * run))};
  launch(what, stream, choose_kernel(function, bins.coincident, upright), blocks, {warps * 32, 1, 1},
         bins.charges.data(), bins.first.data(), g, f, column, potential);
}

}  // namespace isolume
