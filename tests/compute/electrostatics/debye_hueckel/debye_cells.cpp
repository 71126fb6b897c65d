// Debye-Hückel sums in which cells of far spheres are replaced by places, on every device: against the plain sum.
#include "compute/electrostatics/debye_hueckel/debye_cells.h"

#include <gtest/gtest.h>

#include <cmath>

#include "compute/electrostatics/debye_hueckel/debye_hueckel.h"
#include "molecule/base/units.h"
#include "tests/compute/electrostatics/potential_systems.h"

namespace isolume {
namespace {

class DebyeHueckelCells : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(DebyeHueckelCells);

std::vector<ChargedSphere> spheres_in(glm::dvec3 extent, std::size_t count, double charge_of_each) {
  std::vector<ChargedSphere> spheres;
  test::Random random(17);
  for (std::size_t i = 0; i < count; ++i) {
    const glm::dvec3 at = extent * random.in_box(0, 1);
    spheres.push_back(
        {glm::vec3(at), static_cast<float>(random(-0.6, 0.6) + charge_of_each), static_cast<float>(random(1, 4))});
  }
  return spheres;
}

/// A grid whose faces are `margin` from a box at the origin.
Grid grid_about(glm::dvec3 extent, double margin, int counts) {
  const glm::dvec3 length = extent + 2 * margin;
  return test::make_grid(glm::dvec3(-margin), length / static_cast<double>(counts - 1), glm::ivec3(counts));
}

TEST(DebyeHueckelCellPlan, LeavesAShortSumAlone) {
  const glm::dvec3 extent(40);
  const auto few = spheres_in(extent, 500, 0);
  const Grid grid = grid_about(extent, 20, 33);
  EXPECT_TRUE(debye_cells(few, debye_hueckel_face_grids(grid), 0.1).cells.empty());
  // Points among the spheres.
  const auto many = spheres_in(extent, 20'000, 0);
  EXPECT_TRUE(debye_cells(many, std::span(&grid, 1), 0.1).cells.empty());
}

TEST(DebyeHueckelCellPlan, HasEverySphereOnce) {
  // One end is full, the other nearly empty: its spheres stay as they are.
  auto spheres = spheres_in({40, 40, 40}, 20'000, 0);
  for (ChargedSphere& sphere : spheres_in({40, 40, 40}, 30, 0)) {
    sphere.position.x += 90;
    spheres.push_back(sphere);
  }
  const Grid grid = grid_about({130, 40, 40}, 40, 65);
  const DebyeCells plan = debye_cells(spheres, debye_hueckel_face_grids(grid), 0.13);
  ASSERT_FALSE(plan.cells.empty());
  EXPECT_LT(plan.terms(), spheres.size() / 2);
  std::vector<int> seen(spheres.size(), 0);
  for (const std::uint32_t n : plan.order) ++seen.at(n);
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(spheres.size()));
  std::uint32_t next = 0;
  for (const DebyePart& part : plan.parts) {
    EXPECT_EQ(part.first, next);
    ASSERT_LT(part.cell, plan.cells.size());
    for (std::uint32_t m = part.first; m < part.last; ++m)
      for (int axis = 0; axis < 3; ++axis) {
        // Between the outermost places, or beyond by what these are within the cell.
        const DebyeCell& cell = plan.cells[part.cell];
        const float high = cell.node[axis][0], low = cell.node[axis][plan.places - 1];
        const float room = 0.1f * (high - low);
        EXPECT_GT(spheres[plan.order[m]].position[axis], low - room);
        EXPECT_LT(spheres[plan.order[m]].position[axis], high + room);
      }
    next = part.last;
  }
  EXPECT_EQ(next, plan.replaced);
  EXPECT_EQ(plan.order.size() - plan.replaced, 30u);
}

TEST(DebyeHueckelCellPlan, BoundsTheErrorOfOneSphere) {
  // A cell of half the side 12 at the origin, spheres anywhere in it, points about it: interpolated in the sphere's
  // place along x, y and z.
  const double half = 12;
  for (const double distance : {12.0, 20.0, 60.0}) {
    for (const double kappa : {0.0, 0.128, 0.33}) {
      const int places = debye_cell_places(half, distance, kappa);
      ASSERT_GT(places, 2) << distance << " " << kappa;
      DebyeCell cell{};
      for (int axis = 0; axis < 3; ++axis) {
        for (int i = 0; i < places; ++i) {
          const double angle = units::pi * (i + 0.5) / places;
          cell.node[axis][i] = static_cast<float>(half * std::cos(angle));
          cell.weight[axis][i] = static_cast<float>((i % 2 == 0 ? 1 : -1) * std::sin(angle));
        }
      }
      test::Random random(5);
      const auto kernel = [&](glm::dvec3 apart) { return std::exp(-kappa * glm::length(apart)) / glm::length(apart); };
      double worst = 0;
      for (int trial = 0; trial < 60; ++trial) {
        const glm::dvec3 sphere(glm::vec3(random.in_box(-half, half)));
        glm::dvec3 point = random.in_box(-half - 2 * distance, half + 2 * distance);
        point[trial % 3] = (half + distance) * (trial % 2 == 0 ? 1 : -1);
        double weight[3][DebyeCell::most];
        for (int axis = 0; axis < 3; ++axis)
          debye_cell_weights(cell.node[axis], cell.weight[axis], places, static_cast<float>(sphere[axis]),
                             weight[axis]);
        double sum = 0;
        for (int k = 0; k < places; ++k)
          for (int j = 0; j < places; ++j)
            for (int i = 0; i < places; ++i)
              sum +=
                  weight[0][i] * weight[1][j] * weight[2][k] *
                  kernel(point - glm::dvec3(static_cast<double>(cell.node[0][i]), static_cast<double>(cell.node[1][j]),
                                            static_cast<double>(cell.node[2][k])));
        worst = std::max(worst, std::abs(sum - kernel(point - sphere)));
      }
      EXPECT_LT(worst, 3.5e-6 * std::exp(-kappa * distance) / distance) << distance << " " << kappa << " " << places;
    }
  }
}

TEST_P(DebyeHueckelCells, OnFacesKeepThePromise) {
  const glm::dvec3 extent(60, 45, 50);
  for (const double charge : {0.0, 0.002}) {
    const auto spheres = spheres_in(extent, 20'000, charge);
    const Grid grid = grid_about(extent, 30, 65);
    for (const double strength : {0.0, 0.15, 1.0}) {
      DebyeHueckelOptions options;
      options.ionic_strength = strength;
      ASSERT_LT(debye_cells(spheres, debye_hueckel_face_grids(grid), options.inverse_debye_length()).terms(), 14'000u);
      const auto found = test::on_device<float>(GetParam(), debye_hueckel_face_points(grid), [&](Span<float> out) {
        Job job;
        debye_hueckel_faces(spheres, grid, options, out, job);
      });
      std::vector<glm::dvec3> points;
      for (const Grid& face : debye_hueckel_face_grids(grid))
        for (const glm::dvec3& point : test::grid_points(face)) points.push_back(point);
      std::vector<glm::dvec3> some;
      std::vector<float> values;
      for (std::size_t i = 0; i < points.size(); i += 23) {
        some.push_back(points[i]);
        values.push_back(found[i]);
      }
      std::vector<double> expected(some.size());
      debye_hueckel_reference(spheres, some, options, expected);
      const auto d = test::compare(values, expected);
      EXPECT_LE(d.rms, 1e-5 * d.scale_rms) << strength << " mol/l, " << charge;
      EXPECT_LE(d.largest, 2e-5 * d.scale) << strength << " mol/l, " << charge;
    }
  }
}

}  // namespace
}  // namespace isolume
