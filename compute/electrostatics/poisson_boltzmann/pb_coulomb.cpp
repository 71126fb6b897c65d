// Coulomb's potential and its gradient at many points, for the jumps at the surface and the potential in the solute.
#include <limits>
#include <vector>

#include "compute/electrostatics/coulomb_sum/coulomb_sum.h"
#include "compute/electrostatics/poisson_boltzmann/pb_problem.h"

namespace isolume {

std::vector<PointCharge> pb_charges(std::span<const ChargedSphere> atoms) {
  std::vector<PointCharge> charges;
  for (const ChargedSphere& atom : atoms)
    if (atom.charge != 0) charges.push_back({atom.position, atom.charge});
  return charges;
}

PbExtent pb_extent(std::span<const ChargedSphere> atoms) {
  PbExtent extent{glm::dvec3(std::numeric_limits<double>::infinity()),
                  glm::dvec3(-std::numeric_limits<double>::infinity())};
  for (const ChargedSphere& atom : atoms) {
    const double reach = static_cast<double>(atom.radius) + 1;
    extent.lower = glm::min(extent.lower, glm::dvec3(atom.position) - reach);
    extent.upper = glm::max(extent.upper, glm::dvec3(atom.position) + reach);
  }
  return extent;
}

void pb_coulomb(std::span<const ChargedSphere> atoms, std::span<const glm::dvec3> points, std::span<double> potential,
                std::span<glm::dvec3> gradients, Job& job, CoulombSum* shared) {
  if (shared != nullptr) return shared->at(points, potential, gradients, job);
  const PbExtent extent = pb_extent(atoms);
  CoulombSum(pb_charges(atoms), extent.lower, extent.upper, Device::cpu()).at(points, potential, gradients, job);
}

}  // namespace isolume
