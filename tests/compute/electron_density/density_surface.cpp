// The potential on a surface of the density: integrals by hand, extremes and areas against PySCF.
#include "compute/electron_density/surface/density_surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "compute/analysis/surface_values.h"
#include "compute/isosurface/marching_cubes.h"
#include "compute/orbitals/electron_density.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "tests/compute/base/devices.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

/// A sphere of radius 2 about the origin, its vertices moved onto it.
Mesh sphere(double spacing, Job& job) {
  const Grid grid = Grid::covering(glm::dvec3(-2.6), glm::dvec3(2.6), spacing);
  std::vector<float> values;
  for (int k = 0; k < grid.counts.z; ++k)
    for (int j = 0; j < grid.counts.y; ++j)
      for (int i = 0; i < grid.counts.x; ++i) values.push_back(static_cast<float>(-glm::length(grid.point(i, j, k))));
  Mesh mesh = marching_cubes(Span<const float>(values.data(), values.size(), Device::cpu()), grid, {-2, true}, {}, job);
  for (glm::vec3& position : mesh.positions) position *= 2 / glm::length(position);
  return mesh;
}

// V = z on a sphere of radius R: z is spread evenly from -R to R.
TEST(SurfaceValuesOfASphere, AreThoseOfTheFormula) {
  Job job;
  const double r = 2;
  const Mesh mesh = sphere(0.13, job);
  std::vector<double> values;
  for (const glm::vec3& position : mesh.positions) values.push_back(double{position.z});
  const SurfaceValues v = surface_values(mesh, values);
  const double area = 4 * units::pi * r * r, near = 3e-3;
  EXPECT_NEAR(v.area, area, near * area);
  EXPECT_NEAR(v.positive_area, area / 2, near * area);
  EXPECT_NEAR(v.negative_area, area / 2, near * area);
  EXPECT_NEAR(v.positive_area + v.negative_area, v.area, 1e-9);
  EXPECT_NEAR(v.average, 0, near);
  EXPECT_NEAR(v.positive_average, r / 2, near);
  EXPECT_NEAR(v.negative_average, -r / 2, near);
  EXPECT_NEAR(v.deviation, r / 2, near);
  EXPECT_NEAR(v.positive_variance, r * r / 12, near);
  EXPECT_NEAR(v.negative_variance, r * r / 12, near);
  EXPECT_NEAR(v.balance, 0.25, 1e-5);
  const auto extremes = surface_extremes(mesh, values, 0.6, job);
  ASSERT_EQ(extremes.size(), 2u);
  EXPECT_TRUE(extremes[0].maximum);
  EXPECT_FALSE(extremes[1].maximum);
  EXPECT_NEAR(extremes[0].value, r, 0.01);
  EXPECT_NEAR(extremes[1].value, -r, 0.01);
  // A constant has no extreme, and all of it has one sign.
  std::fill(values.begin(), values.end(), 3.0);
  EXPECT_NEAR(surface_values(mesh, values).positive_average, 3, 1e-12);
  EXPECT_EQ(surface_values(mesh, values).negative_area, 0);
  EXPECT_EQ(surface_values(mesh, values).deviation, 0);
  values.pop_back();
  EXPECT_THROW(surface_values(mesh, values), Error);
  EXPECT_THROW(surface_extremes(mesh, values, 0.6, job), Error);
}

class SurfacePotentialOnADevice : public testing::TestWithParam<Device> {};
INSTANTIATE_TEST_SUITE_P(Devices, SurfacePotentialOnADevice, testing::ValuesIn(test::devices_present()),
                         test::device_name);

TEST_P(SurfacePotentialOnADevice, HasTheExtremesAndAreasOfPySCF) {
  const std::string file = test::shared_data("qm-fields/formamide.molden.gz");
  ISOLUME_NEEDS(file);
  std::ifstream stream(test::data("orbitals/surface_pyscf.json"));
  const nlohmann::json reference = nlohmann::json::parse(stream);
  const Molecule molecule = read_file(file);
  const Orbitals& orbitals = *molecule.orbitals.at(0);
  std::vector<double> charges;
  for (const Atom& atom : molecule.topology->atoms) charges.push_back(atom.element);
  Job job;
  const DensityPotential potential(orbitals, density_weights(orbitals, DensityKind::electron), charges, job);
  const DensitySurface surface = density_surface(orbitals, potential, 0.002, 0.1, job, GetParam());
  EXPECT_LT(surface.residual, 1e-8);
  std::vector<double> values;
  for (const double value : surface.potential)
    values.push_back(units::hartree_in_ev * units::ev_in_kcal_per_mol * value);
  const SurfaceValues v = surface_values(surface.mesh, values);
  const auto& expected = reference.at("statistics");
  const auto near = [&](const char* name, double value, double tolerance) {
    EXPECT_NEAR(value, expected.at(name).get<double>(), tolerance) << name;
  };
  near("area", v.area, 0.07);
  near("positive_area", v.positive_area, 0.07);
  near("negative_area", v.negative_area, 0.07);
  near("average", v.average, 0.05);
  near("positive_average", v.positive_average, 0.05);
  near("negative_average", v.negative_average, 0.05);
  near("deviation", v.deviation, 0.05);
  near("positive_variance", v.positive_variance, 1);
  near("negative_variance", v.negative_variance, 1);
  near("balance", v.balance, 1e-4);
  const auto extremes = surface_extremes(surface.mesh, values, 0.6, job);
  const auto& wanted = reference.at("extremes");
  ASSERT_EQ(extremes.size(), wanted.size());
  for (const auto& extreme : extremes) {
    // The nearest of the same kind.
    const glm::dvec3 at(surface.mesh.positions[extreme.vertex]);
    double distance = 1e300, value = 0;
    for (const auto& other : wanted) {
      if ((other[0].get<double>() > 0) != extreme.maximum) continue;
      const double d = glm::distance(at, {other[2].get<double>(), other[3].get<double>(), other[4].get<double>()});
      if (d < distance) {
        distance = d;
        value = other[1].get<double>();
      }
    }
    EXPECT_LT(distance, 0.12);
    EXPECT_NEAR(extreme.value, value, 0.05);
  }
}

}  // namespace
}  // namespace isolume
