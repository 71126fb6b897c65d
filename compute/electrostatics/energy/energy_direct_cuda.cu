// Energies and forces by the sum over all pairs on CUDA.
#include "compute/base/launch.cuh"
#include "compute/electrostatics/charges/fast_math.cuh"
#include "compute/electrostatics/energy/energy_bodies.h"
#include "compute/electrostatics/energy/energy_device.cuh"

namespace isolume {

namespace {

constexpr int tile = 128;

/// One thread an atom; partners pass in tiles through shared memory, summed in single precision within a tile and in
/// double over tiles.
__global__ void __launch_bounds__(tile)
    all_pairs_kernel(const float* positions, const float* charges, std::uint32_t atoms, ExclusionView x, bool all,
                     float* forces, float* energies, double* sums) {
  __shared__ float4 others[tile];
  const std::uint32_t i = blockIdx.x * tile + threadIdx.x;
  const bool real = i < atoms;
  const float px = real ? positions[3 * i] : 0;
  const float py = real ? positions[3 * i + 1] : 0;
  const float pz = real ? positions[3 * i + 2] : 0;
  const float own = real ? coulomb_f * charges[i] : 0;
  const std::uint64_t mask = real && x.offsets ? x.mask[i] : 0;
  const bool far = real && x.offsets && x.far[i];
  const bool any_far = __syncthreads_or(far);
  double force[3] = {};
  double potential = 0;
  double virial[6] = {};
  for (std::uint32_t first = 0; first < atoms; first += tile) {
    __syncthreads();
    const std::uint32_t load = first + threadIdx.x;
    others[threadIdx.x] =
        load < atoms ? make_float4(positions[3 * load], positions[3 * load + 1], positions[3 * load + 2], charges[load])
                     : make_float4(0, 0, 0, 0);
    __syncthreads();
    const std::uint32_t origin = blockIdx.x * tile;
    const bool near = x.offsets && (origin > first ? origin - first : first - origin) < tile + 64;
    float f[3] = {};
    float e = 0;
    float v[6] = {};
    const auto pair = [&](std::uint32_t k, bool check) {
      const float4 o = others[k];
      const float dx = px - o.x;
      const float dy = py - o.y;
      const float dz = pz - o.z;
      const float r2 = dx * dx + dy * dy + dz * dz;
      const float root = fast_rsqrt(r2);
      // Not a number is no reason to leave a pair out: it must show.
      const bool apart = !(r2 < 1e-8f);
      float q = apart ? o.w : 0.0f;
      if (check && is_excluded(x, i, first + k, mask, far)) q = 0;
      const float c = apart ? root : 0.0f;
      const float w = q * c * c * c;
      f[0] += w * dx;
      f[1] += w * dy;
      f[2] += w * dz;
      if (all) {
        e += q * c;
        v[0] += w * dx * dx;
        v[1] += w * dy * dy;
        v[2] += w * dz * dz;
        v[3] += w * dx * dy;
        v[4] += w * dx * dz;
        v[5] += w * dy * dz;
      }
    };
    if (near || any_far) {
      for (std::uint32_t k = 0; k < tile; ++k) pair(k, true);
    } else {
#pragma unroll 8
      for (std::uint32_t k = 0; k < tile; ++k) pair(k, false);
    }
    for (int a = 0; a < 3; ++a) force[a] += static_cast<double>(f[a]);
    if (all) {
      potential += static_cast<double>(e);
      for (int a = 0; a < 6; ++a) virial[a] += static_cast<double>(v[a]);
    }
  }
  const double scale = static_cast<double>(own);
  if (real && forces) {
    for (int a = 0; a < 3; ++a) forces[3 * i + a] = static_cast<float>(scale * force[a]);
  }
  if (real && energies) energies[i] = static_cast<float>(0.5 * scale * potential);
  if (all) {
    for (double& w : virial) w *= 0.5 * scale;
    add_energy_sums(sums, sum_pairs, 0.5 * scale * potential, virial);
  }
}

class DirectCuda final : public Electrostatics {
 public:
  DirectCuda(ElectrostaticProblem problem, Device device)
      : Electrostatics(std::move(problem), device, "direct"), device_(problem_, device) {}
  std::string name() const override { return "direct"; }
  std::string describe() const override { return "all pairs, no periodicity"; }
  std::size_t memory() const override { return device_.bytes(); }
  ElectrostaticSums sums() override { return device_.read_sums(stream()); }

 protected:
  void compute(Span<const glm::vec3> positions, const ElectrostaticOutput& out, Job&) override {
    const auto* at = reinterpret_cast<const float*>(positions.data);
    auto* forces = reinterpret_cast<float*>(out.forces.data);
    const bool all = out.sums || !out.energies.empty();
    device_.clear_sums(stream());
    launch("all pairs", stream(), all_pairs_kernel, blocks_for(problem_.atoms(), tile), CudaDim{tile, 1, 1}, at,
           device_.charges(), static_cast<std::uint32_t>(problem_.atoms()), device_.exclusions(), all, forces,
           out.energies.data, device_.sums());
    device_.add_exclusions(at, {}, SmoothKernel::none(), all, forces, out.energies.data, stream());
  }

 private:
  EnergyDevice device_;
};

}  // namespace

std::unique_ptr<Electrostatics> direct_electrostatics_cuda(ElectrostaticProblem problem, Device device) {
  return std::make_unique<DirectCuda>(std::move(problem), device);
}

}  // namespace isolume
