// The kernels that pass Poisson-Boltzmann solutions from box to box on CUDA, and read them.
#pragma once

#include "compute/electrostatics/poisson_boltzmann/pb_math.h"
#include "compute/electrostatics/poisson_boltzmann/pb_setup_kernels.cuh"

namespace isolume {
namespace {

/// A box's solution.
struct PbField {
  PbNodes nodes;
  const double* u;
  const std::uint8_t* inside;
};

constexpr unsigned reduce_threads = 256, reduce_blocks = 528;

/// Debye and Hückel's sums of one pair of faces, in kT/e; `sums` begin with the face `side` 0.
__global__ void pb_sum_faces_kernel(PbNodes n, int axis, const float* __restrict__ sums, double volts,
                                    double* __restrict__ u) {
  const int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
  const std::size_t face = static_cast<std::size_t>(n.counts[first]) * static_cast<std::size_t>(n.counts[second]);
  const std::size_t at = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (at >= 2 * face) return;
  const std::size_t on = at % face;
  int place[3];
  place[axis] = at < face ? 0 : n.counts[axis] - 1;
  place[first] = static_cast<int>(on % static_cast<std::size_t>(n.counts[first]));
  place[second] = static_cast<int>(on / static_cast<std::size_t>(n.counts[first]));
  u[n.index(place[0], place[1], place[2])] = static_cast<double>(sums[at]) / volts;
}

/// u of the box around, on the faces: of the corners on the node's side of the surface alone, since u jumps there and
/// the potential's slope does. Where there are none, of all, taken over with Coulomb's potential.
__global__ void pb_outer_faces_kernel(PbNodes n, const std::uint8_t* __restrict__ inside, PbField from, PbMiddle middle,
                                      const PbCharge* __restrict__ charges, unsigned charge_count, double unit,
                                      double* __restrict__ u) {
  int i, j, k;
  if (!node_of_thread(n, i, j, k) || !n.on_face(i, j, k)) return;
  const std::size_t node = n.index(i, j, k);
  const double point[3] = {n.along(0, i), n.along(1, j), n.along(2, k)};
  int low[3];
  double part[3];
  cell_of(from.nodes, point, low, part);
  double own = 0;
  for (int corner = 0; corner < 8; ++corner)
    if (from.inside[corner_node(from.nodes, low, corner)] == inside[node]) own += corner_weight(part, corner);
  const bool alone = own > 0.05;
  double value = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const std::size_t at = corner_node(from.nodes, low, corner);
    const bool same = from.inside[at] == inside[node];
    const double weight = corner_weight(part, corner) / (alone ? own : 1.0);
    if (weight == 0 || (alone && !same)) continue;
    value += weight * from.u[at];
    if (same) continue;
    const double x = from.nodes.along(0, low[0] + (corner & 1)) - middle.at[0];
    const double y = from.nodes.along(1, low[1] + (corner >> 1 & 1)) - middle.at[1];
    const double z = from.nodes.along(2, low[2] + (corner >> 2)) - middle.at[2];
    double sum = 0;
    for (unsigned m = 0; m < charge_count; ++m) {
      const PbCharge c = charges[m];
      const double dx = x - static_cast<double>(c.x), dy = y - static_cast<double>(c.y),
                   dz = z - static_cast<double>(c.z);
      const double square = dx * dx + dy * dy + dz * dz;
      if (square > 1e-8) sum += static_cast<double>(c.q) / sqrt(square);
    }
    value += (from.inside[at] ? weight : -weight) * unit * sum;
  }
  u[node] = value;
}

/// The finer stage's values on the faces of one with steps twice as long.
__global__ void pb_finer_faces_kernel(PbNodes n, const std::uint8_t* __restrict__ inside, PbField fine,
                                      double* __restrict__ u) {
  int i, j, k;
  if (!node_of_thread(n, i, j, k) || !n.on_face(i, j, k)) return;
  const std::size_t node = n.index(i, j, k), twin = fine.nodes.index(2 * i, 2 * j, 2 * k);
  u[node] = inside[node] == fine.inside[twin] ? fine.u[twin] : 0.0;
}

/// A first guess from another box: of nodes of the same kind alone.
__global__ void pb_start_kernel(PbNodes n, const std::uint8_t* __restrict__ inside, PbField from,
                                double* __restrict__ u) {
  int i, j, k;
  if (!node_of_thread(n, i, j, k) || n.on_face(i, j, k)) return;
  const std::size_t node = n.index(i, j, k);
  const double point[3] = {n.along(0, i), n.along(1, j), n.along(2, k)};
  int low[3];
  double part[3];
  cell_of(from.nodes, point, low, part);
  double sum = 0, total = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const std::size_t at = corner_node(from.nodes, low, corner);
    if (from.inside[at] != inside[node]) continue;
    const double weight = corner_weight(part, corner);
    sum += weight * from.u[at];
    total += weight;
  }
  u[node] = total > 0 ? sum / total : 0;
}

