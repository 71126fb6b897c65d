// The potential of a density: closed forms, the laws it obeys, and PySCF's values at points.
#include "compute/electron_density/density_potential.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "compute/electron_density/boys_function.h"
#include "compute/electron_density/density_derivatives.h"
#include "compute/electron_density/hirshfeld.h"
#include "compute/orbitals/electron_density.h"
#include "formats/read.h"
#include "molecule/base/units.h"
#include "tests/compute/base/devices.h"
#include "tests/compute/orbitals/made_orbitals.h"

namespace isolume {
namespace {

TEST(BoysFunction, IsThatOfTheSeries) {
  std::array<double, most_boys_order + 1> values{};
  for (const double t : {0.0, 1e-9, 0.03, 0.031, 0.5, 3.7, 12.0, 29.97, 30.01, 41.3, 62.4, 62.6, 200.0}) {
    for (int order = 0; order <= most_boys_order; ++order) {
      boys_function(t, order, values);
      for (int n = 0; n <= order; ++n) {
        const double expected = boys_series(t, n);
        EXPECT_NEAR(values[static_cast<std::size_t>(n)], expected, 1e-11 * expected) << t << " " << n;
      }
    }
  }
  boys_function(4, 0, values);
  EXPECT_NEAR(values[0], 0.5 * std::sqrt(units::pi / 4) * std::erf(2), 1e-13);
}

struct Both {
  std::vector<double> potential;
  std::vector<glm::dvec3> field;
};

using PotentialOnDevice = test::OnDevice;
ISOLUME_ON_EVERY_DEVICE(PotentialOnDevice);

Both at(const DensityPotential& potential, const std::vector<glm::dvec3>& points, Device device) {
  Job job;
  Both both{std::vector<double>(points.size()), std::vector<glm::dvec3>(points.size())};
  potential.at(points, both.potential, both.field, job, device);
  std::vector<double> alone(points.size());
  potential.at(points, alone, {}, job, device);
  for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_NEAR(alone[i], both.potential[i], 1e-12);
  return both;
}

// The potential of exp(-p r^2) is erf(sqrt(p) r) / r.
TEST_P(PotentialOnDevice, OfOneGaussianIsAnErrorFunction) {
  Job job;
  const DensityPotential potential(test::one_gaussian(0.8, 2), std::vector<double>{2}, std::vector<double>{3}, job);
  std::vector<glm::dvec3> points;
  for (const double r : {0.001, 0.2, 1.0, 3.0, 5.0, 40.0}) points.emplace_back(0, r, 0);
  const Both values = at(potential, points, GetParam());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double r = points[i].y, s = std::sqrt(1.6);
    EXPECT_NEAR(values.potential[i], (3 - 2 * std::erf(s * r)) / r, 1e-10 / r);
    const double slope = 2 * s / std::sqrt(units::pi) * std::exp(-s * s * r * r);
    EXPECT_NEAR(values.field[i].y, (3 - 2 * std::erf(s * r)) / (r * r) + 2 * slope / r, 1e-9 / (r * r));
    EXPECT_NEAR(values.field[i].x, 0, 1e-12);
  }
}

// Shells s to i: E = -grad V, and div E = -4 pi rho for the electrons alone (Gauss), by differences.
TEST_P(PotentialOnDevice, ObeysGauss) {
  const Orbitals orbitals = test::orbitals_of_all_shells();
  const std::vector<double> weights{2, 1.5, 0.5, 0, 1};
  Job job;
  const DensityPotential potential(orbitals, weights, {}, job);
  const DensityEvaluator evaluator(orbitals, weights);
  constexpr double h = 2e-3;
  for (const glm::dvec3 point : {glm::dvec3(0.3, 0.4, -0.7), {1.2, -0.9, 0.4}, {-2, 1, 0.5}, {3, 3, -2}}) {
    double divergence = 0;
    const Both here = at(potential, {point}, GetParam());
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<glm::dvec3> points(4, point);
      const double steps[4] = {-2 * h, -h, h, 2 * h};
      for (std::size_t k = 0; k < 4; ++k) points[k][axis] += steps[k];
      const Both near = at(potential, points, GetParam());
      const auto slope = [&](auto value) { return (value(0) - 8 * value(1) + 8 * value(2) - value(3)) / (12 * h); };
      EXPECT_NEAR(here.field[0][axis], -slope([&](std::size_t k) { return near.potential[k]; }),
                  1e-8 * (1 + std::abs(here.field[0][axis])));
      divergence += slope([&](std::size_t k) { return near.field[k][axis]; });
    }
    const double density = evaluator.reference(std::vector{point})[0].density;
    EXPECT_NEAR(divergence, -4 * units::pi * density, 1e-7 * (1 + 4 * units::pi * density));
  }
}

