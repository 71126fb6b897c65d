// Maps of the potential by SPME against Ewald's sum.
#include <gtest/gtest.h>

#include "compute/electrostatics/ewald/ewald_reference.h"
#include "compute/electrostatics/ewald/spme.h"
#include "compute/electrostatics/method.h"
#include "molecule/crystal/water_box.h"
#include "tests/compute/electrostatics/energy_systems.h"

namespace isolume {
namespace {

using test::deviation;
using test::random_charges;
constexpr std::array<bool, 3> all{true, true, true};

class SpmePotential : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(SpmePotential);

std::vector<float> map_on(Device device, std::span<const PointCharge> charges, const Grid& grid, const Cell& cell,
                          const SpmeOptions& options, SpmeMap map = SpmeMap::full) {
  return test::on_device<float>(device, grid.size(), [&](Span<float> out) {
    Job job;
    spme_potential(charges, grid, cell, options, map, out, job);
  });
}

SpmeOptions fine(double cutoff) {
  SpmeOptions o;
  o.cutoff = cutoff;
  o.tolerance = 1e-7;
  o.order = 8;
  o.spacing = 0.5;
  return o;
}

TEST_P(SpmePotential, ApproachesEwaldsSum) {
  const Cell straight{glm::dmat3(18, 0, 0, 0, 16, 0, 0, 0, 20)};
  const Cell skewed = Cell::from_lengths_angles({18, 19, 20}, {75, 100, 65});
  for (const Cell& cell : {straight, skewed}) {
    auto charges = random_charges(60, 16);
    for (const double net : {0.0, 40.0}) {
      charges[0].charge += static_cast<float>(net);
      // Inside, across the border and outside of the cell; in one layer; askew.
      for (const Grid& grid :
           {test::make_grid({-5, 3, 14}, {2.1, 2.7, 3.3}, {9, 5, 4}), test::make_grid({2, 2, 2}, {1, 1, 1}, {9, 7, 1}),
            test::make_skewed_grid({1, 1, 1}, 2.3, {9, 3, 3})}) {
        const auto points = test::grid_points(grid);
        std::vector<double> expected(points.size());
        ewald_potential_reference(charges, cell, all, points, expected);
        const auto d = deviation(map_on(GetParam(), charges, grid, cell, fine(7)), expected);
        EXPECT_LE(d.rms, 2e-5);
        EXPECT_LE(d.max, 1e-3);
      }
    }
  }
}

TEST_P(SpmePotential, LeavesOutAChargeOnAPoint) {
  const Cell cell{glm::dmat3(16.0)};
  const Grid grid = test::make_grid({0, 0, 0}, {4, 4, 4}, {4, 4, 4});
  auto charges = random_charges(60, 16);
  for (std::size_t i = 0; i < 60; i += 3) charges[i].position = glm::vec3(test::grid_points(grid)[i]);
  const auto points = test::grid_points(grid);
  std::vector<double> expected(points.size());
  ewald_potential_reference(charges, cell, all, points, expected);
  EXPECT_LE(deviation(map_on(GetParam(), charges, grid, cell, fine(7)), expected).max, 1e-3);
}

TEST_P(SpmePotential, OfGaussiansIsTheWavesAlone) {
  // Two charges: phi = sum_k 4 pi/(V k^2) exp(-k^2/(4 alpha^2)) cos k.(r - r_j).
  const double side = 12;
  const double alpha = 0.4;
  const std::vector<PointCharge> charges{{{2, 3, 4}, 1.5f}, {{8, 9, 1}, -1.5f}};
  const Grid grid = test::make_grid({0.3, 0.1, 0.2}, {1.5, 1.5, 1.5}, {8, 8, 8});
  const auto points = test::grid_points(grid);
  std::vector<double> expected(points.size(), 0.0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (int a = -10; a <= 10; ++a) {
      for (int b = -10; b <= 10; ++b) {
        for (int c = -10; c <= 10; ++c) {
          const glm::dvec3 k = 2 * units::pi / side * glm::dvec3(a, b, c);
          const double k2 = glm::dot(k, k);
          if (k2 == 0) continue;
          for (const PointCharge& q : charges) {
            expected[i] += units::coulomb_volt_angstrom * static_cast<double>(q.charge) * 4 * units::pi /
                           (side * side * side * k2) * std::exp(-k2 / (4 * alpha * alpha)) *
                           std::cos(glm::dot(k, points[i] - glm::dvec3(q.position)));
          }
        }
      }
    }
  }
  SpmeOptions o;
  o.cutoff = 5;
  o.alpha = alpha;
  o.order = 8;
  o.spacing = 0.4;
  EXPECT_LE(deviation(map_on(GetParam(), charges, grid, Cell{glm::dmat3(side)}, o, SpmeMap::smooth), expected).rms,
            1e-5);
}

TEST_P(SpmePotential, IsPlannedForThePointsOfAMap) {
  // With a hundred points for each atom a shorter cutoff than forces are planned with is quicker, and as exact.
  const Molecule water = make_water_box(28, 1);
  std::vector<ChargedSphere> charges;
  for (std::size_t i = 0; i < water.atom_count(); ++i)
    charges.push_back({water.trajectory->frame(0).positions[i], water.topology->atoms[i].charge, 1});
  const Grid grid = test::make_grid({0, 0, 0}, {0.35, 0.35, 0.35}, {80, 80, 80});
  ASSERT_GT(grid.size(), 100 * charges.size());
  for (const double accuracy : {2.5e-3, 1e-4}) {
    SpmeMethod method;
    method.cell.vectors = glm::dmat3(28);
    PotentialOptions options = method;
    EXPECT_LE(choose_parameters(accuracy, charges, grid, GetParam(), options), accuracy * 1.01);
    EXPECT_LT(std::get<SpmeMethod>(options).spme.cutoff, 6);
    EXPECT_GE(plan_spme(accuracy, charges.size(), method.cell, GetParam()).front().options.cutoff, 6);
    DeviceArray<float> map(grid.size(), GetParam());
    Job job;
    potential(charges, grid, options, map.span(), job);
    const MapError error = measured_error(charges, grid, options, std::as_const(map).span(), job, 500);
    EXPECT_EQ(error.points, 500u);
    EXPECT_LE(error.relative, accuracy);
  }
}

TEST_P(SpmePotential, IsCancelledAndRefuses) {
  const Cell cell{glm::dmat3(16.0)};
  const Grid grid = test::make_grid({0, 0, 0}, {0.25, 0.25, 0.25}, {64, 64, 64});
  const auto charges = random_charges(100, 16);
  if (!GetParam().is_cuda()) {
    DeviceArray<float> out(grid.size(), GetParam());
    test::expect_cancelled(
        GetParam(), [&](Job& job) { spme_potential(charges, grid, cell, fine(7), SpmeMap::full, out.span(), job); });
  }
  EXPECT_THROW(map_on(GetParam(), charges, grid, {}, fine(7)), Error);
  EXPECT_THROW(map_on(GetParam(), {}, grid, cell, fine(7)), Error);
  EXPECT_THROW(map_on(GetParam(), charges, grid, cell, fine(8.5)), Error);
}

}  // namespace
}  // namespace isolume
