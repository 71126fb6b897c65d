// The Debye-Hückel potential on every device, against the plain double-precision sum.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "compute/electrostatics/debye_hueckel/debye_hueckel.h"
#include "compute/electrostatics/direct/row_sum.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "tests/compute/electrostatics/potential_systems.h"

namespace isolume {
namespace {

using test::deviation;
using test::grid_points;

class DebyeHueckel : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(DebyeHueckel);

std::vector<ChargedSphere> spheres(std::size_t count, double side) {
  std::vector<ChargedSphere> result;
  test::Random random(3);
  for (const PointCharge& c : test::random_charges(count, side)) {
    result.push_back({c.position, c.charge, static_cast<float>(random(0, 2))});
  }
  return result;
}

std::vector<float> map_on(Device device, std::span<const ChargedSphere> of, const Grid& grid,
                          const DebyeHueckelOptions& options) {
  return test::on_device<float>(device, grid.size(), [&](Span<float> out) {
    Job job;
    debye_hueckel_potential(of, grid, options, out, job);
  });
}

void expect_same(Device device, std::span<const ChargedSphere> of, const Grid& grid,
                 const DebyeHueckelOptions& options) {
  const auto points = grid_points(grid);
  std::vector<double> expected(points.size());
  debye_hueckel_reference(of, points, options, expected);
  const auto d = test::compare(map_on(device, of, grid, options), expected);
  EXPECT_LE(d.rms, 1e-5 * d.scale_rms);
  EXPECT_LE(d.largest, 2e-5 * d.scale);
}

TEST(DebyeHueckelOptions, HaveTheTextbookDebyeLength) {
  // 3.04 angstrom / sqrt(I) in water at 25 C (Israelachvili, Intermolecular and Surface Forces, eq. 14.36).
  EXPECT_NEAR(1 / DebyeHueckelOptions{}.inverse_debye_length(), 3.04 / std::sqrt(0.15), 0.03);
  EXPECT_EQ(DebyeHueckelOptions{.ionic_strength = 0}.inverse_debye_length(), 0);
}

TEST_P(DebyeHueckel, EqualsTheReference) {
  const auto of = spheres(1500, 25);
  for (const double ionic_strength : {0.0, 0.15, 5.0}) {
    DebyeHueckelOptions options;
    options.ionic_strength = ionic_strength;
    expect_same(GetParam(), of, test::make_grid({-8, -7, -6}, {0.9, 1.1, 1.3}, {47, 33, 19}), options);
    expect_same(GetParam(), of, test::make_skewed_grid({-4, 2, 3}, 0.9, {21, 18, 15}), options);
  }
}

TEST(RowBlocks, HaveEveryPointOnceWhereItIs) {
  // Rows of whole runs, with a rest that makes rows of its own, and shorter than a run.
  std::vector<Grid> grids;
  for (const glm::ivec3 n :
       {glm::ivec3(16, 5, 3), glm::ivec3(193, 21, 1), glm::ivec3(25, 9, 4), glm::ivec3(5, 40, 2)}) {
    grids.push_back(test::make_skewed_grid({1, -2, 3}, 0.7, n));
  }
  std::vector<glm::dvec3> expected;
  for (const Grid& grid : grids) {
    const auto points = grid_points(grid);
    expected.insert(expected.end(), points.begin(), points.end());
  }
  std::vector<int> seen(expected.size(), 0);
  std::size_t runs = 0;
  for (const RowBlock& block : row_blocks(grids, 8)) {
    const glm::dmat3 back = glm::transpose(block.frame.turn);
    for (int k = 0; k < block.counts.z; ++k) {
      for (int j = 0; j < block.counts.y; ++j) {
        runs += static_cast<std::size_t>(block.counts.x + 7) / 8;
        for (int i = 0; i < block.counts.x; ++i) {
          const std::size_t at = block.first_value + static_cast<std::size_t>(i) * block.stride[0] +
                                 static_cast<std::size_t>(j) * block.stride[1] +
                                 static_cast<std::size_t>(k) * block.stride[2];
          ASSERT_LT(at, seen.size());
          ++seen[at];
          const glm::dvec3 point = block.frame.origin + back * block.frame.point(i, j, k);
          EXPECT_LE(glm::distance(point, expected[at]), 1e-9);
        }
      }
    }
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(seen.size()));
  // 2 x 15, 24 x 21 + 3, 3 x 36 + 2 x 4, 80 runs.
  EXPECT_EQ(runs, 30u + 507u + 116u + 80u);
}

TEST_P(DebyeHueckel, EqualsTheReferenceAtEverySpacing) {
  // Powers of two are shared by neighbours as far apart as their spacing lets them (0.185 units an angstrom).
  const auto of = spheres(700, 20);
  for (const double spacing : {0.05, 0.4, 0.8, 0.85, 1.6, 1.7, 5.0}) {
    for (const glm::ivec3 n : {glm::ivec3(17, 11, 5), glm::ivec3(25, 6, 4), glm::ivec3(12, 19, 1)}) {
      const Grid grid = test::make_grid(glm::dvec3(10 - 0.5 * spacing * 12), {spacing, spacing, spacing}, n);
      SCOPED_TRACE(spacing);
      expect_same(GetParam(), of, grid, {});
    }
  }
  // Rows that are near to each other, points along them that are not, and the other way round.
  expect_same(GetParam(), of, test::make_grid({-3, 2, 1}, {2.5, 0.3, 0.3}, {19, 18, 3}), {});
  expect_same(GetParam(), of, test::make_grid({-3, 2, 1}, {0.3, 2.5, 2.5}, {19, 18, 3}), {});
}

TEST_P(DebyeHueckel, OfOneSphereIsTheFormula) {
  const std::vector<ChargedSphere> one{{{0, 0, 0}, 1.5f, 2.0f}};
  const Grid grid = test::make_grid({0, 0, 0}, {1, 1, 1}, {30, 1, 1});
  const DebyeHueckelOptions options;
  const double kappa = options.inverse_debye_length();
  const auto values = map_on(GetParam(), one, grid, options);
  EXPECT_EQ(values[0], 0.0f);
  for (int i = 1; i < 30; ++i) {
    const double expected =
        units::coulomb_volt_angstrom / 78.54 * 1.5 * std::exp(-kappa * (i - 2)) / (1 + 2 * kappa) / i;
    EXPECT_NEAR(values[static_cast<std::size_t>(i)], expected, 2e-6 * expected);
  }
}

TEST_P(DebyeHueckel, IsCoulombsPotentialWithoutIons) {
  const auto charges = test::random_charges(500, 12);
  std::vector<ChargedSphere> of;
  for (const PointCharge& c : charges) of.push_back({c.position, c.charge, 1.0f});
  const Grid grid = test::make_grid({-3, -3, -3}, {0.8, 0.8, 0.8}, {21, 20, 19});
  DebyeHueckelOptions options;
  options.ionic_strength = 0;
  options.permittivity = 1;
  std::vector<double> expected(grid.size());
  direct_potential_reference(charges, grid_points(grid), expected);
  EXPECT_LE(deviation(map_on(GetParam(), of, grid, options), expected).rms, 1e-5);
}

TEST_P(DebyeHueckel, OnFacesIsThatOnTheWholeGrid) {
  const auto of = spheres(300, 10);
  const Grid grid = test::make_grid({-5, -6, -7}, {1.0, 1.25, 1.5}, {21, 18, 17});
  const DebyeHueckelOptions options;
  const auto whole = map_on(GetParam(), of, grid, options);
  const auto faces = test::on_device<float>(GetParam(), debye_hueckel_face_points(grid), [&](Span<float> out) {
    Job job;
    debye_hueckel_faces(of, grid, options, out, job);
  });
  ASSERT_EQ(faces.size(), 2u * (18 * 17 + 21 * 17 + 21 * 18));
  std::vector<float> expected;
  for (const int i : {0, 20}) {
    for (int k = 0; k < 17; ++k) {
      for (int j = 0; j < 18; ++j) expected.push_back(whole[grid.index(i, j, k)]);
    }
  }
  for (const int j : {0, 17}) {
    for (int k = 0; k < 17; ++k) {
      for (int i = 0; i < 21; ++i) expected.push_back(whole[grid.index(i, j, k)]);
    }
  }
  for (const int k : {0, 16}) {
    for (int j = 0; j < 18; ++j) {
      for (int i = 0; i < 21; ++i) expected.push_back(whole[grid.index(i, j, k)]);
    }
  }
  EXPECT_LE(deviation(faces, expected).max, 1e-5);
}

TEST_P(DebyeHueckel, SaysWhatIsWrong) {
  const auto of = spheres(3, 10);
  const Grid grid = test::make_grid({0, 0, 0}, {1, 1, 1}, {3, 3, 3});
  DebyeHueckelOptions options;
  options.ionic_strength = -1;
  EXPECT_THROW(map_on(GetParam(), of, grid, options), Error);
  options = {};
  options.temperature = 0;
  EXPECT_THROW(map_on(GetParam(), of, grid, options), Error);
  const std::vector<ChargedSphere> negative{{{0, 0, 0}, 1, -1}};
  EXPECT_THROW(map_on(GetParam(), negative, grid, {}), Error);
}

}  // namespace
}  // namespace isolume
