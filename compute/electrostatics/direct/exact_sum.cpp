// The direct Coulomb sum at points in double precision: checks, and the choice of the body.
#include "compute/electrostatics/direct/exact_sum.h"

#include "compute/electrostatics/charges/potential_checks.h"
#include "molecule/base/units.h"

namespace isolume {

void exact_potential(std::span<const PointCharge> charges, std::span<const glm::dvec3> points,
                     std::span<double> potential, Device device, Job& job, Span<const PointCharge> there) {
  if (points.size() != potential.size()) {
    throw Error(fmt::format("exact potential: {} values for {} points", potential.size(), points.size()),
                Error::Kind::usage);
  }
  if (!there.empty() && (there.size != charges.size() || there.device != device)) {
    throw Error(fmt::format("exact potential: {} charges on {} for {} on {}", there.size, to_string(there.device),
                            charges.size(), to_string(device)),
                Error::Kind::usage);
  }
  if (there.empty()) check_charges(charges);
  job.check();
  if (points.empty()) return;
  if (device.is_cuda()) {
    exact_sum_cuda(charges, points, potential, device, job, there);
  } else {
    exact_sum_cpu(charges, points, potential, job);
  }
  for (double& value : potential) value *= units::coulomb_volt_angstrom;
}

}  // namespace isolume