/// The same from a kept solution on this grid.
__global__ void pb_kept_kernel(PbNodes n, const std::uint8_t* __restrict__ inside, PbField kept,
                               double* __restrict__ u) {
  int i, j, k;
  if (!node_of_thread(n, i, j, k) || n.on_face(i, j, k)) return;
  const std::size_t node = n.index(i, j, k);
  if (kept.inside[node] == inside[node]) u[node] = kept.u[node];
}

/// Of all threads of a warp, in all of them.
__device__ __forceinline__ double sum_of_warp(double value) {
#pragma unroll
  for (int half = 16; half > 0; half /= 2) value += __shfl_xor_sync(~0u, value, half);
  return value;
}

/// pb_harmonic_fit() by a warp: each thread has two of the nodes, and all of them the sums.
__device__ double harmonic_fit_of_warp(const PbField& field, const double* point) {
  constexpr int terms = 9, own = 2;
  const PbNodes& nodes = field.nodes;
  const int lane = static_cast<int>(threadIdx.x % 32);
  int low[3], high[3];
  for (int axis = 0; axis < 3; ++axis) {
    const int at = static_cast<int>(floor((point[axis] - nodes.origin[axis]) / nodes.step[axis]));
    low[axis] = max(at - 1, 0);
    high[axis] = min(at + 2, nodes.counts[axis] - 1);
  }
  double f[own][terms], weight[own], value[own];
#pragma unroll
  for (int n = 0; n < own; ++n) {
    const int number = lane + 32 * n;
    const int i = low[0] + (number & 3), j = low[1] + (number >> 2 & 3), k = low[2] + (number >> 4);
    bool used = i <= high[0] && j <= high[1] && k <= high[2];
    const std::size_t node = used ? nodes.index(i, j, k) : 0;
    used = used && field.inside[node] != 0;
    const double x = (nodes.along(0, i) - point[0]) / nodes.step[0];
    const double y = (nodes.along(1, j) - point[1]) / nodes.step[0];
    const double z = (nodes.along(2, k) - point[2]) / nodes.step[0];
    weight[n] = used ? exp(-(x * x + y * y + z * z)) : 0.0;
    value[n] = used ? field.u[node] : 0.0;
    const double all[terms] = {1, x, y, z, x * y, x * z, y * z, x * x - y * y, 2 * z * z - x * x - y * y};
#pragma unroll
    for (int a = 0; a < terms; ++a) f[n][a] = all[a];
  }
  const double total = sum_of_warp(weight[0] + weight[1]);
  if (total == 0) return 0;
  const double mean = sum_of_warp(weight[0] * value[0] + weight[1] * value[1]) / total;
  double m[terms][terms], right[terms];
#pragma unroll
  for (int a = 0; a < terms; ++a) {
    right[a] = sum_of_warp(weight[0] * f[0][a] * (value[0] - mean) + weight[1] * f[1][a] * (value[1] - mean));
#pragma unroll
    for (int b = 0; b <= a; ++b) m[a][b] = sum_of_warp(weight[0] * f[0][a] * f[0][b] + weight[1] * f[1][a] * f[1][b]);
    if (a > 0) m[a][a] += (a < 4 ? 1e-5 : 1e-3) * total;
  }
  // Cholesky's factors, their diagonal inverted, and both substitutions.
#pragma unroll
  for (int a = 0; a < terms; ++a) {
#pragma unroll
    for (int b = 0; b <= a; ++b) {
      double sum = m[a][b];
#pragma unroll
      for (int c = 0; c < b; ++c) sum -= m[a][c] * m[b][c];
      m[a][b] = a == b ? 1 / sqrt(sum > 1e-300 ? sum : 1e-300) : sum * m[b][b];
    }
  }
#pragma unroll
  for (int a = 0; a < terms; ++a) {
#pragma unroll
    for (int c = 0; c < a; ++c) right[a] -= m[a][c] * right[c];
    right[a] *= m[a][a];
  }
#pragma unroll
  for (int a = terms - 1; a >= 0; --a) {
#pragma unroll
    for (int c = a + 1; c < terms; ++c) right[a] -= m[c][a] * right[c];
    right[a] *= m[a][a];
  }
  return mean + right[0];
}

