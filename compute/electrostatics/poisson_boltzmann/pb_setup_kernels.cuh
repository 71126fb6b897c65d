// The kernels that form a Poisson-Boltzmann problem on CUDA: coefficients, the cuts of the surface, sources.
#pragma once

#include <cstddef>
#include <cstdint>

#include "compute/electrostatics/poisson_boltzmann/pb_depth.h"
#include "compute/electrostatics/poisson_boltzmann/pb_harmonic_fit.h"

namespace isolume {
namespace {

/// A charge relative to the middle of all.
struct PbCharge {
  float x, y, z, q;
};

/// What the edges take from the options.
struct PbEdgeRules {
  double solute, solvent;
  double weight[3], step[3];
  double width;
  bool smooth;
  bool coded;  ///< shares are whole numbers of 1 / 65535
};

__device__ __forceinline__ double pb_coded_share(double share) {
  return rint(65535 * pb_clamp(share, 0.0, 1.0)) / 65535;
}
/// The part of an edge in the solute that gives it a permittivity.
__device__ __forceinline__ double pb_share_of(double permittivity, double solute, double solvent) {
  return solute == solvent ? 0.0 : (1 / permittivity - 1 / solvent) / (1 / solute - 1 / solvent);
}

/// An edge whose ends are on either side of the surface.
struct PbCut {
  std::uint32_t node;  ///< the lower one
  float coefficient;
  float share;  ///< of the edge that is in the solute
  signed char axis;
  signed char in;  ///< 1 where the lower node is in the solute
};

/// What is counted of a box while its problem is formed.
struct PbCounts {
  unsigned cuts;          ///< edges that the surface cuts
  unsigned lost_charges;  ///< about which no node is in the solute
  unsigned on_faces;      ///< not 0 where a node of a face is in the solute
};

constexpr unsigned charge_tile = 128, point_block = 128;

__device__ __forceinline__ bool node_of_thread(const PbNodes& n, int& i, int& j, int& k) {
  i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  j = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  k = static_cast<int>(blockIdx.z * blockDim.z + threadIdx.z);
  return i < n.counts[0] && j < n.counts[1] && k < n.counts[2];
}

__device__ __forceinline__ std::size_t stride_of(const PbNodes& n, int axis) {
  return axis == 0   ? 1
         : axis == 1 ? static_cast<std::size_t>(n.counts[0])
                     : static_cast<std::size_t>(n.counts[0]) * static_cast<std::size_t>(n.counts[1]);
}

/// A place of its own for every thread that is here; one addition a warp.
template <class Count>
__device__ __forceinline__ Count claim(Count* counter) {
  const unsigned here = __activemask(), lane = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned before = here & ((1u << (lane % 32)) - 1);
  const int leader = __ffs(static_cast<int>(here)) - 1;
  Count first = 0;
  if (before == 0) first = atomicAdd(counter, static_cast<Count>(__popc(here)));
  return __shfl_sync(here, first, leader) + static_cast<Count>(__popc(before));
}

/// Which side every node is on, and the ions' coefficient.
__global__ void pb_sides_kernel(std::size_t count, const float* __restrict__ depth, const float* __restrict__ ion_depth,
                                double border, double ionic, double cell, std::uint8_t* __restrict__ inside,
                                float* __restrict__ kappa) {
  const std::size_t n = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const bool in = static_cast<double>(depth[n]) > border;
  inside[n] = in ? 1 : 0;
  double open = 0;
  if (!in && ionic != 0) open = pb_clamp(0.5 - static_cast<double>(ion_depth[n]) / (1.25 * cell), 0.0, 1.0);
  kappa[n] = static_cast<float>(ionic * open);
}

/// Coefficients of the three edges of every node, and the edges that the surface cuts, of which `cuts` takes `room`;
/// their order is of no meaning.
__global__ void pb_edges_kernel(PbNodes n, PbEdgeRules rules, const float* __restrict__ depth,
                                const std::uint8_t* __restrict__ inside, float* __restrict__ cx, float* __restrict__ cy,
                                float* __restrict__ cz, PbCounts* __restrict__ counts, PbCut* __restrict__ cuts,
                                unsigned room) {
  int i, j, k;
  if (!node_of_thread(n, i, j, k)) return;
  const std::size_t node = n.index(i, j, k);
  const int place[3] = {i, j, k};
  float* to[3] = {cx, cy, cz};
  const bool in = inside[node] != 0;
  for (int axis = 0; axis < 3; ++axis) {
    double c = 0, share = 0;
    bool cut = false;
    if (place[axis] + 1 < n.counts[axis]) {
      const std::size_t stride = stride_of(n, axis), next = node + stride;
      cut = in != (inside[next] != 0);
      if (rules.smooth) {
        c = pb_smooth_edge(static_cast<double>(depth[node]), static_cast<double>(depth[next]), rules.width,
                           rules.solute, rules.solvent);
        if (rules.coded) {
          const double part = pb_coded_share(pb_share_of(c, rules.solute, rules.solvent));
          c = 1 / (part / rules.solute + (1 - part) / rules.solvent);
        }
      } else if (!cut) {
        c = in ? rules.solute : rules.solvent;
      } else {
        share = pb_crossing(depth, node, stride, place[axis], n.counts[axis]);
        if (!in) share = 1 - share;
        if (rules.coded) share = pb_coded_share(share);
        c = 1 / (share / rules.solute + (1 - share) / rules.solvent);
      }
      c *= rules.weight[axis];
    }
    to[axis][node] = static_cast<float>(c);
    if (!cut) continue;
    const unsigned at = claim(&counts->cuts);
    if (at < room)
      cuts[at] = {static_cast<std::uint32_t>(node), static_cast<float>(c), static_cast<float>(share),
                  static_cast<signed char>(axis), static_cast<signed char>(in ? 1 : 0)};
  }
}

/// The point at a part of a cut edge, counted from its lower node; relative to `middle`.
__device__ __forceinline__ void point_of(const PbNodes& n, const PbCut& cut, double part, const double* middle,
                                         float* out) {
  const std::size_t nx = static_cast<std::size_t>(n.counts[0]), ny = static_cast<std::size_t>(n.counts[1]);
  const std::size_t node = cut.node;
  const int place[3] = {static_cast<int>(node % nx), static_cast<int>(node / nx % ny),
                        static_cast<int>(node / (nx * ny))};
  for (int axis = 0; axis < 3; ++axis)
    out[axis] =
        static_cast<float>(n.along(axis, place[axis]) + (axis == cut.axis ? part * n.step[axis] : 0.0) - middle[axis]);
}

struct PbMiddle {
  double at[3];
};

/// The next charges from `first` on into `tile`, of charge_tile, in shared memory; how many. All threads of a block.
__device__ __forceinline__ unsigned load_charges(const PbCharge* __restrict__ charges, unsigned first, unsigned count,
                                                 float4* tile) {
  const unsigned used = min(charge_tile, count - first);
  __syncthreads();
  if (threadIdx.x < used) {
    const PbCharge c = charges[first + threadIdx.x];
    tile[threadIdx.x] = make_float4(c.x, c.y, c.z, c.q);
  }
  __syncthreads();
  return used;
}

/// Coulomb's potential where the surface cuts, and its derivatives along the edge there and in the middle of the edge,
/// outwards; or, across a smooth surface, its potential at the node of the solute and at that of the solvent.
template <bool smooth>
__global__ void __launch_bounds__(point_block)
    pb_jumps_kernel(PbNodes n, PbMiddle middle, const PbCut* __restrict__ cuts, unsigned count,
                    const PbCharge* __restrict__ charges, unsigned charge_count, double unit,
                    double* __restrict__ value, double* __restrict__ jump, double* __restrict__ through) {
  __shared__ float4 tile[charge_tile];
  const unsigned at = blockIdx.x * point_block + threadIdx.x;
  const PbCut cut = cuts[at < count ? at : count - 1];
  float a[3], b[3];
  const double share = static_cast<double>(cut.share);
  if (smooth) {
    point_of(n, cut, cut.in ? 0.0 : 1.0, middle.at, a);
    point_of(n, cut, cut.in ? 1.0 : 0.0, middle.at, b);
  } else {
    point_of(n, cut, cut.in ? share : 1 - share, middle.at, a);
    point_of(n, cut, 0.5, middle.at, b);
  }
  double sums[3] = {};
  for (unsigned first = 0; first < charge_count; first += charge_tile) {
    const unsigned used = load_charges(charges, first, charge_count, tile);
    float potential = 0, slope = 0, other = 0;
    for (unsigned m = 0; m < used; ++m) {
      const float4 c = tile[m];
      const float x = a[0] - c.x, y = a[1] - c.y, z = a[2] - c.z;
      const float square = x * x + y * y + z * z;
      const float inverse = square > 1e-8f ? rsqrtf(square) : 0.0f;
      const float one = c.w * inverse;
      potential += one;
      const float u = b[0] - c.x, v = b[1] - c.y, w = b[2] - c.z;
      const float square_b = u * u + v * v + w * w;
      const float inverse_b = square_b > 1e-8f ? rsqrtf(square_b) : 0.0f;
      if (smooth) {
        other += c.w * inverse_b;
      } else {
        slope -= one * inverse * inverse * (cut.axis == 0 ? x : cut.axis == 1 ? y : z);
        other -= c.w * inverse_b * inverse_b * inverse_b * (cut.axis == 0 ? u : cut.axis == 1 ? v : w);
      }
    }
    // Totals in double precision, from runs of single.
    sums[0] += static_cast<double>(potential);
    sums[1] += static_cast<double>(slope);
    sums[2] += static_cast<double>(other);
  }
  if (at >= count) return;
  const double sign = cut.in ? 1.0 : -1.0;
  value[at] = unit * sums[0];
  jump[at] = smooth ? 0.0 : sign * unit * sums[1];
  through[at] = smooth ? unit * sums[2] : sign * unit * sums[2];
}

/// The sources of the lower (`upper` 0) or upper nodes of the cut edges along one axis: a node has one at most.
__global__ void pb_sources_kernel(PbNodes n, PbEdgeRules rules, const PbCut* __restrict__ cuts, unsigned count,
                                  const double* __restrict__ value, const double* __restrict__ jump,
                                  const double* __restrict__ through, int axis, int upper, float* __restrict__ source) {
  const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= count || cuts[at].axis != axis) return;
  const PbCut cut = cuts[at];
  const bool in = (cut.in != 0) != (upper != 0);
  const double c = static_cast<double>(cut.coefficient);
  double change = 0;
  if (rules.smooth) {
    const double at_inside = value[at], at_outside = through[at];
    change = in ? -(c * at_inside + rules.weight[axis] * rules.solute * (at_outside - at_inside)) : c * at_inside;
  } else {
    const PbJump here{c,         static_cast<double>(cut.share), rules.step[axis],          rules.weight[axis],
                      value[at], rules.solute * jump[at],        rules.solute * through[at]};
    change = in ? here.to_inside(rules.solvent) : here.to_outside(rules.solute);
  }
  source[cut.node + (upper ? stride_of(n, axis) : 0)] += static_cast<float>(change);
}

/// The lower corner of the cell about a point, and the point's part of it.
__device__ __forceinline__ void cell_of(const PbNodes& n, const double* point, int* low, double* part) {
  for (int axis = 0; axis < 3; ++axis) {
    const double at = (point[axis] - n.origin[axis]) / n.step[axis];
    const int most = n.counts[axis] - 2;
    int first = static_cast<int>(floor(pb_clamp(at, 0.0, static_cast<double>(most))));
    low[axis] = first;
    part[axis] = pb_clamp(at - first, 0.0, 1.0);
  }
}

__device__ __forceinline__ double corner_weight(const double* part, int corner) {
  return (corner & 1 ? part[0] : 1 - part[0]) * (corner >> 1 & 1 ? part[1] : 1 - part[1]) *
         (corner >> 2 ? part[2] : 1 - part[2]);
}

__device__ __forceinline__ std::size_t corner_node(const PbNodes& n, const int* low, int corner) {
  return n.index(low[0] + (corner & 1), low[1] + (corner >> 1 & 1), low[2] + (corner >> 2));
}

__device__ __forceinline__ bool in_box(const PbNodes& n, const double* point) {
  for (int axis = 0; axis < 3; ++axis)
    if (point[axis] < n.origin[axis] || point[axis] > n.along(axis, n.counts[axis] - 1)) return false;
  return true;
}

/// 1 for atoms in the box about which no node is in the solute.
__global__ void pb_lost_kernel(PbNodes n, const std::uint8_t* __restrict__ inside, const PbCharge* __restrict__ atoms,
                               unsigned count, std::uint8_t* __restrict__ lost, PbCounts* __restrict__ counts) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const double point[3] = {static_cast<double>(atoms[i].x), static_cast<double>(atoms[i].y),
                           static_cast<double>(atoms[i].z)};
  bool none = in_box(n, point);
  if (none) {
    int low[3];
    double part[3];
    cell_of(n, point, low, part);
    for (int corner = 0; corner < 8; ++corner) none = none && inside[corner_node(n, low, corner)] == 0;
  }
  lost[i] = none ? 1 : 0;
  if (none && atoms[i].q != 0) atomicAdd(&counts->lost_charges, 1u);
}

