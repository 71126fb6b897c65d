// Maps along the normals of level sets, and the points of a grid that they need.
#include "compute/analysis/level_sets.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/compute/base/devices.h"

namespace isolume {
namespace {

using namespace test;

const Grid grid = make_grid({-4, -3.8, -4.1}, {0.4, 0.35, 0.45}, {21, 22, 19});

template <class Function>
std::vector<float> sampled(const Function& function) {
  std::vector<float> values;
  for (const glm::dvec3& p : grid_points(grid)) values.push_back(static_cast<float>(function(p)));
  return values;
}

/// Positive within 2.5 angstrom of the origin.
std::vector<float> ball() {
  return sampled([](glm::dvec3 p) { return 2.5 - glm::length(p); });
}

TEST(LevelSets, a_linear_map_along_the_normals_of_planes_is_exact) {
  const glm::dvec3 outwards = glm::normalize(glm::dvec3(1, 2, -2)), slope(0.3, -0.5, 0.7);
  const std::vector<float> field = sampled([&](glm::dvec3 p) { return -2 * glm::dot(p, outwards); });
  const std::vector<float> map = sampled([&](glm::dvec3 p) { return glm::dot(p, slope); });
  Job job;
  const std::vector<float> moved = along_normals(grid, field, map, 0.9, {}, job);
  const std::vector<glm::dvec3> points = grid_points(grid);
  std::size_t compared = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const glm::dvec3 place = points[i] + 0.9 * outwards;
    const glm::dvec3 at = grid.coordinates(place);
    if (glm::any(glm::lessThan(at, glm::dvec3(0))) || glm::any(glm::greaterThan(at, glm::dvec3(grid.counts - 1))))
      continue;
    ASSERT_NEAR(moved[i], glm::dot(place, slope), 1e-5);
    ++compared;
  }
  EXPECT_GT(compared, points.size() / 3);
}

TEST(LevelSets, corners_are_those_of_the_cells_that_the_surface_cuts) {
  const std::vector<float> field = ball();
  Job job;
  const std::vector<std::uint8_t> corners = corners_at_level(grid, field, 0.5f, job);
  // A cell is cut where the sphere of 2 angstrom passes between its corners.
  std::vector<std::uint8_t> expected(grid.size(), 0);
  const auto each_corner = [](int i, int j, int k, const auto& body) {
    for (int c = 0; c < 8; ++c) body(grid.index(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)));
  };
  for (int k = 0; k + 1 < grid.counts.z; ++k)
    for (int j = 0; j + 1 < grid.counts.y; ++j)
      for (int i = 0; i + 1 < grid.counts.x; ++i) {
        int inside = 0;
        each_corner(i, j, k, [&](std::size_t at) { inside += field[at] > 0.5f; });
        if (inside % 8 != 0) each_corner(i, j, k, [&](std::size_t at) { expected[at] = 1; });
      }
  EXPECT_EQ(corners, expected);
  EXPECT_GT(std::count(corners.begin(), corners.end(), 1), 300);
  EXPECT_EQ(std::count(expected.begin(), expected.end(), 1), std::count(corners.begin(), corners.end(), 1));
  // Beyond all values there is no surface.
  const std::vector<std::uint8_t> none = corners_at_level(grid, field, 9.0f, job);
  EXPECT_EQ(std::count(none.begin(), none.end(), 0), static_cast<std::ptrdiff_t>(grid.size()));
}

TEST(LevelSets, values_of_points_that_are_not_read_do_not_matter) {
  const std::vector<float> field = ball();
  const std::vector<float> map = sampled([](glm::dvec3 p) { return std::sin(p.x) + p.y * p.z; });
  Job job;
  const std::vector<std::uint8_t> at = corners_at_level(grid, field, 0.0f, job);
  for (const double offset : {1.4, -0.6}) {
    const std::vector<float> all = along_normals(grid, field, map, offset, {}, job);
    const std::vector<std::uint8_t> read = read_along_normals(grid, field, offset, at, job);
    std::vector<float> part = map;
    for (std::size_t i = 0; i < part.size(); ++i)
      if (!read[i]) part[i] = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> moved = along_normals(grid, field, part, offset, at, job);
    std::size_t compared = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!at[i]) continue;
      ASSERT_EQ(moved[i], all[i]);
      ++compared;
    }
    EXPECT_GT(compared, 300u);
    EXPECT_LT(std::count(read.begin(), read.end(), 1), static_cast<std::ptrdiff_t>(grid.size() * 2 / 3));
    // What is not asked for stays.
    const std::vector<float> same = along_normals(grid, field, map, offset, at, job);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (!at[i]) {
        ASSERT_EQ(same[i], map[i]);
      }
  }
}

}  // namespace
}  // namespace isolume
