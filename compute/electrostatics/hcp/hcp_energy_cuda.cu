// Energies and forces by hierarchical charge partitioning on CUDA.
#include "compute/base/launch.cuh"
#include "compute/electrostatics/energy/energy_device.cuh"
#include "compute/electrostatics/hcp/hcp_device.h"
#include "compute/electrostatics/hcp/hcp_energy.h"
#include "compute/electrostatics/hcp/hcp_pair.h"

namespace isolume {

namespace {

constexpr int block_size = 128;

__global__ void pack_kernel(const float* positions, const float* charges, std::uint32_t atoms, HcpCharge* packed) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < atoms) packed[i] = {positions[3 * i], positions[3 * i + 1], positions[3 * i + 2], charges[i]};
}

/// Takes the excluded pairs off and turns potentials and fields into energies and forces.
__global__ void __launch_bounds__(block_size)
    finish_kernel(const HcpCharge* atoms, const float4* values, std::uint32_t count, ExclusionView x,
                  DielectricPair pair, bool all, float* forces, float* energies, double* sums) {
  const std::uint32_t i = blockIdx.x * block_size + threadIdx.x;
  double energy = 0, off_energy = 0;
  if (i < count) {
    const HcpCharge own = atoms[i];
    const float4 value = values[i];
    double force[3] = {value.x, value.y, value.z};
    double off = 0;
    for (std::uint32_t k = x.offsets ? x.offsets[i] : 0, end = x.offsets ? x.offsets[i + 1] : 0; k < end; ++k) {
      const HcpCharge other = atoms[x.partners[k]];
      const double d[3] = {static_cast<double>(own.x) - static_cast<double>(other.x),
                           static_cast<double>(own.y) - static_cast<double>(other.y),
                           static_cast<double>(own.z) - static_cast<double>(other.z)};
      const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
      if (r2 < 1e-8) continue;
      double along = 0;
      const double q = (1 - static_cast<double>(x.kept[k])) * static_cast<double>(other.q);
      off += q * pair.value(sqrt(r2), &along);
      for (int a = 0; a < 3; ++a) force[a] -= q * along * d[a];
    }
    const double scale = units::coulomb_kcal_angstrom * static_cast<double>(own.q);
    energy = 0.5 * scale * static_cast<double>(value.w);
    off_energy = -0.5 * scale * off;
    if (forces)
      for (int a = 0; a < 3; ++a) forces[3 * i + a] = static_cast<float>(scale * force[a]);
    if (energies) energies[i] = static_cast<float>(energy + off_energy);
  }
  if (all) {
    const double parts[2] = {energy, off_energy};
    double* const to[2] = {sums + sum_pairs, sums + sum_exclusions};
    add_block_sums(parts, to);
  }
}

class HcpCuda final : public Electrostatics {
 public:
  HcpCuda(ElectrostaticProblem problem, HcpHierarchy hierarchy, const HcpOptions& options, Device device)
      : Electrostatics(std::move(problem), device, "hcp"),
        hierarchy_(std::move(hierarchy)),
        options_(options),
        common_(problem_, device),
        system_(problem_.atoms(), hcp_levels(hierarchy_, options_), options_, stream()),
        atoms_(problem_.atoms(), device, "charges"),
        values_(problem_.atoms(), device, "field on atoms"),
        pair_(options.dielectric) {}
  std::string name() const override { return "hcp"; }
  std::string describe() const override { return describe_hcp(hierarchy_, options_); }
  std::size_t memory() const override {
    return common_.bytes() + system_.bytes() + problem_.atoms() * (sizeof(HcpCharge) + sizeof(float4));
  }
  ElectrostaticSums sums() override {
    ElectrostaticSums result = common_.read_sums(stream());
    result.has_virial = false;
    return result;
  }

 protected:
  void compute(Span<const glm::vec3> positions, const ElectrostaticOutput& out, Job& job) override {
    const auto count = static_cast<std::uint32_t>(problem_.atoms());
    const bool all = out.sums;
    common_.clear_sums(stream());
    launch("hierarchical partitioning: atoms", stream(), pack_kernel, blocks_for(count), CudaDim{256, 1, 1},
           reinterpret_cast<const float*>(positions.data), common_.charges(), count, atoms_.data());
    system_.set_atoms(atoms_.data(), stream());
    system_.field_on_atoms(1.0, all || !out.energies.empty(), reinterpret_cast<float*>(values_.data()), stream(), job);
    launch("hierarchical partitioning: forces", stream(), finish_kernel, blocks_for(count, block_size),
           CudaDim{block_size, 1, 1}, atoms_.data(), values_.data(), count, common_.exclusions(), pair_, all,
           reinterpret_cast<float*>(out.forces.data), out.energies.data, common_.sums());
  }

 private:
  HcpHierarchy hierarchy_;
  HcpOptions options_;
  EnergyDevice common_;
  HcpDevice system_;
  DeviceArray<HcpCharge> atoms_;
  DeviceArray<float4> values_;
  DielectricPair pair_;
};

}  // namespace

std::unique_ptr<Electrostatics> hcp_electrostatics_cuda(ElectrostaticProblem problem, HcpHierarchy hierarchy,
                                                        const HcpOptions& options, Device device) {
  return std::make_unique<HcpCuda>(std::move(problem), std::move(hierarchy), options, device);
}

}  // namespace isolume
