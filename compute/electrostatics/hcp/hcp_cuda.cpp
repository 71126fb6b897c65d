// Hierarchical charge partitioning on CUDA: potentials and fields of one call.
#include "compute/electrostatics/hcp/hcp_device.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

void run(Span<const PointCharge> charges, const std::vector<HcpLevel>& levels, const HcpTargets& targets,
         const HcpOptions& options, float* potential, float* values, Device device, Job& job) {
  static_assert(sizeof(PointCharge) == sizeof(HcpCharge));
  Stream stream(device);
  DeviceArray<PointCharge> uploaded;
  if (!charges.device.is_cuda())
    uploaded = DeviceArray<PointCharge>::from_host(std::span(charges.data, charges.size), stream, "charges");
  HcpDevice system(charges.size, levels, options, stream);
  system.set_atoms(reinterpret_cast<const HcpCharge*>(charges.device.is_cuda() ? charges.data : uploaded.data()),
                   stream);
  HcpDeviceTargets t;
  DeviceArray<glm::vec3> points;
  if (targets.grid) {
    t = HcpDeviceTargets::on(*targets.grid);
  } else if (!values) {
    points = DeviceArray<glm::vec3>::from_host(targets.points, stream, "points");
    t.points = reinterpret_cast<const float*>(points.data());
    t.count = static_cast<std::uint32_t>(targets.points.size());
  }
  if (values) {
    system.field_on_atoms(units::coulomb_volt_angstrom, true, values, stream, job);
  } else {
    system.sum(t, units::coulomb_volt_angstrom, potential, stream, job);
  }
  stream.synchronize("hierarchical partitioning");
}

}  // namespace

void hcp_cuda(Span<const PointCharge> charges, const std::vector<HcpLevel>& levels, const HcpTargets& targets,
              const HcpOptions& options, Span<float> potential, Job& job) {
  run(charges, levels, targets, options, potential.data, nullptr, potential.device, job);
}

void hcp_cuda(Span<const PointCharge> charges, const std::vector<HcpLevel>& levels, const HcpTargets& targets,
              const HcpOptions& options, Span<glm::vec4> values, Job& job) {
  run(charges, levels, targets, options, nullptr, reinterpret_cast<float*>(values.data), values.device, job);
}

}  // namespace isolume
