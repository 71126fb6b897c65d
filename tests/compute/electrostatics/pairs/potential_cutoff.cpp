// Cutoff summation on every device, against the plain double-precision sum.
#include <gtest/gtest.h>

#include "compute/base/device_array.h"
#include "compute/electrostatics/pairs/cutoff.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "tests/compute/electrostatics/potential_systems.h"

namespace isolume {
namespace {

using test::deviation;
using test::grid_points;
using test::random_charges;

class CutoffPotential : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(CutoffPotential);

std::vector<float> map_on(Device device, std::span<const PointCharge> charges, const Grid& grid,
                          const CutoffOptions& options) {
  DeviceArray<float> potential(grid.size(), device);
  Job job;
  cutoff_potential(charges, grid, options, potential.span(), job);
  return potential.copy_to_host();
}

void expect_same(Device device, std::span<const PointCharge> charges, const Grid& grid, const CutoffOptions& options) {
  const std::vector<glm::dvec3> points = grid_points(grid);
  std::vector<double> expected(points.size());
  cutoff_potential_reference(charges, points, options, expected);
  const auto d = deviation(map_on(device, charges, grid, options), expected);
  EXPECT_LE(d.rms, 1e-5);
  EXPECT_LE(d.max, 1e-4);
}

/// A grid within the charges, whose rows are neither multiples of a vector nor of a tile.
Grid box_grid() {
  return Grid{{-3.1, 1.2, 2.3}, {0.5, 0, 0, 0, 0.6, 0, 0, 0, 0.45}, {61, 37, 21}};
}

TEST_P(CutoffPotential, EqualsTheReferenceForEveryForm) {
  const auto charges = random_charges(3000, 28);
  for (const CutoffForm form : {CutoffForm::shifted, CutoffForm::switched}) {
    for (const double cutoff : {2.0, 5.0, 12.0}) {
      SCOPED_TRACE(testing::Message() << "form " << static_cast<int>(form) << ", cutoff " << cutoff);
      CutoffOptions options;
      options.form = form;
      options.cutoff = cutoff;
      options.switching = 0.8 * cutoff;
      expect_same(GetParam(), charges, box_grid(), options);
    }
  }
}

TEST_P(CutoffPotential, EqualsTheReferenceForThePlainFormAwayFromItsStep) {
  const auto charges = random_charges(2000, 28);
  const CutoffOptions options{6.0, 5.0, CutoffForm::plain, {}};
  const Grid grid = box_grid();
  const std::vector<glm::dvec3> points = grid_points(grid);
  std::vector<double> inner(points.size());
  std::vector<double> outer(points.size());
  CutoffOptions moved = options;
  moved.cutoff = options.cutoff - 1e-5;
  cutoff_potential_reference(charges, points, moved, inner);
  moved.cutoff = options.cutoff + 1e-5;
  cutoff_potential_reference(charges, points, moved, outer);
  const auto values = map_on(GetParam(), charges, grid, options);
  std::vector<double> expected;
  std::vector<float> found;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (inner[i] != outer[i]) continue;
    expected.push_back(inner[i]);
    found.push_back(values[i]);
  }
  ASSERT_GE(expected.size(), points.size() * 9 / 10);
  EXPECT_LE(deviation(found, expected).rms, 1e-5);
  EXPECT_LE(deviation(found, expected).max, 1e-4);
}

TEST_P(CutoffPotential, EqualsTheReferenceWithADistanceDependentDielectric) {
  const auto charges = random_charges(1000, 28);
  for (const CutoffForm form : {CutoffForm::shifted, CutoffForm::switched}) {
    expect_same(GetParam(), charges, box_grid(), {12.0, 9.0, form, Dielectric::sigmoidal()});
  }
  expect_same(GetParam(), charges, box_grid(), {12.0, 9.0, CutoffForm::shifted, Dielectric::constant(4)});
}

TEST_P(CutoffPotential, EqualsTheReferenceOnASkewedAndTurnedGrid) {
  const auto charges = random_charges(2000, 28);
  const Grid grid{{2, 3, 4}, {0.4, 0.1, 0.05, -0.2, 0.5, 0.1, 0.15, -0.3, 0.6}, {45, 22, 19}};
  expect_same(GetParam(), charges, grid, {7.0, 6.0, CutoffForm::shifted, {}});
}

TEST_P(CutoffPotential, OfOneChargeIsTheFormula) {
  const std::vector<PointCharge> charges{{{0, 0, 0}, 2.0f}};
  const Grid grid{{0, 0, 0}, glm::dmat3(1.0), {13, 1, 1}};
  const auto values = map_on(GetParam(), charges, grid, {12.0, 10.0, CutoffForm::shifted, {}});
  EXPECT_EQ(values[0], 0.0f);  // the charge is on the point
  for (int i = 1; i < 13; ++i) {
    const double window = 1 - i * i / 144.0;
    EXPECT_NEAR(values[static_cast<std::size_t>(i)], units::coulomb_volt_angstrom * 2 / i * window * window, 1e-5);
  }
}

TEST_P(CutoffPotential, LeavesOutChargesThatLieOnPoints) {
  std::vector<PointCharge> charges;
  for (int i = 0; i < 40; ++i) charges.push_back({{0.5f * i, 1.0f * (i % 7), 1.5f * (i % 5)}, i % 2 ? 1.0f : -1.0f});
  const Grid grid{{0, 0, 0}, glm::dmat3(0.5), {41, 17, 15}};
  expect_same(GetParam(), charges, grid, {6.0, 5.0, CutoffForm::switched, {}});
}

TEST_P(CutoffPotential, IsZeroWithoutChargesInReach) {
  const std::vector<PointCharge> charges{{{500, 0, 0}, 1.0f}};
  const Grid grid{{0, 0, 0}, glm::dmat3(1.0), {9, 8, 7}};
  for (const float value : map_on(GetParam(), charges, grid, {})) EXPECT_EQ(value, 0.0f);
  for (const float value : map_on(GetParam(), {}, grid, {})) EXPECT_EQ(value, 0.0f);
}

TEST_P(CutoffPotential, SaysWhatIsWrongWithItsOptions) {
  const auto charges = random_charges(10, 5);
  const Grid grid{{0, 0, 0}, glm::dmat3(1.0), {2, 2, 2}};
  const auto refuses = [&](const CutoffOptions& options, const Grid& on) {
    try {
      map_on(GetParam(), charges, on, options);
      return false;
    } catch (const Error& error) {
      return error.kind() == Error::Kind::usage;
    }
  };
  EXPECT_TRUE(refuses({0.0, 0.0, CutoffForm::plain, {}}, grid));
  EXPECT_TRUE(refuses({NAN, 0.0, CutoffForm::plain, {}}, grid));
  EXPECT_TRUE(refuses({5.0, 5.0, CutoffForm::switched, {}}, grid));
  EXPECT_TRUE(refuses({5.0, 4.0, CutoffForm::shifted, Dielectric::constant(0.5)}, grid));
  EXPECT_TRUE(refuses({5.0, 4.0, CutoffForm::shifted, {}}, {{0, 0, 0}, glm::dmat3(0.0), {2, 2, 2}}));
}

TEST(Dielectric, GoesFromOneAtContactToTheBulk) {
  const Dielectric eps = Dielectric::sigmoidal(78, 0.16);
  EXPECT_NEAR(eps(0), 1.0, 1e-12);
  EXPECT_NEAR(eps(200), 78.0, 1e-9);
  // x = 1: 78 - 38.5 (1 + 2 + 2) / e
  EXPECT_NEAR(eps(1 / 0.16), 78 - 38.5 * 5 / std::exp(1.0), 1e-10);
  EXPECT_EQ(Dielectric::constant(4)(3), 4.0);
}

}  // namespace
}  // namespace isolume