/// Lost charges on the nodes about them, as integers of 2^-32, whose sums do not depend on their order.
__global__ void pb_spread_kernel(PbNodes n, const PbCharge* __restrict__ atoms, unsigned count,
                                 const std::uint8_t* __restrict__ lost, unsigned long long* __restrict__ sums) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count || !lost[i] || atoms[i].q == 0) return;
  const double point[3] = {static_cast<double>(atoms[i].x), static_cast<double>(atoms[i].y),
                           static_cast<double>(atoms[i].z)};
  int low[3];
  double part[3];
  cell_of(n, point, low, part);
  for (int corner = 0; corner < 8; ++corner) {
    const double one = static_cast<double>(atoms[i].q) * corner_weight(part, corner);
    atomicAdd(&sums[corner_node(n, low, corner)], static_cast<unsigned long long>(llrint(one * 4294967296.0)));
  }
}

__global__ void pb_add_spread_kernel(std::size_t count, const unsigned long long* __restrict__ sums, double unit,
                                     float* __restrict__ source) {
  const std::size_t n = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n >= count || sums[n] == 0) return;
  source[n] += static_cast<float>(unit * static_cast<double>(static_cast<long long>(sums[n])) / 4294967296.0);
}

/// Coefficients of edges along one axis as codes (PbCompact), `weight` being the axis's.
__global__ void pb_code_edges_kernel(std::size_t count, double solute, double solvent, double weight,
                                     const float* __restrict__ edges, std::uint16_t* __restrict__ codes) {
  const std::size_t n = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const double c = static_cast<double>(edges[n]);
  codes[n] = c > 0 ? static_cast<std::uint16_t>(rint(65535 * pb_clamp(pb_share_of(c / weight, solute, solvent), 0, 1)))
                   : std::uint16_t{0};
}

/// The ions' coefficients as codes: the part of a whole one.
__global__ void pb_code_ions_kernel(std::size_t count, double whole, const float* __restrict__ kappa,
                                    std::uint16_t* __restrict__ codes) {
  const std::size_t n = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n >= count) return;
  codes[n] = whole > 0 ? static_cast<std::uint16_t>(rint(65535 * pb_clamp(static_cast<double>(kappa[n]) / whole, 0, 1)))
                       : std::uint16_t{0};
}

/// The inner nodes that have a source, as far as there is room; their order is of no meaning.
__global__ void pb_list_sources_kernel(PbNodes n, const float* __restrict__ source, unsigned room,
                                       unsigned* __restrict__ found, std::uint32_t* __restrict__ nodes,
                                       float* __restrict__ values) {
  int i, j, k;
  if (!node_of_thread(n, i, j, k) || n.on_face(i, j, k)) return;
  const std::size_t node = n.index(i, j, k);
  if (source[node] == 0) return;
  const unsigned at = claim(found);
  if (at >= room) return;
  nodes[at] = static_cast<std::uint32_t>(node);
  values[at] = source[node];
}

}  // namespace
}  // namespace isolume
