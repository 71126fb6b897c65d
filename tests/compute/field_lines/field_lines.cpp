// Field lines against closed formulas: polynomials, a point charge, pairs of charges, and Gauss's law.
#include "compute/field_lines/field_lines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "molecule/base/error.h"

namespace isolume {
namespace {

struct Charge {
  glm::dvec3 place;
  double charge;
};

// The potential of charges (in units in which it is q / r) on a cube about the origin.
struct Map {
  Grid grid;
  std::vector<float> values;
  Map(const std::vector<Charge>& charges, double half, double spacing) {
    grid = Grid::covering(glm::dvec3(-half), glm::dvec3(half), spacing);
    for (int k = 0; k < grid.counts.z; ++k)
      for (int j = 0; j < grid.counts.y; ++j)
        for (int i = 0; i < grid.counts.x; ++i) {
          double sum = 0;
          for (const Charge& c : charges) sum += c.charge / std::max(0.3, glm::distance(grid.point(i, j, k), c.place));
          values.push_back(static_cast<float>(sum));
        }
  }
};

TEST(FieldSampler, IsExactForQuadraticsOnAnyGrid) {
  Grid grid;
  grid.origin = {1, -2, 0.5};
  grid.step = glm::dmat3(glm::dvec3(0.5, 0, 0), glm::dvec3(0.1, 0.4, 0), glm::dvec3(-0.1, 0.2, 0.6));
  grid.counts = {9, 8, 7};
  const auto value = [](glm::dvec3 p) { return 2 * p.x * p.x - p.y * p.z + 0.5 * p.z * p.z + 3 * p.x - p.y; };
  std::vector<float> values;
  for (int k = 0; k < 7; ++k)
    for (int j = 0; j < 8; ++j)
      for (int i = 0; i < 9; ++i) values.push_back(static_cast<float>(value(grid.point(i, j, k))));
  const FieldSampler sampler(grid, values);
  for (const glm::dvec3 u : {glm::dvec3(1, 1, 1), glm::dvec3(3.3, 4.9, 2.2), glm::dvec3(6.99, 5.5, 4.01)}) {
    const glm::dvec3 p = grid.point(u.x, u.y, u.z);
    FieldSampler::Sample sample;
    ASSERT_TRUE(sampler.at(p, sample));
    EXPECT_NEAR(sample.value, value(p), 2e-5);
    const glm::dvec3 gradient(4 * p.x + 3, -p.z - 1, -p.y + p.z);
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(sample.gradient[axis], gradient[axis], 1e-4);
  }
  FieldSampler::Sample sample;
  EXPECT_TRUE(sampler.at(grid.point(8, 7, 6), sample));
  EXPECT_NEAR(sample.value, value(grid.point(8, 7, 6)), 2e-5);
  EXPECT_FALSE(sampler.at(grid.point(8.01, 3, 3), sample));
  EXPECT_FALSE(sampler.at(grid.point(-0.01, 3, 3), sample));
  EXPECT_THROW(FieldSampler(grid, std::span(values).first(7)), Error);
}

TEST(FieldLines, OfAPointChargeAreStraightAndEvenlySpread) {
  const Map map({{{0, 0, 0}, 1}}, 6, 0.2);
  const FieldSampler field(map.grid, map.values);
  Job job;
  FieldLineOptions options;
  options.lines = 100;
  const glm::vec4 sphere(0, 0, 0, 1.5);
  const std::vector<FieldLine> lines = field_lines_of_spheres(field, std::span(&sphere, 1), options, job);
  ASSERT_EQ(lines.size(), 100u);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const FieldLine& line = lines[i];
    ASSERT_EQ(line.points.size(), line.values.size());
    EXPECT_NEAR(glm::length(line.points.front()), 1.5, 1e-5);
    const glm::vec3 end = glm::abs(line.points.back());
    EXPECT_GT(std::max({end.x, end.y, end.z}), 5.8f) << "they leave the grid";
    const glm::dvec3 direction = glm::normalize(glm::dvec3(line.points.front()));
    for (std::size_t n = 0; n < line.points.size(); ++n) {
      const glm::dvec3 p(line.points[n]);
      EXPECT_LT(glm::length(p - glm::dot(p, direction) * direction) / glm::length(p), 0.01);
      EXPECT_NEAR(double(line.values[n]), 1 / glm::length(p), 0.005);
      if (n == 0) continue;
      EXPECT_LT(line.values[n], line.values[n - 1]) << "downhill";
    }
    // Evenly: a hundred caps of equal area have a radius of 0.2 radian; no two seeds share more than a half of theirs.
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_GT(std::acos(std::min(1.0, glm::dot(direction, glm::normalize(glm::dvec3(lines[j].points.front()))))),
                0.2);
  }
  // The same lines of a negative charge come in.
  std::vector<float> negative = map.values;
  for (float& v : negative) v = -v;
  const FieldSampler in(map.grid, negative);
  const auto inward = field_lines_of_spheres(in, std::span(&sphere, 1), options, job);
  ASSERT_EQ(inward.size(), 100u);
  EXPECT_NEAR(glm::length(inward[0].points.back()), 1.5, 1e-5);
  EXPECT_GT(glm::length(inward[0].points.front()), 5.8f);
}

// Along a line of charges q_i on one axis the sum of q_i cos(theta_i) stays the same (J. H. Jeans, The Mathematical
// Theory of Electricity and Magnetism, 5th ed. 1925, section 65).
double constant_of(const std::vector<Charge>& charges, glm::vec3 point) {
  double sum = 0;
  for (const Charge& c : charges) {
    const glm::dvec3 d = glm::dvec3(point) - c.place;
    sum += c.charge * d.z / glm::length(d);
  }
  return sum;
}

double worst_deviation(double spacing) {
  const std::vector<Charge> charges{{{0, 0, 2.5}, 1}, {{0, 0, -2.5}, -1}};
  const Map map(charges, 8, spacing);
  const FieldSampler field(map.grid, map.values);
  Job job;
  const glm::vec4 spheres[] = {{0, 0, 2.5, 1.5}, {0, 0, -2.5, 1.5}};
  const std::vector<FieldLine> lines = field_lines_of_spheres(field, spheres, {}, job);
  EXPECT_GT(lines.size(), 60u);
  double worst = 0;
  for (const FieldLine& line : lines)
    for (const glm::vec3& p : line.points)
      worst = std::max(worst, std::abs(constant_of(charges, p) - constant_of(charges, line.points.front())));
  return worst;
}

TEST(FieldLines, OfTwoChargesKeepTheirConstant) {
  // The slope of the interpolation errs by a part of h^2 / r^2, a few thousandths at 1.5 angstrom.
  const double coarse = worst_deviation(0.25), fine = worst_deviation(0.125);
  EXPECT_LT(fine, 0.01);
  EXPECT_LT(fine, coarse / 2.5) << "second order in the spacing";
}

TEST(FieldLines, FollowGaussLaw) {
  // Of the lines from +2 half end on -1.
  const std::vector<Charge> charges{{{0, 0, 2}, 2}, {{0, 0, -2}, -1}};
  const Map map(charges, 20, 0.4);
  const FieldSampler field(map.grid, map.values);
  Job job;
  FieldLineOptions options;
  options.lines = 300;
  options.longest = 400;
  const glm::vec4 spheres[] = {{0, 0, 2, 1.2}, {0, 0, -2, 1.2}};
  const auto lines = field_lines_of_spheres(field, spheres, options, job);
  std::size_t from_plus = 0, to_minus = 0;
  for (const FieldLine& line : lines) {
    const bool plus = glm::distance(line.points.front(), glm::vec3(0, 0, 2)) < 1.3f;
    from_plus += plus ? 1 : 0;
    to_minus += plus && glm::distance(line.points.back(), glm::vec3(0, 0, -2)) < 1.5f ? 1 : 0;
  }
  EXPECT_GE(from_plus, 150u);
  EXPECT_NEAR(double(to_minus) / double(from_plus), 0.5, 0.04);
  EXPECT_LE(lines.size() - from_plus, 3u) << "none comes from far away";
}

TEST(FieldLines, ThroughPlacesGoBothWays) {
  // A uniform field along x: straight lines from face to face.
  const Grid grid = Grid::covering(glm::dvec3(-2), glm::dvec3(2), 0.5);
  std::vector<float> values;
  for (int k = 0; k < grid.counts.z; ++k)
    for (int j = 0; j < grid.counts.y; ++j)
      for (int i = 0; i < grid.counts.x; ++i) values.push_back(static_cast<float>(-3 * grid.point(i, j, k).x));
  const FieldSampler field(grid, values);
  Job job;
  const glm::vec3 places[] = {{0, 0.3f, 0.1f}, {0.5f, -1, 1}, {9, 9, 9}};
  const auto lines = field_lines_through(field, places, {}, job);
  ASSERT_EQ(lines.size(), 2u) << "a place outside has no line";
  for (const FieldLine& line : lines) {
    EXPECT_LT(line.points.front().x, -1.7f);
    EXPECT_GT(line.points.back().x, 1.7f);
    EXPECT_NEAR(line.points.front().y, line.points.back().y, 1e-5);
    EXPECT_NEAR(line.values.front(), -3 * line.points.front().x, 1e-4);
  }
  FieldLineOptions one;
  one.lines = 1;
  EXPECT_EQ(field_lines_through(field, places, one, job).size(), 1u);
  job.cancel();
  EXPECT_THROW(field_lines_through(field, places, {}, job), Error);
}

TEST(FieldLines, ChosenPlacesAreDenseWhereWeightsAreLarge) {
  std::vector<glm::vec3> places;
  std::vector<float> weights;
  for (int i = 0; i < 100; ++i)
    for (int j = 0; j < 100; ++j) {
      places.emplace_back(0.01f * float(i), 0.01f * float(j), 0);
      weights.push_back(i < 50 ? 4.0f : 1.0f);
    }
  weights[0] = 0;
  Job job;
  const auto taken = spread_places(places, weights, 200, job);
  ASSERT_EQ(taken.size(), 200u);
  const auto left = std::count_if(taken.begin(), taken.end(), [&](std::size_t i) { return places[i].x < 0.495f; });
  EXPECT_NEAR(double(left), 160, 16) << "four of five";
  EXPECT_EQ(std::count(taken.begin(), taken.end(), 0u), 0);
}

}  // namespace
}  // namespace isolume
