// Multilevel summation on every device, against its double-precision reference and against the exact sums.
#include <gtest/gtest.h>

#include <cmath>

#include "compute/base/device_array.h"
#include "compute/electrostatics/ewald/ewald_reference.h"
#include "compute/electrostatics/msm/msm.h"
#include "compute/electrostatics/msm/msm_bodies.h"
#include "compute/electrostatics/msm/msm_math.h"
#include "compute/electrostatics/pairs/pair_function.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "tests/compute/electrostatics/msm/msm_cases.h"

namespace isolume {
namespace {

using test::deviation;
using test::expect_reference;
using test::grid_points;
using test::msm_map;
using test::msm_options;
using test::random_charges;
using test::water_charges;

class MsmPotential : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(MsmPotential);

std::vector<double> exact(std::span<const PointCharge> charges, std::span<const glm::dvec3> points) {
  std::vector<double> values(points.size());
  direct_potential_reference(charges, points, values);
  return values;
}

/// Points of a 0.5-angstrom grid, spread over the middle of a water box.
Grid probe_grid(double side) {
  return Grid{glm::dvec3(0.21 * side, 0.24 * side, 0.27 * side), glm::dmat3(0.5 * side / 30), {31, 31, 9}};
}

TEST(MsmBasis, IsTheCubicOfThePaper) {
  const MsmBasis basis(3);
  for (double x = 0; x < 2.5; x += 0.05) {
    const double expected = x <= 1   ? (1 - x) * (1 + x - 1.5 * x * x)
                            : x <= 2 ? -0.5 * (x - 1) * (2 - x) * (2 - x)
                                     : 0.0;
    EXPECT_NEAR(basis.phi(x), expected, 1e-14);
  }
}

TEST(MsmBasis, IsNodalSmoothAndReproducesPolynomials) {
  for (const int p : {3, 5, 7}) {
    const MsmBasis basis(p);
    for (int i = -p; i <= p; ++i) EXPECT_NEAR(basis.phi(i), i == 0 ? 1 : 0, 1e-12);
    for (int m = 0; m <= p; ++m) {
      // The slope at the end of one piece is that at the beginning of the next.
      double end = 0;
      for (int k = 1; k <= p; ++k) end += k * basis.coefficient[m][k];
      const double begin = m == 0 ? 0 : basis.coefficient[m - 1][1];
      EXPECT_NEAR(end, begin, 1e-11);
    }
    EXPECT_NEAR(basis.coefficient[p][1], 0, 1e-12);
    for (int degree = 0; degree < p; ++degree) {
      for (const double t : {0.0, 0.1, 0.5, 0.77}) {
        double sum = 0;
        for (int m = 0; m <= p; ++m) sum += basis.weight(m, t) * std::pow(m - basis.below, degree);
        EXPECT_NEAR(sum, std::pow(t, degree), 1e-9 * std::pow(p, degree));
      }
    }
  }
}

TEST(TaylorGamma, MeetsOneOverRhoSmoothly) {
  EXPECT_NEAR(TaylorGamma(2).b[0], 15.0 / 8, 1e-15);
  EXPECT_NEAR(TaylorGamma(2).b[1], -5.0 / 4, 1e-15);
  EXPECT_NEAR(TaylorGamma(2).b[2], 3.0 / 8, 1e-15);
  for (const int order : {2, 3, 4}) {
    // The error at s = 1 - e is of order e^(order + 1).
    const TaylorGamma gamma(order);
    const double near = std::abs(gamma(1 - 0.01) - 1 / std::sqrt(0.99));
    const double nearer = std::abs(gamma(1 - 0.005) - 1 / std::sqrt(0.995));
    EXPECT_NEAR(std::log2(near / nearer), order + 1, 0.05);
  }
}

TEST_P(MsmPotential, EqualsItsReferenceWithoutPeriodicity) {
  const auto charges = random_charges(1500, 18);
  const Grid grid{{-2.3, 1.1, 0.7}, glm::dmat3(0.55), {39, 21, 18}};
  expect_reference(GetParam(), charges, grid, msm_options(4, 1, 5, 3, 2));
  expect_reference(GetParam(), charges, grid, msm_options(5, 1.5, 3, 2, 2));
  expect_reference(GetParam(), charges, grid, msm_options(5, 1.5, 7, 4, 1));
}

TEST_P(MsmPotential, EqualsItsReferenceWithAutomaticLevels) {
  const auto charges = random_charges(1500, 18);
  const Grid grid{{-2.3, 1.1, 0.7}, {0.55, 0, 0, 0, 0.5, 0, 0, 0, 0.8}, {39, 21, 18}};
  expect_reference(GetParam(), charges, grid, msm_options(6, 2, 3, 2));
  expect_reference(GetParam(), charges, grid, msm_options(5, 1.25, 5, 3));
}

TEST_P(MsmPotential, SumsLatticesDirectlyAsByFft) {
  const auto charges = random_charges(1000, 20);
  const Grid grid{{0, 0, 0}, glm::dmat3(1.0), {21, 21, 21}};
  const auto direct = msm_map(GetParam(), charges, grid, msm_options(6, 1.5, 5, 3, 2, MsmLattice::direct));
  const auto fft = msm_map(GetParam(), charges, grid, msm_options(6, 1.5, 5, 3, 2, MsmLattice::fft));
  EXPECT_LE(deviation(fft, direct).rms, 5e-6);
}

TEST_P(MsmPotential, EqualsItsReferenceWithoutCufft) {
  if (!GetParam().is_cuda()) GTEST_SKIP() << "the CPU has its own transforms";
  struct Hidden {
    Hidden() { msm_hide_fast_transforms_for_test(true); }
    ~Hidden() { msm_hide_fast_transforms_for_test(false); }
  } hidden;
  const auto charges = random_charges(1200, 18);
  const Grid grid{{-2.3, 1.1, 0.7}, glm::dmat3(0.55), {39, 21, 18}};
  expect_reference(GetParam(), charges, grid, msm_options(4, 1, 5, 3));
  expect_reference(GetParam(), charges, grid, msm_options(4, 1, 5, 3, 2, MsmLattice::fft));
  MsmOptions periodic = msm_options(5, 1.25, 5, 3);
  periodic.periodic = {true, true, true};
  periodic.cell.vectors = glm::dmat3(18, 0, 0, 0, 18, 0, 0, 0, 18);
  expect_reference(GetParam(), charges, grid, periodic);
}

TEST_P(MsmPotential, EqualsItsReferenceOnASkewedGrid) {
  const auto charges = random_charges(1000, 15);
  const Grid grid{{2, 3, 4}, {0.4, 0.1, 0.05, -0.2, 0.5, 0.1, 0.15, -0.3, 0.6}, {25, 22, 19}};
  expect_reference(GetParam(), charges, grid, msm_options(5, 1.25, 5, 3));
}

TEST_P(MsmPotential, HasThePublishedErrorWithThePublishedParameters) {
  const auto charges = water_charges(48);
  const Grid grid = probe_grid(48);
  const auto expected = exact(charges, grid_points(grid));
  const double error = deviation(msm_map(GetParam(), charges, grid, MsmOptions::published()), expected).rms;
  EXPECT_LE(error, 3.2e-3);  // "about 2.5 digits"
  EXPECT_GE(error, 1e-3);
}

TEST_P(MsmPotential, HasTheSameErrorWithShorterCutoffAndHigherDegree) {
  const auto charges = water_charges(48);
  const Grid grid = probe_grid(48);
  const auto expected = exact(charges, grid_points(grid));
  EXPECT_LE(deviation(msm_map(GetParam(), charges, grid, msm_options(4, 1, 5, 3)), expected).rms, 3e-3);
  EXPECT_LE(deviation(msm_map(GetParam(), charges, grid, msm_options(6, 1, 7, 4)), expected).rms, 2.5e-4);
}

TEST_P(MsmPotential, ErrorFallsAsTheBoundSays) {
  // Eq. 9: h^p / a^(p+1), at fixed a. One level, so that the error is that of one interpolation; smoothings that are
  // smooth enough for their degree; charges without order, so that nothing cancels.
  const auto charges = random_charges(2000, 30);
  const Grid grid = probe_grid(30);
  const auto expected = exact(charges, grid_points(grid));
  const auto error = [&](double h, int p, int smoothing) {
    return deviation(msm_map(GetParam(), charges, grid, msm_options(5, h, p, smoothing, 1)), expected).rms;
  };
  EXPECT_NEAR(std::log2(error(1.25, 3, 3) / error(0.3125, 3, 3)) / 2, 3, 0.4);
  EXPECT_NEAR(std::log2(error(1.25, 5, 4) / error(0.3125, 5, 4)) / 2, 5, 0.5);
  EXPECT_GE(std::log2(error(1.25, 7, 4) / error(0.625, 7, 4)), 5.2);
}

TEST_P(MsmPotential, DoesNotChangeWhenEverythingIsMovedOrTurned) {
  auto charges = random_charges(800, 16);
  Grid grid{{1, 2, 3}, glm::dmat3(0.7), {19, 17, 15}};
  const MsmOptions options = msm_options(5, 1.25, 5, 3);
  const auto before = msm_map(GetParam(), charges, grid, options);
  const glm::dvec3 shift(16, -32, 8);  // exact in single precision
  for (PointCharge& c : charges) c.position += glm::vec3(shift);
  grid.origin += shift;
  EXPECT_LE(deviation(msm_map(GetParam(), charges, grid, options), before).rms, 1e-5);
  // A quarter turn about z.
  const glm::dmat3 turn(0, 1, 0, -1, 0, 0, 0, 0, 1);
  for (PointCharge& c : charges) c.position = glm::vec3(turn * glm::dvec3(c.position));
  grid.origin = turn * grid.origin;
  grid.step = turn * grid.step;
  EXPECT_LE(deviation(msm_map(GetParam(), charges, grid, options), before).rms, 1e-5);
}

TEST_P(MsmPotential, SaysWhatIsWrong) {
  const auto charges = random_charges(10, 5);
  const Grid grid{{0, 0, 0}, glm::dmat3(1.0), {4, 4, 4}};
  const auto message = [&](const MsmOptions& options, std::span<const PointCharge> of, const Grid& on) {
    try {
      msm_map(GetParam(), of, on, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::usage);
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message(msm_options(4, 1, 4, 3), charges, grid).find("3, 5 or 7"), std::string::npos);
  EXPECT_NE(message(msm_options(4, 1, 5, 1), charges, grid).find("2, 3 or 4"), std::string::npos);
  EXPECT_NE(message(msm_options(0, 1, 5, 3), charges, grid).find("cutoff"), std::string::npos);
  EXPECT_NE(message(msm_options(4, NAN, 5, 3), charges, grid).find("spacing"), std::string::npos);
  EXPECT_NE(message(msm_options(1, 4, 5, 3), charges, grid).find("times the spacing"), std::string::npos);
  EXPECT_NE(message(msm_options(4, 1, 5, 3), {}, grid).find("no charges"), std::string::npos);
  MsmOptions periodic = msm_options(4, 1, 5, 3);
  periodic.periodic = {true, true, true};
  EXPECT_NE(message(periodic, charges, grid).find("no cell"), std::string::npos);
  periodic.cell.vectors = glm::dmat3(1, 0, 0, 0, 1, 0, 1, 1, 0);
  EXPECT_NE(message(periodic, charges, grid), "");
  const std::vector<PointCharge> far{{{0, 0, 0}, 1}, {{1e6f, 0, 0}, -1}};
  EXPECT_NE(message(msm_options(4, 1, 5, 3), far, grid).find("too far"), std::string::npos);
  const std::vector<PointCharge> broken{{{NAN, 0, 0}, 1}};
  EXPECT_NE(message(msm_options(4, 1, 5, 3), broken, grid).find("finite"), std::string::npos);
  EXPECT_NE(message(msm_options(4, 1, 5, 3), charges, {{0, 0, 0}, glm::dmat3(0.0), {4, 4, 4}}).find("volume"),
            std::string::npos);
}

TEST(MsmExpectedError, FallsWithTheRatioAndTheDegree) {
  EXPECT_NEAR(msm_expected_error(msm_options(4, 1, 5, 3)), 2.3e-3,
              3e-4);  // 2.18e-3 measured elsewhere, on ordered water
  EXPECT_LT(msm_expected_error(msm_options(4, 0.8, 5, 3)), msm_expected_error(msm_options(4, 1, 5, 3)));
  EXPECT_LT(msm_expected_error(msm_options(6, 1, 7, 4)), msm_expected_error(msm_options(6, 1, 5, 3)));
  EXPECT_LT(msm_expected_error(msm_options(6, 1, 5, 3)), msm_expected_error(msm_options(6, 1, 3, 2)));
}

TEST_P(MsmPotential, PlannedParametersReachTheAccuracyAskedFor) {
  const double side = 44;
  const auto charges = water_charges(side, 11);  // not one of those that the planner's table comes from
  const Grid grid{glm::dvec3(0.2 * side), glm::dmat3(0.5), {41, 31, 17}};
  const auto expected = exact(charges, grid_points(grid));
  for (const double accuracy : {5e-3, 2.5e-3, 1e-3, 2e-4}) {
    const MsmPlanned plan = plan_msm(accuracy, charges, grid, GetParam());
    SCOPED_TRACE(describe(plan.options));
    EXPECT_LE(plan.expected_error, accuracy);
    EXPECT_GT(plan.seconds, 0);
    EXPECT_LE(deviation(msm_map(GetParam(), charges, grid, plan.options), expected).rms, accuracy);
  }
  EXPECT_THROW(plan_msm(1e-7, charges, grid, GetParam()), Error);
  EXPECT_THROW(plan_msm(NAN, charges, grid, GetParam()), Error);
}

}  // namespace
}  // namespace isolume
