// Field lines followed on every device, against closed forms and step by step.
#include "compute/field_lines/line_tracing.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "molecule/base/error.h"
#include "tests/compute/base/devices.h"

namespace isolume {
namespace {

class FieldLineTracing : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(FieldLineTracing);

std::vector<float> values_of(const Grid& grid, const std::function<double(glm::dvec3)>& value) {
  std::vector<float> values;
  for (const glm::dvec3 p : test::grid_points(grid)) values.push_back(static_cast<float>(value(p)));
  return values;
}

std::vector<TracedLine> traced(const Grid& grid, const std::vector<float>& values, const std::vector<LineSeed>& seeds,
                               const std::vector<glm::vec4>& spheres, const LineTracing& options, Device device) {
  const auto there = DeviceArray<float>::from_host(values, device);
  Job job;
  return trace_lines(grid, there.span(), seeds, spheres, options, job);
}

TEST_P(FieldLineTracing, OfOneChargeAreStraight) {
  const Grid grid = Grid::covering(glm::dvec3(-6), glm::dvec3(6), 0.15);
  const auto values = values_of(grid, [](glm::dvec3 p) { return 1 / std::max(0.3, glm::length(p)); });
  std::vector<LineSeed> seeds;
  for (const glm::vec3 place : places_around(glm::dvec3(0), 1.5, 60)) seeds.push_back({glm::dvec3(place), -1});
  LineTracing options;
  options.step = 0.075;
  options.most = 1000;
  const auto lines = traced(grid, values, seeds, {}, options, GetParam());
  ASSERT_EQ(lines.size(), 60u);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i].end, LineEnd::border);
    const auto& points = lines[i].line.points;
    const glm::dvec3 direction = glm::normalize(seeds[i].place);
    for (std::size_t n = 0; n < points.size(); ++n) {
      const glm::dvec3 p(points[n]);
      // The slope errs by a part of (h / r)^2 = 0.01 at the seed, most of it along the line.
      ASSERT_LT(glm::length(p - glm::dot(p, direction) * direction), 0.006 * glm::length(p)) << i << ' ' << n;
      ASSERT_NEAR(static_cast<double>(lines[i].line.values[n]), 1 / glm::length(p), 0.004);
      ASSERT_NEAR(glm::length(p), 1.5 + 0.075 * static_cast<double>(n), 1e-3) << "steps of equal length";
    }
  }
}

TEST_P(FieldLineTracing, OfADipoleKeepTheirConstant) {
  // r = C sin^2(theta) of a point dipole along z.
  const Grid grid = Grid::covering(glm::dvec3(-8), glm::dvec3(8), 0.125);
  const auto values = values_of(grid, [](glm::dvec3 p) {
    const double r = std::max(0.8, glm::length(p));
    return p.z / (r * r * r);
  });
  std::vector<LineSeed> seeds;
  for (int i = 0; i < 24; ++i) {
    const double theta = 0.5 + 0.04 * i, phi = 0.7 * i;
    seeds.push_back(
        {2.0 * glm::dvec3(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)), -1});
  }
  LineTracing options;
  options.step = 0.0625;
  options.most = 2000;
  const std::vector<glm::vec4> spheres{{0, 0, 0, 1.9f}};
  const auto lines = traced(grid, values, seeds, spheres, options, GetParam());
  std::size_t back = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto constant = [](glm::dvec3 p) {
      const double r = glm::length(p), sine2 = (p.x * p.x + p.y * p.y) / (r * r);
      return r / sine2;
    };
    const double expected = constant(seeds[i].place);
    for (const glm::vec3& p : lines[i].line.points)
      ASSERT_NEAR(constant(glm::dvec3(p)), expected, 0.02 * expected) << i;
    if (lines[i].end != LineEnd::surface) continue;
    ++back;
    // It comes back where it is 1.9 * 0.98 from the dipole, on the other side, or less than a step inside.
    const glm::dvec3 last(lines[i].line.points.back());
    EXPECT_LT(glm::length(last), 1.9 * 0.98);
    EXPECT_GT(glm::length(last), 1.9 * 0.98 - 0.0625);
    EXPECT_LT(last.z, 0);
  }
  EXPECT_GT(back, 12u) << "C up to 8 stays in the grid";
}

