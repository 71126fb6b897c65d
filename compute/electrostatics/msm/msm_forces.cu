// The kernels of forces by multilevel summation on CUDA.
#include "compute/base/launch.cuh"
#include "compute/electrostatics/energy/energy_device.cuh"
#include "compute/electrostatics/msm/msm_forces_cuda.h"

namespace isolume {

namespace {

constexpr int threads = 128;

__global__ void interleave_kernel(const float* positions, const float* charges, std::uint32_t atoms, RawCharge* out) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < atoms) out[i] = {positions[3 * i], positions[3 * i + 1], positions[3 * i + 2], charges[i]};
}

/// One thread an atom.
template <int degree>
__global__ void __launch_bounds__(threads)
    gather_kernel(MsmGather g, const RawCharge* charges, std::uint32_t atoms, const float* __restrict__ potentials,
                  float* forces, float* energies, double* energy_sum) {
  constexpr int taps = degree + 1;
  const std::uint32_t i = blockIdx.x * threads + threadIdx.x;
  double total = 0;
  if (i < atoms) {
    const RawCharge c = charges[i];
    const double p[3] = {static_cast<double>(c.x), static_cast<double>(c.y), static_cast<double>(c.z)};
    int at[3][taps];
    float w[3][taps];
    float d[3][taps];
    for (int a = 0; a < 3; ++a) {
      double u = g.to_lattice[a] * p[0] + g.to_lattice[3 + a] * p[1] + g.to_lattice[6 + a] * p[2] + g.offset[a];
      if (g.periodic) u -= g.counts[a] * floor(u / g.counts[a]);
      const double base = floor(u);
      const auto t = static_cast<float>(u - base);
      for (int m = 0; m < taps; ++m) {
        float value = 0;
        float slope = 0;
        for (int k = degree; k >= 0; --k) {
          slope = slope * t + value;
          value = value * t + g.coefficient[m][k];
        }
        w[a][m] = value;
        d[a][m] = slope;
        int node = static_cast<int>(base) - (degree - 1) / 2 + m;
        if (g.periodic) {
          node = (node % g.counts[a] + g.counts[a]) % g.counts[a];
        } else {
          node = min(max(node, 0), g.counts[a] - 1);  // beyond its ends weights are 0
        }
        at[a][m] = node;
      }
    }
    float value = 0;
    float slope[3] = {};
    for (int z = 0; z < taps; ++z) {
      float plane = 0;
      float by_x = 0;
      float by_y = 0;
      for (int y = 0; y < taps; ++y) {
        const float* row = potentials + (static_cast<std::size_t>(at[2][z]) * g.padded[1] + at[1][y]) * g.padded[0];
        float v = 0;
        float s = 0;
        for (int x = 0; x < taps; ++x) {
          const float n = __ldg(row + at[0][x]);
          v += w[0][x] * n;
          s += d[0][x] * n;
        }
        plane += w[1][y] * v;
        by_x += w[1][y] * s;
        by_y += d[1][y] * v;
      }
      value += w[2][z] * plane;
      slope[0] += w[2][z] * by_x;
      slope[1] += w[2][z] * by_y;
      slope[2] += d[2][z] * plane;
    }
    if (forces) {
      for (int a = 0; a < 3; ++a) {
        forces[3 * static_cast<std::size_t>(i) + a] -=
            c.charge * (static_cast<float>(g.to_lattice[3 * a]) * slope[0] +
                        static_cast<float>(g.to_lattice[3 * a + 1]) * slope[1] +
                        static_cast<float>(g.to_lattice[3 * a + 2]) * slope[2]);
      }
    }
    const float e = 0.5f * c.charge * value;
    if (energies) energies[i] += e;
    total = static_cast<double>(e);
  }
  if (energy_sum) {
    const double values[1] = {total};
    double* const to[1] = {energy_sum};
    add_block_sums(values, to);
  }
}

}  // namespace

void msm_interleave_cuda(const float* positions, const float* charges, std::size_t atoms, RawCharge* out,
                         Stream& stream) {
  launch("lattice: atoms", stream, interleave_kernel, blocks_for(atoms, threads), CudaDim{threads, 1, 1}, positions,
         charges, static_cast<std::uint32_t>(atoms), out);
}

void msm_gather_cuda(const MsmGather& gather, const RawCharge* charges, std::size_t atoms, const float* potentials,
                     float* forces, float* energies, double* energy_sum, Stream& stream) {
  const auto go = [&](auto kernel) {
    launch("lattice: forces", stream, kernel, blocks_for(atoms, threads), CudaDim{threads, 1, 1}, gather, charges,
           static_cast<std::uint32_t>(atoms), potentials, forces, energies, energy_sum);
  };
  gather.degree == 3 ? go(gather_kernel<3>) : gather.degree == 5 ? go(gather_kernel<5>) : go(gather_kernel<7>);
}

}  // namespace isolume
