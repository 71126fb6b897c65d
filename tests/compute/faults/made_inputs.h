// Small inputs of the computations whose CUDA calls fail.
#pragma once

#include <vector>

#include "compute/density/density_atoms.h"
#include "compute/electrostatics/charges/charged_sphere.h"
#include "compute/electrostatics/charges/point_charge.h"
#include "tests/compute/base/devices.h"

namespace isolume::test {

inline Grid fault_grid() {
  return make_grid({-7, -7, -7}, {0.9, 0.9, 0.9}, {17, 16, 15});
}

/// Neutral, and no two closer than is usual in molecules.
inline std::vector<PointCharge> fault_charges(std::size_t count) {
  Random random(2);
  std::vector<PointCharge> charges;
  while (charges.size() < count) {
    const glm::vec3 place(random.in_box(-7, 7));
    bool free = true;
    for (const PointCharge& other : charges) free = free && glm::length(other.position - place) > 1.2f;
    if (free) charges.push_back({place, charges.size() % 2 == 0 ? 0.4f : -0.4f});
  }
  return charges;
}

inline std::vector<ChargedSphere> fault_spheres(std::size_t count) {
  std::vector<ChargedSphere> spheres;
  for (const PointCharge& c : fault_charges(count)) spheres.push_back({c.position, c.charge, 1.5f, 0});
  return spheres;
}

inline std::vector<DensityAtom> fault_density_atoms() {
  std::vector<DensityAtom> atoms;
  for (const PointCharge& c : fault_charges(100)) atoms.push_back({c.position, 1.6f, {1, 0.5f, 0}});
  return atoms;
}

inline std::vector<glm::dvec3> fault_points(std::size_t count, double half) {
  Random random(7);
  std::vector<glm::dvec3> points;
  for (std::size_t i = 0; i < count; ++i) points.push_back(random.in_box(-half, half));
  return points;
}

template <class Compute>
std::vector<double> floats_on(Device device, std::size_t size, const Compute& compute) {
  const std::vector<float> values = on_device<float>(device, size, compute);
  return {values.begin(), values.end()};
}

}  // namespace isolume::test