/// A warp an atom.
__global__ void __launch_bounds__(128) pb_reaction_kernel(PbField field, const PbCharge* __restrict__ atoms,
                                                          unsigned count, bool linear, double* __restrict__ values) {
  const unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (i >= count) return;
  const double point[3] = {static_cast<double>(atoms[i].x), static_cast<double>(atoms[i].y),
                           static_cast<double>(atoms[i].z)};
  double value = 0;
  if (in_box(field.nodes, point))
    value = linear ? pb_linear_fit(field.nodes, field.u, field.inside, point) : harmonic_fit_of_warp(field, point);
  if (threadIdx.x % 32 == 0) values[i] = value;
}

__device__ __forceinline__ void reduce(double* shared, double value, bool largest) {
  shared[threadIdx.x] = value;
  for (unsigned half = reduce_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x >= half) continue;
    const double other = shared[threadIdx.x + half];
    shared[threadIdx.x] = largest ? fmax(shared[threadIdx.x], other) : shared[threadIdx.x] + other;
  }
  __syncthreads();
}

/// Four parts a block: the squares of the differences, of the finer values, the largest difference, the number.
__global__ void __launch_bounds__(reduce_threads)
    pb_difference_kernel(PbField fine, PbField coarse, double* __restrict__ parts) {
  __shared__ double shared[reduce_threads];
  const std::size_t nx = static_cast<std::size_t>(coarse.nodes.counts[0]),
                    ny = static_cast<std::size_t>(coarse.nodes.counts[1]);
  double sums[4] = {};
  for (std::size_t n = blockIdx.x * reduce_threads + threadIdx.x; n < coarse.nodes.size();
       n += reduce_threads * gridDim.x) {
    const std::size_t twin = fine.nodes.index(2 * static_cast<int>(n % nx), 2 * static_cast<int>(n / nx % ny),
                                              2 * static_cast<int>(n / (nx * ny)));
    if (coarse.inside[n] || fine.inside[twin]) continue;
    const double apart = fabs(fine.u[twin] - coarse.u[n]);
    sums[0] += apart * apart;
    sums[1] += fine.u[twin] * fine.u[twin];
    sums[2] = fmax(sums[2], apart);
    sums[3] += 1;
  }
  for (int m = 0; m < 4; ++m) {
    reduce(shared, sums[m], m == 2);
    if (threadIdx.x == 0) parts[4 * blockIdx.x + static_cast<unsigned>(m)] = shared[0];
    __syncthreads();
  }
}

/// Parts of the sum of kappa (u F(u) / 2 - the osmotic term) over the inner nodes.
__global__ void __launch_bounds__(reduce_threads)
    pb_ion_energy_kernel(PbNodes n, PbIons ions, const float* __restrict__ kappa, const double* __restrict__ u,
                         double* __restrict__ parts) {
  __shared__ double shared[reduce_threads];
  const std::size_t nx = static_cast<std::size_t>(n.counts[0]), ny = static_cast<std::size_t>(n.counts[1]);
  double sum = 0;
  for (std::size_t at = blockIdx.x * reduce_threads + threadIdx.x; at < n.size(); at += reduce_threads * gridDim.x) {
    if (kappa[at] == 0 ||
        n.on_face(static_cast<int>(at % nx), static_cast<int>(at / nx % ny), static_cast<int>(at / (nx * ny))))
      continue;
    double slope = 0;
    const double term = pb_ion_term(ions, u[at], slope);
    sum += static_cast<double>(kappa[at]) * (0.5 * u[at] * term - pb_osmotic(ions, u[at]));
  }
  reduce(shared, sum, false);
  if (threadIdx.x == 0) parts[blockIdx.x] = shared[0];
}

/// The faces' nodes of the solute.
__global__ void pb_solute_faces_kernel(PbNodes n, const std::uint8_t* __restrict__ inside,
                                       PbCounts* __restrict__ counts) {
  int i, j, k;
  if (!node_of_thread(n, i, j, k) || !n.on_face(i, j, k)) return;
  if (inside[n.index(i, j, k)]) counts->on_faces = 1;
}

