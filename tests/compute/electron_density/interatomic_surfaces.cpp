// Surfaces between atoms: planes of symmetry, and no flux through them.
#include "compute/electron_density/topology/interatomic_surfaces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "compute/orbitals/electron_density.h"
#include "formats/read.h"
#include "molecule/base/units.h"
#include "tests/compute/base/devices.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

class InteratomicSurfaces : public testing::TestWithParam<Device> {};
INSTANTIATE_TEST_SUITE_P(Devices, InteratomicSurfaces, testing::ValuesIn(test::devices_present()), test::device_name);

TEST_P(InteratomicSurfaces, OfEquivalentAtomsArePlanes) {
  const std::string file = test::shared_data("qm-fields/ethylene.molden");
  ISOLUME_NEEDS(file);
  const Molecule molecule = read_file(file);
  const Orbitals& orbitals = *molecule.orbitals.at(0);
  const DensityEvaluator density(orbitals, density_weights(orbitals, DensityKind::electron));
  Job job;
  const CriticalPoints points = critical_points(density, orbitals.centres, job, 1e-4, GetParam());
  const std::vector<Mesh> surfaces = interatomic_surfaces(density, points, 1e-3, job, GetParam());
  ASSERT_EQ(surfaces.size(), points.points.size());
  int planes = 0;
  for (std::size_t n = 0; n < surfaces.size(); ++n) {
    const CriticalPoint& point = points.points[n];
    EXPECT_EQ(surfaces[n].triangles.empty(), point.kind != CriticalKind::bond) << n;
    if (point.kind != CriticalKind::bond) continue;
    const auto element = [&](int end) {
      return int{
          molecule.topology->atoms[static_cast<std::size_t>(point.atoms[static_cast<std::size_t>(end)])].element};
    };
    const bool plane = element(0) == element(1);
    planes += plane;
    std::vector<glm::dvec3> at;
    for (const glm::vec3& position : surfaces[n].positions)
      at.push_back(units::angstrom_in_bohr * glm::dvec3(position));
    const auto values = density.at(at, DensityOrder::gradient, job, GetParam());
    double farthest = 0, flux = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      farthest = std::max(farthest, glm::distance(at[i], point.position));
      EXPECT_GE(values[i].density, 0.7e-3);
      EXPECT_LE(values[i].density, point.values.density + 1e-6);
      // As far from the one atom as from the other.
      if (plane) {
        EXPECT_NEAR(glm::distance(at[i], orbitals.centres[static_cast<std::size_t>(point.atoms[0])]),
                    glm::distance(at[i], orbitals.centres[static_cast<std::size_t>(point.atoms[1])]), 2e-3);
      }
    }
    EXPECT_GT(farthest, 2.5) << "out to a density of 0.001";
    // No flux: the gradient is in each triangle, but for its curvature.
    for (const glm::uvec3 t : surfaces[n].triangles) {
      const glm::dvec3 normal = glm::cross(at[t.y] - at[t.x], at[t.z] - at[t.x]);
      const glm::dvec3 gradient = values[t.x].gradient;
      if (glm::length(normal) < 1e-4 || glm::length(gradient) < 1e-4) continue;
      flux = std::max(flux, std::abs(glm::dot(glm::normalize(normal), glm::normalize(gradient))));
    }
    EXPECT_LT(flux, 0.1) << n;
  }
  EXPECT_EQ(planes, 1);
}

}  // namespace
}  // namespace isolume
