// Electron and spin density on grids: electron counts, the double-precision reference, and values by Psi4.
#include "compute/orbitals/electron_density.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "compute/orbitals/orbital.h"
#include "formats/read.h"
#include "molecule/base/units.h"
#include "tests/compute/base/devices.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using namespace test;
using ElectronDensity = OnDevice;
ISOLUME_ON_EVERY_DEVICE(ElectronDensity);

std::vector<float> densities(Device device, const Orbitals& orbitals, DensityKind kind, const Grid& grid) {
  Job job;
  return on_device<float>(device, grid.size(),
                          [&](Span<float> out) { electron_density(orbitals, kind, grid, out, job); });
}

Grid bohr_grid(glm::dvec3 origin, double step, glm::ivec3 counts) {
  return make_grid(units::bohr_in_angstrom * origin, glm::dvec3(units::bohr_in_angstrom * step), counts);
}

double integral(const std::vector<float>& values, double step) {
  double sum = 0;
  for (const float value : values) sum += double{value};
  return sum * step * step * step;
}

/// Two electrons in a p orbital and one in a spherical d orbital, of soft exponents so that a coarse grid integrates.
Orbitals three_electrons() {
  Basis basis;
  Shell p;
  p.l = 1;
  p.exponents = {0.6, 0.25};
  p.coefficients = {0.5, 0.6};
  Shell d;
  d.centre = 1;
  d.l = 2;
  d.spherical = true;
  d.exponents = {0.5};
  d.coefficients = {1};
  basis.shells = {p, d};
  basis.normalise();
  Orbitals orbitals;
  orbitals.basis = std::make_shared<const Basis>(basis);
  orbitals.centres = {{0.1, -0.2, 0.05}, {1.1, 0.3, -0.4}};
  orbitals.orbitals.resize(3);
  orbitals.orbitals[0].occupation = 2;
  orbitals.orbitals[1].occupation = 1;
  orbitals.coefficients = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  return orbitals;
}

TEST_P(ElectronDensity, IntegratesToTheNumberOfElectrons) {
  // The trapezoidal sum of Gaussians times polynomials converges faster than any power of the step.
  const double step = 0.35;
  const Grid grid = bohr_grid(glm::dvec3(-9.1), step, {54, 53, 53});
  EXPECT_NEAR(integral(densities(GetParam(), three_electrons(), DensityKind::electron, grid), step), 3, 1e-5);
  EXPECT_NEAR(integral(densities(GetParam(), three_electrons(), DensityKind::spin, grid), step), 1, 1e-5);
}

TEST_P(ElectronDensity, AgreesWithTheReferenceOnAnyGrid) {
  const Orbitals orbitals = three_electrons();
  for (const Grid& grid : {bohr_grid({-4, -3, -5}, 0.71, {13, 5, 9}), make_skewed_grid(glm::dvec3(-2), 0.4, {7, 9, 6}),
                           bohr_grid({0.1, -0.2, 0.05}, 1, {1, 1, 1})}) {
    const std::vector<glm::dvec3> points = grid_points(grid);
    std::vector<double> expected(points.size());
    electron_density_reference(orbitals, points, expected);
    const Difference d = compare(densities(GetParam(), orbitals, DensityKind::electron, grid), expected);
    EXPECT_LE(d.largest, 1e-6 * d.scale);
  }
}

/// What the formula gives, by the double-precision reference, which takes any weights for occupations.
std::vector<double> expected_density(Orbitals orbitals, std::span<const double> weights, const Grid& grid) {
  for (std::size_t i = 0; i < weights.size(); ++i) orbitals.orbitals[i].occupation = weights[i];
  const std::vector<glm::dvec3> points = grid_points(grid);
  std::vector<double> values(points.size());
  electron_density_reference(orbitals, points, values);
  return values;
}