/// Nodes of a grid that are in the solute.
struct PbSoluteNodes {
  unsigned long long count;
  unsigned long long far;  ///< of these, outside of the box about the atoms
};
struct PbReach {
  double lower[3], upper[3];
};

/// The potential times a unit on the nodes from `first` of the box, and what is counted of those of the solute.
__global__ void pb_potential_kernel(PbField field, PbNodes grid, int3 first, PbReach reach, double unit,
                                    float* __restrict__ out, PbSoluteNodes* __restrict__ found) {
  int i, j, k;
  if (!node_of_thread(grid, i, j, k)) return;
  const std::size_t node = field.nodes.index(i + first.x, j + first.y, k + first.z);
  out[grid.index(i, j, k)] = static_cast<float>(unit * field.u[node]);
  if (!field.inside[node]) return;
  const int place[3] = {i, j, k};
  bool far = false;
  for (int axis = 0; axis < 3; ++axis) {
    const double at = grid.along(axis, place[axis]);
    far = far || at < reach.lower[axis] || at > reach.upper[axis];
  }
  claim(&found->count);
  if (far) atomicAdd(&found->far, 1ull);
}

/// The nodes of the solute; their order is of no meaning.
__global__ void pb_list_kernel(PbField field, PbNodes grid, int3 first, unsigned long long* __restrict__ count,
                               std::uint32_t* __restrict__ nodes) {
  int i, j, k;
  if (!node_of_thread(grid, i, j, k)) return;
  if (field.inside[field.nodes.index(i + first.x, j + first.y, k + first.z)])
    nodes[claim(count)] = static_cast<std::uint32_t>(grid.index(i, j, k));
}

/// Adds Coulomb's potential at the listed nodes of the grid.
__global__ void __launch_bounds__(point_block)
    pb_coulomb_kernel(PbNodes grid, PbMiddle middle, const std::uint32_t* __restrict__ nodes, unsigned long long count,
                      const PbCharge* __restrict__ charges, unsigned charge_count, double scale,
                      float* __restrict__ out) {
  __shared__ float4 tile[charge_tile];
  constexpr int each = 2;  // points of a thread
  float x[each], y[each], z[each];
  double sums[each] = {};
  std::size_t at[each];
  const std::size_t nx = static_cast<std::size_t>(grid.counts[0]), ny = static_cast<std::size_t>(grid.counts[1]);
  for (int m = 0; m < each; ++m) {
    const unsigned long long mine =
        (static_cast<unsigned long long>(blockIdx.x) * each + static_cast<unsigned>(m)) * point_block + threadIdx.x;
    at[m] = mine < count ? nodes[mine] : nodes[count - 1];
    x[m] = static_cast<float>(grid.along(0, static_cast<int>(at[m] % nx)) - middle.at[0]);
    y[m] = static_cast<float>(grid.along(1, static_cast<int>(at[m] / nx % ny)) - middle.at[1]);
    z[m] = static_cast<float>(grid.along(2, static_cast<int>(at[m] / (nx * ny))) - middle.at[2]);
    if (mine >= count) at[m] = grid.size();
  }
  for (unsigned first = 0; first < charge_count; first += charge_tile) {
    const unsigned used = load_charges(charges, first, charge_count, tile);
    float run[each] = {};
    for (unsigned c = 0; c < used; ++c) {
      const float4 charge = tile[c];
      for (int m = 0; m < each; ++m) {
        const float dx = x[m] - charge.x, dy = y[m] - charge.y, dz = z[m] - charge.z;
        const float square = dx * dx + dy * dy + dz * dz;
        run[m] += square > 1e-8f ? charge.w * rsqrtf(square) : 0.0f;
      }
    }
    for (int m = 0; m < each; ++m) sums[m] += static_cast<double>(run[m]);
  }
  for (int m = 0; m < each; ++m)
    if (at[m] < grid.size()) out[at[m]] += static_cast<float>(scale * sums[m]);
}

/// The same from a map of Coulomb's potential of all nodes.
__global__ void pb_add_coulomb_kernel(PbField field, PbNodes grid, int3 first, const float* __restrict__ coulomb,
                                      double scale, float* __restrict__ out) {
  int i, j, k;
  if (!node_of_thread(grid, i, j, k)) return;
  const std::size_t at = grid.index(i, j, k);
  if (field.inside[field.nodes.index(i + first.x, j + first.y, k + first.z)])
    out[at] += static_cast<float>(scale * static_cast<double>(coulomb[at]));
}

}  // namespace
}  // namespace isolume
