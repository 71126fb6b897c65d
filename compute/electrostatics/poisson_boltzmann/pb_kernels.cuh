// The kernels of the Poisson-Boltzmann solver on CUDA that set up the equation and its coarser grids.
#pragma once

#include <cstddef>
#include <cstdint>

#include "compute/electrostatics/poisson_boltzmann/pb_math.h"

namespace isolume {
namespace {

/// Coefficients of edges in 16 bits: 1 / (base + slope code), which is that of an edge of which code / 65535 is in the
/// solute.
struct EdgeCodes {
  const std::uint16_t* code;
  float base, slope;
  __device__ float operator[](std::size_t at) const { return 1 / fmaf(slope, static_cast<float>(code[at]), base); }
};

/// The ions' coefficients in 16 bits.
struct IonCodes {
  const std::uint16_t* code;
  float unit;
  __device__ float operator[](std::size_t at) const { return unit * static_cast<float>(code[at]); }
};

/// One grid of the hierarchy as kernels see it.
template <class Edges, class Ions>
struct ViewOf {
  int nx, ny, nz;
  Edges cx, cy, cz;
  Ions kappa;

  __host__ __device__ std::size_t index(int i, int j, int k) const {
    return static_cast<std::size_t>(i) +
           static_cast<std::size_t>(nx) *
               (static_cast<std::size_t>(j) + static_cast<std::size_t>(ny) * static_cast<std::size_t>(k));
  }
  __device__ std::size_t along_y() const { return static_cast<std::size_t>(nx); }
  __device__ std::size_t along_z() const { return static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny); }
};

using View = ViewOf<const float*, const float*>;
using CompactView = ViewOf<EdgeCodes, IonCodes>;

constexpr unsigned block_x = 32, block_y = 4, block_z = 2;

/// The thread's inner node; false where it has none.
template <class V>
__device__ __forceinline__ bool inner_node(const V& v, int& i, int& j, int& k) {
  i = static_cast<int>(blockIdx.x * block_x + threadIdx.x) + 1;
  j = static_cast<int>(blockIdx.y * block_y + threadIdx.y) + 1;
  k = static_cast<int>(blockIdx.z * block_z + threadIdx.z) + 1;
  return i < v.nx - 1 && j < v.ny - 1 && k < v.nz - 1;
}

/// Where a node's value is in the solver's arrays: even nodes first, so that a sweep over one colour reads and writes
/// what is contiguous. Counts of nodes are odd there, so that a node's index is odd where the sum of its coordinates
/// is, and its neighbours are all in the other half. The coarsest grid may have even counts and is in the nodes' order.
struct NodeOrder {
  std::size_t half = 0;  ///< number of even nodes; 0: in the nodes' order