// V(R n) = Q / R + (mu n) / R^2 + ..., with charge and dipole by integrals over the density. What is even and odd in n
// is told apart; two distances leave terms out that fall by R^2 more.
TEST_P(PotentialOnDevice, FarAwayIsThatOfItsMoments) {
  for (const char* const name : {"water", "nh4_plus"}) {
    const test::StoredMolecule stored(name);
    ISOLUME_NEEDS(stored.file);
    const Molecule molecule = read_file(stored.file);
    const Orbitals& orbitals = *molecule.orbitals.at(0);
    const std::vector<double> weights = density_weights(orbitals, DensityKind::electron);
    const DensityEvaluator evaluator(orbitals, weights);
    std::vector<int> elements;
    for (const Atom& atom : molecule.topology->atoms) elements.push_back(atom.element);
    Job job;
    double charge = 0;
    glm::dvec3 dipole(0);
    for (std::size_t a = 0; a < elements.size(); ++a) {
      charge += elements[a];
      dipole += static_cast<double>(elements[a]) * orbitals.centres[a];
      const AtomicGrid grid = atomic_grid(orbitals.centres, elements, a);
      const std::vector<DensityDerivatives> density = evaluator.at(grid.points, DensityOrder::value, job);
      for (std::size_t i = 0; i < grid.points.size(); ++i) {
        charge -= grid.weights[i] * density[i].density;
        dipole -= grid.weights[i] * density[i].density * grid.points[i];
      }
    }
    const DensityPotential potential(orbitals, weights, orbitals.nuclear_charges, job);
    for (const glm::dvec3 n :
         {glm::dvec3(1, 0, 0), glm::dvec3(0, 1, 0), glm::dvec3(0, 0, 1), glm::dvec3(2, -1, 2) / 3.0}) {
      constexpr double r = 60;
      const Both values = at(potential, {r * n, -r * n, 2 * r * n, -2 * r * n}, GetParam());
      const auto even = [&](std::size_t i, double at) {
        return 0.5 * at * (values.potential[i] + values.potential[i + 1]);
      };
      const auto odd = [&](std::size_t i, double at) {
        return 0.5 * at * at * (values.potential[i] - values.potential[i + 1]);
      };
      EXPECT_NEAR((4 * even(2, 2 * r) - even(0, r)) / 3, charge, 2e-5) << name;
      EXPECT_NEAR((4 * odd(2, 2 * r) - odd(0, r)) / 3, glm::dot(dipole, n), 1e-4) << name;
    }
  }
}

class StoredPotential : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Molecules, StoredPotential,
                         testing::Values("hi_ecp", "ethylene", "no2_doublet", "water", "water_dimer", "nh4_plus",
                                         "o2_triplet", "formamide", "benzene", "formic_acid_dimer"));

TEST_P(StoredPotential, IsThatOfPySCF) {
  const test::StoredMolecule stored(GetParam());
  ISOLUME_NEEDS(stored.file);
  ISOLUME_NEEDS(stored.json);
  const auto orbitals = read_file(stored.file).orbitals.at(0);
  const nlohmann::json json = nlohmann::json::parse(std::ifstream(stored.json));
  const std::vector<double>& charges = orbitals->nuclear_charges;
  EXPECT_EQ(charges, json.at("nuclear_charges_used").get<std::vector<double>>());
  Job job;
  const DensityPotential potential(*orbitals, density_weights(*orbitals, DensityKind::electron), charges, job);
  const auto expected = test::numbers_of(json.at("values").at("esp"));
  const auto fields = test::numbers_of(json.at("values").at("field"));
  for (const Device device : test::devices_present()) {
    SCOPED_TRACE(to_string(device));
    const Both values = at(potential, stored.points(json), device);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(values.potential[i], expected[i][0], 1e-9 * (1 + std::abs(expected[i][0])));
      for (int axis = 0; axis < 3; ++axis) {
        const double component = fields[i][static_cast<std::size_t>(axis)];
        EXPECT_NEAR(values.field[i][axis], component, 1e-9 * (1 + std::abs(component)));
      }
    }
  }
}

// More points than one launch has blocks for, and fewer; both are sums at points, rounded to single precision.
TEST_P(PotentialOnDevice, OnGridsIsThatAtPoints) {
  const Orbitals orbitals = test::orbitals_of_all_shells();
  const std::vector<double> weights{2, 1.5, 0.5, 0, 1};
  Job job;
  const DensityPotential potential(orbitals, weights, std::vector<double>{3, 1, 2}, job);
  for (const Grid& grid : {test::make_grid(glm::dvec3(-1.3), glm::dvec3(0.4, 0.3, 0.5), {7, 9, 5}),
                           test::make_skewed_grid(glm::dvec3(-2), 0.5, {3, 2, 4})}) {
    std::vector<glm::dvec3> points = test::grid_points(grid);
    for (glm::dvec3& point : points) point *= units::angstrom_in_bohr;
    const Both expected = at(potential, points, Device::cpu());
    for (const bool field : {false, true}) {
      const auto values = test::on_device<float>(
          GetParam(), grid.size(), [&](Span<float> out) { potential.on_grid(grid, field, 2.5, out, job); });
      for (std::size_t i = 0; i < points.size(); ++i) {
        const double value = 2.5 * (field ? glm::length(expected.field[i]) : expected.potential[i]);
        EXPECT_NEAR(values[i], value, 1e-7 * std::abs(value) + 1e-9);
      }
    }
  }
}

TEST(DensityPotential, RefusesOtherNumbersOfChargesAndStopsWhenCancelled) {
  Job job;
  const Orbitals orbitals = test::orbitals_of_all_shells();
  const std::vector<double> weights{2, 1.5, 0.5, 0, 1};
  EXPECT_THROW(DensityPotential(orbitals, weights, std::vector<double>{1, 2}, job), Error);
  EXPECT_THROW(DensityPotential(orbitals, std::vector<double>{1}, {}, job), Error);
  const DensityPotential potential(orbitals, weights, {}, job);
  const std::vector<glm::dvec3> points(100, glm::dvec3(1));
  std::vector<double> values(points.size());
  job.cancel();
  EXPECT_THROW(potential.at(points, values, {}, job), Error);
}

}  // namespace
}  // namespace isolume