TEST_P(ElectronDensity, DifferencesAreDifferencesAndOfEqualsNothing) {
  const Orbitals a = three_electrons();
  // Another geometry, another basis, another number of orbitals.
  Orbitals b = three_electrons();
  Basis basis = *b.basis;
  basis.shells.push_back(basis.shells[0]);
  basis.shells.back().exponents = {0.9, 0.4};
  basis.normalise();
  b.basis = std::make_shared<const Basis>(basis);
  b.centres[1] += glm::dvec3(0.2, -0.1, 0.3);
  b.orbitals.resize(2);
  b.coefficients = {0.8, 0, 0.1, 0.3, 0, 0, 0, 0, 0, 0, 0.2, 0, 0, 0.5, 0, 0, 0.4, 0, 0, 0.1, 0, 0.6};
  const std::vector<double> weights_a{2, 1, 0}, weights_b{1.5, -0.5};
  Job job;
  for (const Grid& grid :
       {bohr_grid({-4, -3, -5}, 0.71, {13, 5, 9}), make_skewed_grid(glm::dvec3(-2), 0.4, {7, 9, 6})}) {
    const std::vector<float> values = on_device<float>(GetParam(), grid.size(), [&](Span<float> out) {
      density_difference(a, weights_a, b, weights_b, grid, out, job);
    });
    std::vector<double> expected = expected_density(a, weights_a, grid);
    const std::vector<double> of_b = expected_density(b, weights_b, grid);
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] -= of_b[i];
    const Difference d = compare(values, expected);
    EXPECT_LE(d.largest, 1e-6 * d.scale);
    for (const float value : on_device<float>(GetParam(), grid.size(), [&](Span<float> out) {
           density_difference(a, weights_a, a, weights_a, grid, out, job);
         })) {
      EXPECT_NEAR(value, 0, 1e-10);
    }
  }
  DeviceArray<float> one(1, GetParam(), "test");
  const Grid grid = bohr_grid({0, 0, 0}, 1, {1, 1, 1});
  EXPECT_THROW(density_difference(a, weights_b, b, weights_b, grid, one.span(), job), Error);
  EXPECT_THROW(weighted_density(a, weights_b, grid, one.span(), job), Error);
}

TEST_P(ElectronDensity, StopsWhenCancelledAndRefusesWhatHasNoElectrons) {
  const Grid grid = bohr_grid({-4, -3, -5}, 0.2, {64, 64, 64});
  expect_cancelled(GetParam(), [&](Job& job) {
    DeviceArray<float> values(grid.size(), GetParam(), "test");
    electron_density(three_electrons(), DensityKind::electron, grid, values.span(), job);
  });
  Orbitals empty = three_electrons();
  for (Orbital& orbital : empty.orbitals) orbital.occupation = 0;
  EXPECT_THROW(densities(GetParam(), empty, DensityKind::electron, grid), Error);
  EXPECT_THROW(density_kind("charge"), Error);
}

// Total density by Psi4 at points (qm-computed/MANIFEST.md), each a grid of one point.
TEST(ElectronDensityFiles, AgreesWithPsi4) {
  for (const std::string name : {"H2O-631Gd-cart", "H2O-V5Z-sph", "Kr-B-cart", "NiCO4-TZVP-sph", "NO-UB3LYP-631+Gd"}) {
    const std::string file = shared_data("qm-computed/" + name + ".molden");
    const std::string json = shared_data("qm-computed/" + name + "_orbpts.json");
    ISOLUME_NEEDS(file);
    ISOLUME_NEEDS(json);
    const Molecule molecule = read_file(file);
    std::ifstream stream(json);
    const auto reference = nlohmann::json::parse(stream).at("density");
    const auto points = reference.at("points_bohr").get<std::vector<std::array<double, 3>>>();
    const auto values = reference.at("values_au").get<std::vector<double>>();
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Grid grid = bohr_grid({points[i][0], points[i][1], points[i][2]}, 1, {1, 1, 1});
      const float value = densities(Device::cpu(), *molecule.orbitals_at(0), DensityKind::electron, grid)[0];
      EXPECT_NEAR(double{value}, values[i], 1e-6 * values[i] + 1e-12) << name << ", point " << i;
    }
  }
}

// On a real molecule the screening must not show: the largest value of the grid sets the tolerance.
TEST(ElectronDensityFiles, ScreensWithinTheTolerance) {
  const std::string file = shared_data("qm-computed/NO-UB3LYP-631+Gd.molden");
  ISOLUME_NEEDS(file);
  const Molecule molecule = read_file(file);
  const Orbitals& orbitals = *molecule.orbitals_at(0);
  const Grid grid = bohr_grid({-7, -7.3, -7.1}, 0.6, {25, 25, 25});
  const std::vector<glm::dvec3> points = grid_points(grid);
  for (const DensityKind kind : {DensityKind::electron, DensityKind::spin}) {
    // The reference takes any weights for occupations.
    Orbitals weighted = orbitals;
    const std::vector<double> weights = density_weights(orbitals, kind);
    for (std::size_t i = 0; i < weights.size(); ++i) weighted.orbitals[i].occupation = weights[i];
    std::vector<double> expected(points.size());
    electron_density_reference(weighted, points, expected);
    const Difference d = compare(densities(Device::cpu(), orbitals, kind, grid), expected);
    EXPECT_LE(d.largest, 1e-6 * d.scale);
    EXPECT_GT(d.scale, 0.01);
  }
}

}  // namespace
}  // namespace isolume