  __host__ __device__ std::size_t operator()(std::size_t at) const {
    return half == 0 ? at : (at >> 1) + ((at & 1) != 0 ? half : 0);
  }
};

/// out = source - A u in double precision, with the ions' term where there are any; `only_faces`: of the u that is 0
/// inside. Without `source`, out holds it before.
template <class V>
__global__ void exact_residual_kernel(V v, NodeOrder order, PbIons ions, bool nonlinear, bool only_faces,
                                      const float* __restrict__ source, const double* __restrict__ u,
                                      float* __restrict__ out) {
  int i, j, k;
  if (!inner_node(v, i, j, k)) return;
  const std::size_t at = v.index(i, j, k), y = v.along_y(), z = v.along_z();
  const auto value = [&](std::size_t near, bool face) { return !only_faces || face ? u[near] : 0.0; };
  const double here = value(at, false);
  double sum = static_cast<double>(source != nullptr ? source[at] : out[order(at)]);
  sum += static_cast<double>(v.cx[at]) * (value(at + 1, i == v.nx - 2) - here) +
         static_cast<double>(v.cx[at - 1]) * (value(at - 1, i == 1) - here) +
         static_cast<double>(v.cy[at]) * (value(at + y, j == v.ny - 2) - here) +
         static_cast<double>(v.cy[at - y]) * (value(at - y, j == 1) - here) +
         static_cast<double>(v.cz[at]) * (value(at + z, k == v.nz - 2) - here) +
         static_cast<double>(v.cz[at - z]) * (value(at - z, k == 1) - here);
  const double kappa = static_cast<double>(v.kappa[at]);
  if (kappa != 0) {
    double slope = 0;
    sum -= kappa * (nonlinear ? pb_ion_term(ions, here, slope) : here);
  }
  out[order(at)] = static_cast<float>(sum);
}

/// kappa times the derivative of the ions' term.
__global__ void slope_kernel(View v, PbIons ions, const double* __restrict__ u, float* __restrict__ out) {
  int i, j, k;
  if (!inner_node(v, i, j, k)) return;
  const std::size_t at = v.index(i, j, k);
  double slope = 0;
  if (v.kappa[at] != 0) pb_ion_term(ions, u[at], slope);
  out[at] = v.kappa[at] * static_cast<float>(slope);
}

/// The coefficients with steps twice as long: in series along an edge, side by side across it.
template <class V>
__global__ void coarser_kernel(V fine, View coarse, float* __restrict__ cx, float* __restrict__ cy,
                               float* __restrict__ cz, float* __restrict__ kappa) {
  const int n[3] = {coarse.nx, coarse.ny, coarse.nz};
  const int most[3] = {fine.nx, fine.ny, fine.nz};
  const int place[3] = {static_cast<int>(blockIdx.x * block_x + threadIdx.x),
                        static_cast<int>(blockIdx.y * block_y + threadIdx.y),
                        static_cast<int>(blockIdx.z * block_z + threadIdx.z)};
  if (place[0] >= n[0] || place[1] >= n[1] || place[2] >= n[2]) return;
  const std::size_t at = coarse.index(place[0], place[1], place[2]);
  const auto from = [&](int axis, std::size_t node) {
    return axis == 0 ? fine.cx[node] : axis == 1 ? fine.cy[node] : fine.cz[node];
  };
  float* to[3] = {cx, cy, cz};
  for (int axis = 0; axis < 3; ++axis) {
    float sum = 0, total = 0;
    if (place[axis] + 1 < n[axis]) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      for (int a = -1; a <= 1; ++a) {
        for (int b = -1; b <= 1; ++b) {
          int p[3] = {2 * place[0], 2 * place[1], 2 * place[2]};
          p[u] += a;
          p[v] += b;
          if (p[u] < 0 || p[u] >= most[u] || p[v] < 0 || p[v] >= most[v]) continue;
          const float w = (a == 0 ? 2.0f : 1.0f) * (b == 0 ? 2.0f : 1.0f);
          const float one = from(axis, fine.index(p[0], p[1], p[2]));
          ++p[axis];
          const float two = from(axis, fine.index(p[0], p[1], p[2]));
          sum += w * 2 * one * two / (one + two);
          total += w;
        }
      }
      sum /= total;
    }
    to[axis][at] = sum;
  }
  float sum = 0;
  if (place[0] > 0 && place[1] > 0 && place[2] > 0 && place[0] < n[0] - 1 && place[1] < n[1] - 1 &&
      place[2] < n[2] - 1) {
    for (int m = 0; m < 27; ++m) {
      const int x = m % 3 - 1, y = m / 3 % 3 - 1, z = m / 9 - 1;
      sum += static_cast<float>((2 - x * x) * (2 - y * y) * (2 - z * z)) / 64 *
             fine.kappa[fine.index(2 * place[0] + x, 2 * place[1] + y, 2 * place[2] + z)];
    }
  }
  kappa[at] = 4 * sum;
}

/// u = 0 inside.
__global__ void only_faces_kernel(View v, double* __restrict__ u) {
  int i, j, k;
  if (inner_node(v, i, j, k)) u[v.index(i, j, k)] = 0;
}

/// u += step * change.
__global__ void move_kernel(double* __restrict__ u, double step, const float* __restrict__ change, NodeOrder order,
                            std::size_t count) {
  const std::size_t n = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n < count) u[n] += step * static_cast<double>(change[order(n)]);
}

/// The sources of the nodes that have one.
__global__ void scatter_kernel(const std::uint32_t* __restrict__ nodes, const float* __restrict__ sources,
                               NodeOrder order, std::size_t count, float* __restrict__ out) {
  const std::size_t n = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n < count) out[order(nodes[n])] = sources[n];
}

}  // namespace
}  // namespace isolume
