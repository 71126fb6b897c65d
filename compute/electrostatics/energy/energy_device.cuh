// Small device functions of the energy kernels.
#pragma once

#include "compute/electrostatics/energy/energy_cuda.h"
#include "compute/electrostatics/energy/energy_pairs_cuda.h"
#include "molecule/base/units.h"

namespace isolume {

inline constexpr float coulomb_f = static_cast<float>(units::coulomb_kcal_angstrom);

/// Whether j is a listed partner of i.
__device__ __forceinline__ bool is_excluded(const ExclusionView& x, std::uint32_t i, std::uint32_t j,
                                            std::uint64_t mask, bool far) {
  const std::uint32_t bit = j - i + 31u;
  if (bit < 64u) return (mask >> bit) & 1u;
  if (!far) return false;
  for (std::uint32_t k = x.offsets[i]; k < x.offsets[i + 1]; ++k) {
    if (x.partners[k] == j) return true;
  }
  return false;
}

/// Point `index` of a grid as fractions of the cell in units of 2^-32.
__device__ __forceinline__ void grid_fractions(const GridView& grid, const CellView& cell, std::size_t index,
                                               std::uint32_t (&u)[3]) {
  const auto nx = static_cast<std::size_t>(grid.counts[0]);
  const auto ny = static_cast<std::size_t>(grid.counts[1]);
  const double at[3] = {static_cast<double>(index % nx), static_cast<double>(index / nx % ny),
                        static_cast<double>(index / nx / ny)};
  double p[3];
  for (int c = 0; c < 3; ++c) {
    p[c] = grid.origin[c] + grid.step[c] * at[0] + grid.step[3 + c] * at[1] + grid.step[6 + c] * at[2];
  }
  for (int a = 0; a < 3; ++a) {
    double f = cell.inverse[a] * p[0] + cell.inverse[3 + a] * p[1] + cell.inverse[6 + a] * p[2];
    f -= floor(f);
    u[a] = static_cast<std::uint32_t>(static_cast<unsigned long long>(f * 4294967296.0));
  }
}

__device__ __forceinline__ double warp_sum(double v) {
  for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(~0u, v, step);
  return v;
}

/// Adds values[0 ... count) of all threads of a block to sums; every thread calls it. Up to 1024 threads.
template <int count>
__device__ void add_block_sums(const double (&values)[count], double* const (&sums)[count]) {
  __shared__ double parts[count][32];
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int warp = static_cast<int>(threadIdx.x / 32);
  for (int k = 0; k < count; ++k) {
    const double v = warp_sum(values[k]);
    if (lane == 0) parts[k][warp] = v;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const int warps = static_cast<int>((blockDim.x + 31) / 32);
    for (int k = 0; k < count; ++k) {
      const double v = warp_sum(lane < warps ? parts[k][lane] : 0.0);
      if (lane == 0 && v != 0) atomicAdd(sums[k], v);
    }
  }
}

/// Energy and virial of a block to their places.
__device__ __forceinline__ void add_energy_sums(double* sums, int place, double energy, const double (&virial)[6]) {
  const double values[7] = {energy, virial[0], virial[1], virial[2], virial[3], virial[4], virial[5]};
  double* const to[7] = {sums + place,          sums + sum_virial,     sums + sum_virial + 1, sums + sum_virial + 2,
                         sums + sum_virial + 3, sums + sum_virial + 4, sums + sum_virial + 5};
  add_block_sums(values, to);
}

}  // namespace isolume
