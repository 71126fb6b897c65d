// Direct Coulomb summation: checks, and the choice of the body.
#include "compute/electrostatics/direct/direct.h"
#include "compute/electrostatics/direct/direct_bodies.h"

#include <algorithm>

#include "compute/base/memory.h"
#include "compute/electrostatics/charges/potential_checks.h"
#include "compute/electrostatics/direct/direct_shape.h"

namespace isolume {

void direct_potential(std::span<const PointCharge> charges, const Grid& grid, Span<float> potential, Job& job) {
  check_grid(grid, "potential");
  check_values(grid, potential, "potential");
  check_charges(charges);
  require_memory(direct_potential_memory(charges.size(), grid, potential.device), potential.device, "potential");
  job.check();
  if (potential.empty()) return;
  if (potential.device.is_cuda()) {
    direct_potential_cuda(charges, grid, potential, job);
  } else {
    direct_potential_cpu(charges, grid, potential, job);
  }
}

std::size_t direct_potential_memory(std::size_t charges, const Grid& grid, Device device) {
  // Three coordinates and the charge in double; on CUDA also the charges as they come, and sums of parts.
  if (!device.is_cuda()) return charges * 4 * sizeof(double);
  return charges * (4 * sizeof(double) + sizeof(PointCharge)) +
         DirectShape(grid.counts, charges).totals() * sizeof(double);
}

}  // namespace isolume
