// The cell list against all pairs.
#include "molecule/neighbour_grid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

namespace isolume {
namespace {

void expect_all_pairs(const std::vector<glm::vec3>& points, double cutoff) {
  const NeighbourGrid grid(points, cutoff);
  for (const glm::vec3& place : points) {
    std::set<std::uint32_t> expected, found;
    for (std::uint32_t j = 0; j < points.size(); ++j) {
      const glm::dvec3 d = glm::dvec3(points[j]) - glm::dvec3(place);
      if (glm::dot(d, d) <= cutoff * cutoff) expected.insert(j);
    }
    grid.visit(place, [&](std::uint32_t j, double squared) {
      EXPECT_LE(squared, cutoff * cutoff);
      EXPECT_TRUE(found.insert(j).second);
      return false;
    });
    ASSERT_EQ(found, expected) << "cutoff " << cutoff;
  }
}

TEST(NeighbourGrid, FindsWhatAllPairsFind) {
  std::mt19937 random(11);
  std::uniform_real_distribution<float> anywhere(-20, 20);
  std::vector<glm::vec3> points;
  for (int i = 0; i < 400; ++i) points.emplace_back(anywhere(random), anywhere(random), 0.3f * anywhere(random));
  for (const double cutoff : {0.0, 0.5, 3.0, 15.0, 200.0}) expect_all_pairs(points, cutoff);
  // Two clusters and stray points far out, at which the box is not the cluster's.
  for (int i = 0; i < 100; ++i) points.push_back(points[static_cast<std::size_t>(i)] + glm::vec3(5e4f, 0, 0));
  points.emplace_back(3e7f, -1e9f, 0);
  points.emplace_back(0, 2e20f, 1e30f);
  for (const double cutoff : {0.5, 3.0, 15.0}) expect_all_pairs(points, cutoff);
}

TEST(NeighbourGrid, PointsAtExactlyTheCutoffCount) {
  std::vector<glm::vec3> lattice;
  for (int i = 0; i < 1000; ++i) lattice.emplace_back(2 * (i % 10), 2 * (i / 10 % 10), 2 * (i / 100));
  expect_all_pairs(lattice, 2.0);
  expect_all_pairs(lattice, 4.0);
}

TEST(NeighbourGrid, LeavesOutWhatIsNotFinite) {
  const std::vector<glm::vec3> points{{0, 0, 0}, {std::nanf(""), 0, 0}, {INFINITY, 0, 0}};
  const NeighbourGrid grid(points, 1);
  int count = 0;
  const auto visit = [&](std::uint32_t, double) { return ++count > 100; };
  grid.visit({0, 0, 0}, visit);
  EXPECT_EQ(count, 1);
  EXPECT_FALSE(grid.visit({std::nanf(""), 0, 0}, visit));
  EXPECT_FALSE(NeighbourGrid({}, 1).visit({0, 0, 0}, visit));
}

}  // namespace
}  // namespace isolume
