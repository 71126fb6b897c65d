// The direct Coulomb sum: closed formulas, the double-precision reference, and the borders.
#include "compute/electrostatics/direct/direct.h"

#include "compute/electrostatics/direct/exact_sum.h"
#include "compute/electrostatics/error/error_estimate.h"
#include "molecule/base/units.h"
#include "tests/compute/base/devices.h"

namespace isolume {
namespace {

using namespace test;
using Direct = OnDevice;
ISOLUME_ON_EVERY_DEVICE(Direct);

std::vector<float> potential(Device device, const std::vector<PointCharge>& charges, const Grid& grid) {
  Job job;
  return on_device<float>(device, grid.size(), [&](Span<float> out) { direct_potential(charges, grid, out, job); });
}

/// Alternating charges in a cube of the density of water.
std::vector<PointCharge> random_charges(std::size_t count, std::uint64_t seed, glm::dvec3 centre = glm::dvec3(0)) {
  Random random(seed);
  const double half = 0.5 * std::cbrt(static_cast<double>(count + 1) / 0.1);
  std::vector<PointCharge> charges;
  for (std::size_t i = 0; i < count; ++i) {
    const double sign = i % 3 == 0 ? -0.8 : 0.4;
    charges.push_back({glm::vec3(centre + random.in_box(-half, half)), static_cast<float>(sign * random(0.8, 1.2))});
  }
  return charges;
}

TEST_P(Direct, OneChargeFollowsCoulomb) {
  const PointCharge charge{{0.1f, -0.2f, 0.3f}, -0.7f};
  const Grid grid = make_grid({-4, -3, -5}, {0.51, 0.52, 0.53}, {17, 13, 19});
  const std::vector<float> values = potential(GetParam(), {charge}, grid);
  const std::vector<glm::dvec3> points = grid_points(grid);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double expected =
        units::coulomb_volt_angstrom * double{charge.charge} / glm::distance(points[i], glm::dvec3(charge.position));
    ASSERT_NEAR(values[i], expected, 1e-6 * std::abs(expected)) << i;
  }
}

TEST_P(Direct, OppositeChargesCancelBetweenThem) {
  const std::vector<PointCharge> charges{{{0, 0, 1.5f}, 1.0f}, {{0, 0, -1.5f}, -1.0f}};
  const Grid plane = make_grid({-8, -8, 0}, {0.5, 0.5, 1}, {33, 33, 1});
  for (const float value : potential(GetParam(), charges, plane)) ASSERT_NEAR(value, 0, 1e-6);
}

TEST_P(Direct, CubeOfChargesAtItsCentre) {
  std::vector<PointCharge> charges;
  for (int c = 0; c < 8; ++c) {
    charges.push_back({{c & 1 ? 1.f : -1.f, c & 2 ? 1.f : -1.f, c & 4 ? 1.f : -1.f}, 0.25f});
  }
  const Grid centre = make_grid({0, 0, 0}, {1, 1, 1}, {1, 1, 1});
  const double expected = 8 * 0.25 * units::coulomb_volt_angstrom / std::sqrt(3.0);
  EXPECT_NEAR(potential(GetParam(), charges, centre)[0], expected, 1e-6 * expected);
}

TEST_P(Direct, AgreesWithTheReferenceAtRaggedSizes) {
  for (const std::size_t count : {0, 1, 31, 32, 33, 255, 256, 257, 1023, 1025}) {
    const std::vector<PointCharge> charges = random_charges(count, 7 + count);
    for (const Grid& grid :
         {make_grid({0.2, 0.1, -0.3}, {1, 1, 1}, {1, 1, 1}), make_grid({-9, 0.1, 0.2}, {0.27, 1, 1}, {67, 1, 1}),
          make_grid({0.3, -9, 0.2}, {1, 0.55, 1}, {1, 33, 1}), make_grid({-8, -6, -7}, {0.9, 1.1, 1.3}, {15, 9, 11}),
          make_grid({8, 6, -7}, {-0.9, -1.1, 1.3}, {5, 9, 11}), make_skewed_grid({-9, -7, -8}, 0.8, {18, 13, 9}),
          make_grid({-40, -2, -1}, {0.31, 0.6, 0.6}, {259, 5, 3})}) {
      const std::vector<glm::dvec3> points = grid_points(grid);
      std::vector<double> expected(points.size());
      direct_potential_reference(charges, points, expected);
      const Difference d = compare(potential(GetParam(), charges, grid), expected);
      EXPECT_LE(d.rms, 1e-5 * d.scale_rms) << count << " charges, " << grid.counts.x << " x " << grid.counts.y;
      EXPECT_LE(d.largest, 1e-5 * d.scale) << count << " charges, " << grid.counts.x << " x " << grid.counts.y;
    }
  }
}

TEST_P(Direct, KeepsItsAccuracyFarFromTheOrigin) {
  const glm::dvec3 far(8000, -6000, 5000);
  const std::vector<PointCharge> charges = random_charges(500, 3, far);
  for (const Grid& grid :
       {make_grid(far - 6.0, {0.7, 0.7, 0.7}, {17, 17, 17}), make_skewed_grid(far - 6.0, 0.7, {17, 9, 5})}) {
    const std::vector<glm::dvec3> points = grid_points(grid);
    std::vector<double> expected(points.size());
    direct_potential_reference(charges, points, expected);
    const Difference d = compare(potential(GetParam(), charges, grid), expected);
    EXPECT_LE(d.rms, 1e-5 * d.scale_rms);
  }
}

TEST_P(Direct, TakesChargesOfAnySizeAndSign) {
  const Grid grid = make_grid({-8, -6, -7}, {0.9, 1.1, 1.3}, {15, 9, 11});
  const std::vector<glm::dvec3> points = grid_points(grid);
  std::vector<double> expected(points.size());
  // Of one sign, seven of one to one of the other, faint, strong, none.
  const std::vector<std::vector<float>> patterns{{1},
                                                 {-0.3f},
                                                 {0.1f, 0.1f, 0.1f, -0.7f, 0.1f, 0.1f, 0.1f, 0.1f},
                                                 {1e-12f, -3e-12f, 2e-15f},
                                                 {1e4f, 0, -2e-11f, -1e4f, 3},
                                                 {0}};
  for (const std::vector<float>& pattern : patterns) {
    std::vector<PointCharge> charges = random_charges(700, 19);
    for (std::size_t i = 0; i < charges.size(); ++i) charges[i].charge = pattern[i % pattern.size()];
    direct_potential_reference(charges, points, expected);
    const Difference d = compare(potential(GetParam(), charges, grid), expected);
    EXPECT_LE(d.rms, 1e-5 * d.scale_rms) << pattern.front();
    EXPECT_LE(d.largest, 1e-5 * d.scale) << pattern.front();
  }
}

TEST_P(Direct, LeavesOutAChargeThatLiesOnAPoint) {
  const std::vector<PointCharge> charges{{{0, 0, 0}, 1.0f}, {{3, 0, 0}, 0.5f}, {{3, 4, 0}, -0.25f}};
  for (const Grid& grid : {make_grid({0, 0, 0}, {1, 1, 1}, {1, 1, 1}), make_grid({-3, -4, -2}, {1, 1, 1}, {9, 9, 5})}) {
    const std::vector<float> values = potential(GetParam(), charges, grid);
    const glm::ivec3 at(glm::round(grid.coordinates(glm::dvec3(0))));
    const double expected = units::coulomb_volt_angstrom * (0.5 / 3 - 0.25 / 5);
    EXPECT_NEAR(values[grid.index(at.x, at.y, at.z)], expected, 1e-6);
    const std::vector<glm::dvec3> points = grid_points(grid);
    std::vector<double> reference(points.size());
    direct_potential_reference(charges, points, reference);
    const Difference d = compare(values, reference);
    EXPECT_LE(d.largest, 1e-6 * d.scale);
  }
}

TEST_P(Direct, TheMeasuredErrorKeepsThePromise) {
  const std::vector<PointCharge> charges = random_charges(1500, 11);
  const Grid grid = make_grid({-14, -14, -14}, {0.5, 0.5, 0.5}, {57, 57, 57});
  std::vector<float> values = potential(GetParam(), charges, grid);
  const MapError error = potential_error(charges, grid, values, 2000);
  EXPECT_EQ(error.points, 2000u);
  EXPECT_GT(error.rms, 0);
  EXPECT_LE(error.relative, 1e-5);
  // An error that is put in must be found.
  for (float& value : values) value += 0.5f;
  const MapError shifted = potential_error(charges, grid, values, 2000);
  EXPECT_NEAR(shifted.rms, 0.5, 1e-3);
  EXPECT_NEAR(shifted.max, 0.5, 1e-2);
}

TEST_P(Direct, RefusesWhatMakesNoSense) {
  const Device device = GetParam();
  const Grid grid = make_grid({0, 0, 0}, {1, 1, 1}, {2, 2, 2});
  EXPECT_THROW(potential(device, {{{0, NAN, 0}, 1.0f}}, grid), Error);
  EXPECT_THROW(potential(device, {{{0, 0, 0}, INFINITY}}, grid), Error);
  Job job;
  DeviceArray<float> small(7, device);
  EXPECT_THROW(direct_potential({}, grid, small.span(), job), Error);
  EXPECT_TRUE(potential(device, {}, make_grid({0, 0, 0}, {1, 1, 1}, {0, 4, 4})).empty());
}

TEST_P(Direct, StopsWhenCancelled) {
  const std::vector<PointCharge> charges = random_charges(3000, 5);
  const Grid grid = make_grid({-14, -14, -14}, {0.3, 0.3, 0.3}, {96, 96, 96});
  DeviceArray<float> out(grid.size(), GetParam());
  expect_cancelled(GetParam(), [&](Job& job) { direct_potential(charges, grid, out.span(), job); });
}

/// Sums of |q| / r with the unit of potentials: what rounding errors are parts of.
double magnitude_at(std::vector<PointCharge> charges, glm::dvec3 point) {
  for (PointCharge& c : charges) c.charge = std::abs(c.charge);
  double sum = 0;
  direct_potential_reference(charges, {&point, 1}, {&sum, 1});
  return sum;
}

TEST_P(Direct, ExactSumIsTheReference) {
  Random random(5);
  for (const std::size_t count : {1u, 5u, 4097u, 10000u}) {
    const std::vector<PointCharge> charges = random_charges(count, count, {1000, -2000, 500});
    std::vector<glm::dvec3> points;
    for (int i = 0; i < 131; ++i) points.push_back(glm::dvec3(1000, -2000, 500) + random.in_box(-30, 30));
    points[7] = glm::dvec3(charges[0].position);                           // left out there
    points[8] = glm::dvec3(charges[0].position) + glm::dvec3(2e-4, 0, 0);  // and here it is not
    points[9] = glm::dvec3(charges[0].position) + glm::dvec3(0, 1e7, 0);   // far away
    for (const std::size_t used : {1u, 2u, 3u, 131u}) {
      std::vector<double> expected(used), found(used);
      const std::span at = std::span(points).last(used);
      direct_potential_reference(charges, at, expected);
      Job job;
      exact_potential(charges, at, found, GetParam(), job);
      for (std::size_t i = 0; i < used; ++i)
        ASSERT_NEAR(found[i], expected[i], 1e-12 * magnitude_at(charges, at[i])) << count << " charges, point " << i;
    }
  }
}

TEST_P(Direct, ExactSumSaysWhatItCannotDo) {
  Job job;
  const std::vector<glm::dvec3> points{{0, 0, 0}, {1, 0, 0}};
  std::vector<double> values(2, 7);
  exact_potential({}, points, values, GetParam(), job);
  EXPECT_EQ(values, std::vector<double>(2, 0.0));
  EXPECT_THROW(exact_potential({}, points, std::span(values).first(1), GetParam(), job), Error);
  const std::vector<PointCharge> bad{{{0, 0, NAN}, 1.0f}};
  EXPECT_THROW(exact_potential(bad, points, values, GetParam(), job), Error);
}

TEST_P(Direct, ErrorIsTheSameByTheDevice) {
  const std::vector<PointCharge> charges = random_charges(3000, 3);
  const Grid grid = make_grid({-15, -15, -15}, {1, 1, 1}, {31, 31, 31});
  std::vector<float> wrong = potential(GetParam(), charges, grid);
  for (std::size_t i = 0; i < wrong.size(); ++i) wrong[i] *= 1.0f + 0.01f * static_cast<float>(i % 3);
  const MapError expected = potential_error(charges, grid, wrong, 400, 9);
  const auto values = DeviceArray<float>::from_host(wrong, GetParam());
  Job job;
  const MapError found = potential_error_on_device(charges, grid, values.span(), 400, 9, job);
  EXPECT_NEAR(found.rms, expected.rms, 1e-9 * expected.rms);
  EXPECT_NEAR(found.relative, expected.relative, 1e-9 * expected.relative);
  EXPECT_NEAR(found.max, expected.max, 1e-9 * expected.max);
  EXPECT_EQ(found.points, 400u);
}

}  // namespace
}  // namespace isolume