TEST_P(FieldLineTracing, AgreeStepByStepWithTheReference) {
  const Grid grid = test::make_skewed_grid({-5, -6, -7}, 0.4, {40, 37, 31});
  test::Random random(3);
  std::vector<glm::dvec4> charges;
  std::vector<glm::vec4> spheres;
  const glm::dvec3 far = grid.point(39, 36, 30);
  for (int i = 0; i < 40; ++i) {
    const glm::dvec3 place(random(-5, far.x), random(-6, far.y), random(-7, far.z));
    charges.emplace_back(place, random(-1, 1));
    spheres.emplace_back(place, static_cast<float>(random(0.5, 1.4)));
  }
  const auto values = values_of(grid, [&](glm::dvec3 p) {
    double sum = 0;
    for (const glm::dvec4& c : charges) sum += c.w / std::max(0.7, glm::distance(p, glm::dvec3(c)));
    return sum;
  });
  std::vector<LineSeed> seeds;
  for (int i = 0; i < 300; ++i)
    seeds.push_back({grid.point(random(-1, 40), random(-1, 37), random(-1, 31)), i % 2 ? 1.0 : -1.0});
  LineTracing options;
  options.step = 0.2;
  options.most = 700;
  options.least = 1e-6;
  const auto lines = traced(grid, values, seeds, spheres, options, GetParam());
  const auto expected = trace_lines_reference(grid, values, seeds, spheres, options);
  std::size_t ends[3] = {0, 0, 0};
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    ++ends[static_cast<std::size_t>(expected[i].end)];
    ASSERT_EQ(lines[i].line.points.empty(), expected[i].line.points.empty()) << i;
    // Rounding grows along a line; of the first hundred steps little is seen.
    const std::size_t most = std::min<std::size_t>(100, expected[i].line.points.size());
    ASSERT_GE(lines[i].line.points.size(), most) << i;
    for (std::size_t n = 0; n < most; ++n) {
      ASSERT_LT(glm::distance(lines[i].line.points[n], expected[i].line.points[n]), 1e-4f) << i << ' ' << n;
      ASSERT_NEAR(lines[i].line.values[n], expected[i].line.values[n], 1e-4f) << i << ' ' << n;
    }
    if (expected[i].line.points.size() >= 100) continue;
    EXPECT_EQ(lines[i].end, expected[i].end) << i;
  }
  for (const std::size_t kind : ends) EXPECT_GT(kind, 0u) << "all ends are seen";
}

TEST_P(FieldLineTracing, LeadFieldLinesOnTheDevice) {
  // Through a plane across a uniform field along z, and around a place in it.
  const Grid grid = Grid::covering(glm::dvec3(-3), glm::dvec3(3), 0.5);
  const auto values = values_of(grid, [](glm::dvec3 p) { return -2 * p.z; });
  const auto there = DeviceArray<float>::from_host(values, GetParam());
  const FieldSampler field(grid, values);
  FieldLineOptions options;
  options.there = there.span();
  Job job;
  const auto plane = places_on_plane({0.25, 0, 0.1}, {0, 0, 2}, 2, 4);
  ASSERT_EQ(plane.size(), 16u);
  for (const glm::vec3& p : plane) EXPECT_NEAR(p.z, 0.1, 1e-6);
  EXPECT_NEAR(glm::distance(plane[0], plane[1]), 1, 1e-6) << "as far apart as the square is wide over their number";
  const auto around = places_around({0, 0, 0.3}, 1.25, 30);
  for (const glm::vec3& p : around) EXPECT_NEAR(glm::distance(p, glm::vec3(0, 0, 0.3f)), 1.25, 1e-5);
  for (const auto& places : {plane, around}) {
    const auto lines = field_lines_through(field, places, options, job);
    ASSERT_EQ(lines.size(), places.size());
    for (const FieldLine& line : lines) {
      EXPECT_LT(line.points.front().z, -2.7f);
      EXPECT_GT(line.points.back().z, 2.7f);
      EXPECT_NEAR(line.points.front().x, line.points.back().x, 1e-5);
      EXPECT_NEAR(line.values.front(), -2 * line.points.front().z, 1e-4);
    }
  }
  EXPECT_THROW(places_on_plane({0, 0, 0}, {0, 0, 0}, 1, 3), Error);
}

TEST_P(FieldLineTracing, RefuseWhatDoesNotFitAndStop) {
  const Grid grid = Grid::covering(glm::dvec3(-1), glm::dvec3(1), 0.5);
  const auto values = values_of(grid, [](glm::dvec3 p) { return p.x; });
  const std::vector<LineSeed> seeds(3);
  LineTracing options;
  options.step = 0.1;
  options.most = 100;
  EXPECT_THROW(traced(grid, std::vector<float>(7), seeds, {}, options, GetParam()), Error);
  options.step = 0;
  EXPECT_THROW(traced(grid, values, seeds, {}, options, GetParam()), Error);
  options.step = 0.1;
  EXPECT_TRUE(traced(grid, values, {}, {}, options, GetParam()).empty());
  const auto there = DeviceArray<float>::from_host(values, GetParam());
  Job job;
  job.cancel();
  EXPECT_THROW(trace_lines(grid, there.span(), seeds, {}, options, job), Error);
}

}  // namespace
}  // namespace isolume
