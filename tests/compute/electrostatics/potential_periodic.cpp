// Ewald's sums against known constants and plain image sums; periodic multilevel summation against Ewald's sums.
#include <gtest/gtest.h>

#include <cmath>

#include "compute/base/device_array.h"
#include "compute/electrostatics/ewald/ewald_reference.h"
#include "compute/electrostatics/ewald/ewald_sum.h"
#include "compute/electrostatics/msm/msm.h"
#include "molecule/base/units.h"
#include "tests/compute/electrostatics/msm/msm_cases.h"

namespace isolume {
namespace {

using test::deviation;
using test::expect_reference;
using test::grid_points;
using test::msm_map;
using test::random_charges;
using test::water_charges;

constexpr double madelung_nacl = 1.747564594633182;  // e.g. Bailey, Borwein et al.; OEIS A085469
constexpr std::array<bool, 3> all{true, true, true};

Cell cube(double side) {
  return Cell{glm::dmat3(side)};
}

/// A rock-salt crystal: neighbours `distance` apart, n cells of 8 ions along each edge.
std::vector<PointCharge> rock_salt(int n, double distance) {
  std::vector<PointCharge> ions;
  for (int k = 0; k < 2 * n; ++k) {
    for (int j = 0; j < 2 * n; ++j) {
      for (int i = 0; i < 2 * n; ++i) {
        ions.push_back({glm::vec3(glm::dvec3(i, j, k) * distance), (i + j + k) % 2 ? -1.0f : 1.0f});
      }
    }
  }
  return ions;
}

TEST(EwaldKernel, GivesMadelungsConstantAndThatOfACube) {
  // The potential at an ion of rock salt is -M/d (its own left out).
  const double d = 2.8;
  const std::vector<PointCharge> ions = rock_salt(1, d);
  const glm::dvec3 at(0.0);
  double value = 0;
  ewald_potential_reference(ions, cube(2 * d), all, {&at, 1}, {&value, 1});
  // Positions are single precision: 5.6 and 2.8 are not exact.
  EXPECT_NEAR(value / units::coulomb_volt_angstrom * d, -madelung_nacl, 1e-6);
  // A charge in a neutralising background: Wigner's constant of the simple cubic lattice.
  EXPECT_NEAR(EwaldKernel(cube(3), all)(glm::dvec3(0)) * 3, -2.837297479480620, 1e-10);
}

TEST(EwaldKernel, HasZeroMeanAndRepeats) {
  const Cell cell = Cell::from_lengths_angles({5, 6, 7}, {80, 95, 110});
  const EwaldKernel kernel(cell, all);
  const glm::dvec3 r(1.1, 0.4, 2.2);
  EXPECT_NEAR(kernel(r), kernel(r + cell.vectors * glm::dvec3(2, -1, 3)), 1e-11);
  EXPECT_NEAR(kernel(r), kernel(-r), 1e-12);
  // The smooth part has a mean too: minus the volume integral of the short-range part over the volume.
  const int n = 24;
  double mean = 0;
  const double a = 4;
  for (int i = 0; i < n * n * n; ++i) {
    mean += kernel.smooth(cell.vectors * glm::dvec3(i % n, i / n % n, i / n / n) / static_cast<double>(n), a, 4);
  }
  mean /= n * n * n;
  // 4 pi (a^2/2 - a^2 sum_k b_k / (2k + 3)) / V, b from (s - 1)^k with s^(-1/2) to fourth order.
  const double b[5] = {315.0 / 128, -420.0 / 128, 378.0 / 128, -180.0 / 128, 35.0 / 128};
  double integral = a * a / 2;
  for (int k = 0; k < 5; ++k) integral -= a * a * b[k] / (2 * k + 3);
  EXPECT_NEAR(mean, -4 * units::pi * integral / cell.volume(), 1e-5);
}

TEST(EwaldKernel, DoesNotDependOnTheChoiceOfCell) {
  const Cell cell = Cell::from_lengths_angles({5, 6, 7}, {90, 90, 90});
  Cell sheared = cell;
  sheared.vectors[1] += cell.vectors[0];
  sheared.vectors[2] -= cell.vectors[1];
  const glm::dvec3 r(1.1, 0.4, 2.2);
  EXPECT_NEAR(EwaldKernel(cell, all)(r), EwaldKernel(sheared, all)(r), 1e-11);
  EXPECT_NEAR(EwaldKernel(cell, {true, true, false})(r), EwaldKernel(sheared, {true, true, false})(r), 1e-11);
}

TEST(EwaldSum, IsTheSumOfTheKernelInAnyCellForAnyNumberOfPoints) {
  for (const Cell& cell : {cube(9), Cell::from_lengths_angles({8, 9.5, 14}, {75, 100, 115})}) {
    // 40 charges (not neutral), some beyond the cell; points anywhere, the last on a charge.
    std::vector<PointCharge> charges = random_charges(41, 20.0);
    charges.pop_back();
    std::vector<glm::dvec3> points;
    for (int i = 0; i < 20; ++i) points.emplace_back(0.7 * i - 3, 0.3 * i, 11 - 1.1 * i);
    points.emplace_back(charges[7].position);
    std::vector<double> exact(points.size());
    ewald_potential_reference(charges, cell, all, points, exact);
    double square = 0;
    for (const double value : exact) square += value * value / static_cast<double>(exact.size());
    for (const std::size_t expected : {std::size_t{1}, std::size_t{100}, std::size_t{100'000}}) {
      Job job;
      const EwaldSum sum(charges, cell, expected, job);
      std::vector<double> values(points.size());
      sum(points, values);
      for (std::size_t i = 0; i < points.size(); ++i) {
        EXPECT_NEAR(values[i], exact[i], 2e-9 * std::sqrt(square)) << i << " " << expected;
      }
    }
  }
  Job job;
  EXPECT_THROW(EwaldSum({}, Cell{}, 1, job), Error);
}

TEST(EwaldSum, GivesMadelungsConstantOfAThousandIons) {
  const double d = 2.8;
  Job job;
  const std::vector<PointCharge> ions = rock_salt(5, d);
  const EwaldSum sum(ions, cube(10 * d), 1000, job);
  const glm::dvec3 at(ions[123].position);
  double value = 0;
  sum({&at, 1}, {&value, 1});
  EXPECT_NEAR(std::abs(value) / units::coulomb_volt_angstrom * d, madelung_nacl, 1e-6);
}

TEST(EwaldKernel, OfALayerAndOfALineAreSumsOfImages) {
  // Neutral cells without dipole: the plain sum over images converges, and constants cancel.
  const std::vector<std::pair<glm::dvec3, double>> charges{
      {{0.5, 0.5, 0.2}, 1}, {{-0.5, -0.5, -0.2}, 1}, {{0.4, -0.5, -0.7}, -1}, {{-0.4, 0.5, 0.7}, -1}};
  const Cell cell{glm::dmat3(3, 0, 0, 0.5, 4, 0, 0, 0, 9)};
  const glm::dvec3 at(0.9, -0.3, 1.4);
  const auto images = [&](int na, int nb) {
    double sum = 0;
    for (int b = -nb; b <= nb; ++b) {
      for (int a = -na; a <= na; ++a) {
        for (const auto& [r, q] : charges) sum += q / glm::distance(at, r + cell.vectors * glm::dvec3(a, b, 0));
      }
    }
    return sum;
  };
  const auto ewald = [&](std::array<bool, 3> periodic) {
    const EwaldKernel kernel(cell, periodic);
    double sum = 0;
    for (const auto& [r, q] : charges) sum += q * kernel(at - r);
    return sum;
  };
  EXPECT_NEAR(ewald({true, false, false}), images(4000, 0), 1e-8);
  // The tail of a sum over squares of layers of quadrupoles goes as 1/n; Richardson's extrapolation removes it.
  const double coarse = images(200, 200);
  const double fine = images(400, 400);
  EXPECT_NEAR(ewald({true, true, false}), 2 * fine - coarse, 1e-6);
}

TEST(EwaldKernel, GoesAsItShouldFarFromALayerAndALine) {
  const Cell cell{glm::dmat3(3, 0, 0, 0, 4, 0, 0, 0, 1)};
  EXPECT_NEAR(EwaldKernel(cell, {true, true, false})({0.3, 0.4, 25}), -2 * units::pi * 25 / 12, 1e-10);
  EXPECT_NEAR(EwaldKernel(cell, {true, false, false})({0.3, 30, 40}), -2 * std::log(50.0 / 3) / 3, 1e-10);
}

class MsmPeriodic : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(MsmPeriodic);

MsmOptions make(const Cell& cell, std::array<bool, 3> periodic, double a, double h, int p, int smoothing,
                int levels = 0) {
  return test::in_cell(test::msm_options(a, h, p, smoothing, levels), cell, periodic);
}

std::vector<double> ewald_at(std::span<const PointCharge> charges, const Grid& grid, const Cell& cell,
                             std::array<bool, 3> periodic) {
  const auto points = grid_points(grid);
  std::vector<double> values(points.size());
  ewald_potential_reference(charges, cell, periodic, points, values);
  return values;
}

double error_against_ewald(Device device, std::span<const PointCharge> charges, const Grid& grid,
                           const MsmOptions& options) {
  return deviation(msm_map(device, charges, grid, options), ewald_at(charges, grid, options.cell, options.periodic))
      .rms;
}

TEST_P(MsmPeriodic, EqualsItsReference) {
  const auto charges = random_charges(300, 11);
  const Grid grid{{-6, 2, 3}, glm::dmat3(0.9), {23, 9, 8}};
  const Cell orthogonal{glm::dmat3(11, 0, 0, 0, 12, 0, 0, 0, 13)};
  const Cell triclinic = Cell::from_lengths_angles({11, 12, 13}, {75, 100, 65});
  for (const Cell& cell : {orthogonal, triclinic}) {
    expect_reference(GetParam(), charges, grid, make(cell, all, 5, 1.25, 5, 3));
    expect_reference(GetParam(), charges, grid, make(cell, all, 4, 1.3, 3, 2, 2));
    expect_reference(GetParam(), charges, grid, make(cell, {true, true, false}, 4, 1.5, 5, 3));
    expect_reference(GetParam(), charges, grid, make(cell, {false, true, false}, 4, 1.5, 5, 3));
    expect_reference(GetParam(), charges, grid, make(cell, {false, true, true}, 5, 1.5, 3, 2));
  }
}

TEST_P(MsmPeriodic, ApproachesEwaldsSum) {
  const double side = 15;
  const auto charges = water_charges(side);
  const Grid grid{{-1.2, 0.7, 1.4}, glm::dmat3(0.65), {25, 6, 5}};
  for (const std::array<bool, 3> periodic : {all, {true, true, false}, {false, false, true}}) {
    SCOPED_TRACE(testing::Message() << periodic[0] << periodic[1] << periodic[2]);
    const auto expected = ewald_at(charges, grid, cube(side), periodic);
    const auto error = [&](const MsmOptions& options) {
      return deviation(msm_map(GetParam(), charges, grid, options), expected).rms;
    };
    EXPECT_LE(error(make(cube(side), periodic, 4, 1, 5, 3)), 3e-3);
    EXPECT_LE(error(make(cube(side), periodic, 6, 1, 7, 4)), 3e-4);
  }
}

TEST_P(MsmPeriodic, IsTheSameInAnEquivalentTriclinicCell) {
  const double side = 14;
  const auto charges = water_charges(side);
  const Grid grid{{0, 0, 0}, glm::dmat3(0.7), {20, 5, 4}};
  Cell sheared = cube(side);
  sheared.vectors[1] += sheared.vectors[0];
  // Both are the same crystal; lattices differ, so they agree to the error of either.
  EXPECT_LE(error_against_ewald(GetParam(), charges, grid, make(cube(side), all, 6, 1, 7, 4)), 3e-4);
  EXPECT_LE(error_against_ewald(GetParam(), charges, grid, make(sheared, all, 6, 1, 7, 4)), 6e-4);
}

TEST_P(MsmPeriodic, GivesMadelungsConstant) {
  const double d = 2.75;
  const auto ions = rock_salt(3, d);
  const Grid grid{{0, 0, 0}, glm::dmat3(d), {6, 6, 6}};
  const auto values = msm_map(GetParam(), ions, grid, make(cube(6 * d), all, 7, 1.0, 7, 4));
  for (std::size_t i = 0; i < values.size(); ++i) {
    // At an ion its own charge is left out.
    const double expected = -static_cast<double>(ions[i].charge) * madelung_nacl / d * units::coulomb_volt_angstrom;
    EXPECT_NEAR(values[i], expected, 2e-4 * std::abs(expected));
  }
}

TEST_P(MsmPeriodic, TakesChargesFromAnyImage) {
  const double side = 12;
  auto charges = random_charges(200, side);
  const Grid grid{{0, 0, 0}, glm::dmat3(1.1), {12, 10, 9}};
  const MsmOptions options = make(cube(side), all, 5, 1, 5, 3);
  const auto before = msm_map(GetParam(), charges, grid, options);
  for (std::size_t i = 0; i < charges.size(); i += 3) {
    charges[i].position += glm::vec3(12.0f * (i % 5) - 24.0f, -12.0f * (i % 2), 12.0f);
  }
  EXPECT_LE(deviation(msm_map(GetParam(), charges, grid, options), before).rms, 2e-5);
}

}  // namespace
}  // namespace isolume
