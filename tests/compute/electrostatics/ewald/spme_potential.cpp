// Maps of the potential by SPME against Ewald's sum.
#include <gtest/gtest.h>

#include "compute/electrostatics/ewald/ewald_reference.h"
#include "compute/electrostatics/ewald/spme_map.h"
#include "tests/compute/electrostatics/energy_systems.h"
#include "tests/compute/electrostatics/potential_systems.h"

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
      // Inside, across the border and outside of the cell; in one layer; askew; fine.
      for (const Grid& grid :
           {test::make_grid({-5, 3, 14}, {2.1, 2.7, 3.3}, {9, 5, 4}), test::make_grid({2, 2, 2}, {1, 1, 1}, {9, 7, 1}),
            test::make_skewed_grid({1, 1, 1}, 2.3, {9, 3, 3}),
            test::make_grid({15, -1, 17}, {0.4, 0.5, 0.3}, {9, 5, 18})}) {
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

TEST_P(SpmePotential, ParametersPlannedForMapsMeetTheirAccuracy) {
  const double side = 27;
  const Cell cell{glm::dmat3(side)};
  const auto charges = test::water_charges(side);
  const Grid grid = test::make_grid({0.4, 1.3, 2.2}, {3.3, 6.6, 6.6}, {8, 4, 4});
  const auto points = test::grid_points(grid);
  std::vector<double> expected(points.size());
  ewald_potential_reference(charges, cell, all, points, expected);
  for (const double accuracy : {1e-2, 1e-3, 1e-4}) {
    const SpmePlanned plan = plan_spme(accuracy, charges.size(), cell, GetParam(), 0, 100'000'000).front();
    EXPECT_LE(plan.expected_error, accuracy * 1.01);
    EXPECT_LE(deviation(map_on(GetParam(), charges, grid, cell, plan.options), expected).rms, accuracy)
        << describe(plan.options);
    // The mesh costs next to nothing for so many points, so their sums over pairs are short.
    EXPECT_LE(plan.options.cutoff, 4.5) << describe(plan.options);
  }
}

TEST_P(SpmePotential, OfOtherChargesIsAsIfNewlyMade) {
  // Frames of one series, another cell, another number of charges, other options, and what follows an error.
  const Grid grid = test::make_grid({1, 2, 3}, {0.9, 1.1, 1.3}, {14, 9, 8});
  const Cell first{glm::dmat3(18, 0, 0, 0, 16, 0, 0, 0, 20)}, larger{glm::dmat3(18.3, 0, 0, 0, 16.2, 0, 0, 0, 20.1)};
  const Cell skewed = Cell::from_lengths_angles({18, 19, 20}, {75, 100, 65});
  SpmeOptions options = fine(7), coarse = fine(6);
  options.mesh = glm::ivec3(40);
  struct Turn {
    std::size_t charges;
    Cell cell;
    SpmeOptions options;
    SpmeMap map;
  };
  const std::vector<Turn> turns{{60, first, options, SpmeMap::full},  {60, first, options, SpmeMap::full},
                                {60, larger, options, SpmeMap::full}, {60, skewed, options, SpmeMap::full},
                                {40, skewed, options, SpmeMap::full}, {40, first, coarse, SpmeMap::full},
                                {40, first, coarse, SpmeMap::smooth}, {60, first, options, SpmeMap::full}};
  SpmeField kept;
  DeviceArray<float> out(grid.size(), GetParam());
  Job job;
  EXPECT_THROW(kept.map(grid, out.span(), job), Error);
  EXPECT_FALSE(kept.keeps_memory());
  for (std::size_t t = 0; t < turns.size(); ++t) {
    const Turn& turn = turns[t];
    auto charges = random_charges(turn.charges, 16);
    for (PointCharge& charge : charges) charge.position += 0.1f * static_cast<float>(t);
    if (t % 3 == 2) {
      EXPECT_THROW(kept.reset(charges, {}, turn.options, turn.map, GetParam(), job), Error);
    }
    kept.reset(charges, turn.cell, turn.options, turn.map, GetParam(), job);
    EXPECT_TRUE(kept.keeps_memory());
    kept.map(grid, out.span(), job);
    const std::vector<float> again = out.copy_to_host();
    const std::vector<float> anew = map_on(GetParam(), charges, grid, turn.cell, turn.options, turn.map);
    if (GetParam().is_cuda()) {
      // Atoms are sorted in another order, so sums are rounded otherwise.
      EXPECT_LE(deviation(again, std::vector<double>(anew.begin(), anew.end())).max, 2e-6) << "turn " << t;
    } else {
      EXPECT_EQ(again, anew) << "turn " << t;
    }
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
