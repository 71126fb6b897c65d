// Maps made of others, against closed formulas; histograms, and small parts of surfaces.
#include "compute/density_maps/map_calculation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "compute/density/volume_histogram.h"
#include "compute/density_maps/model_fit.h"
#include "compute/isosurface/mesh_dust.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

using With = MapCalculation::With;

template <class F>
Volume volume_of(glm::ivec3 counts, double step, const F& value) {
  Volume map;
  map.grid.origin = {-1, 2, 0.5};
  map.grid.step = glm::dmat3(step);
  map.grid.counts = counts;
  for (int k = 0; k < counts.z; ++k)
    for (int j = 0; j < counts.y; ++j)
      for (int i = 0; i < counts.x; ++i) map.values.push_back(static_cast<float>(value(map.grid.point(i, j, k))));
  return map;
}

double linear(glm::dvec3 p) {
  return 2 * p.x - p.y + 0.5 * p.z + 1;
}

TEST(MapCalculation, RegionAndStepTakePoints) {
  const Volume map = volume_of({9, 8, 7}, 0.5, linear);
  MapCalculation c;
  // x from -0.5 to 2 (points 1 to 6), y from 2.5 to 4 (1 to 4), z from 1 to 2 (1 to 3).
  c.region = {{2.0, 4.1, 1.0}, {-0.5, 2.4, 2.2}};
  c.step = 2;
  Job job;
  const Volume part = calculated_map(map, c, job).volume;
  EXPECT_EQ(part.grid.counts, glm::ivec3(3, 2, 2));
  EXPECT_EQ(part.grid.origin, glm::dvec3(-0.5, 2.5, 1.0));
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(part.values[part.grid.index(i, j, k)], linear(part.grid.point(i, j, k)), 1e-6);
  c.region = {{50, 50, 50}, {60, 60, 60}};
  EXPECT_THROW(calculated_map(map, c, job), Error);
  c.region.reset();
  c.step = 0;
  EXPECT_THROW(calculated_map(map, c, job), Error);
}

TEST(MapCalculation, SplinesTakeASmoothMapToAnotherGrid) {
  const auto wave = [](glm::dvec3 p) { return std::sin(0.8 * p.x) * std::cos(0.7 * p.y) + 0.3 * std::sin(0.9 * p.z); };
  const Volume map = volume_of({40, 40, 40}, 0.25, wave);
  MapCalculation c;
  c.grid = Grid{{2.03, 5.11, 3.4}, glm::dmat3(0.31), {9, 8, 7}};
  Job job;
  const CalculatedMap made = calculated_map(map, c, job);
  EXPECT_EQ(made.outside, 0u);
  for (std::size_t i = 0; i < made.volume.values.size(); ++i) {
    const auto n = static_cast<int>(i);
    // Cubic splines: h^4 of the fourth derivative.
    EXPECT_NEAR(made.volume.values[i], wave(c.grid->point(n % 9, n / 9 % 8, n / 72)), 2e-5);
  }
  c.grid->origin = {100, 0, 0};
  EXPECT_EQ(calculated_map(map, c, job).outside, c.grid->size());
  EXPECT_EQ(respaced(map.grid, 0.5).counts, glm::ivec3(20));  // 9.75 angstrom
}

TEST(MapCalculation, SumsAndScaledDifferencesAreThoseOfTheFormulas) {
  const Volume map = volume_of({6, 6, 6}, 1, linear);
  const auto other = [](const Grid& grid, Job&) {
    std::vector<float> values;
    for (int k = 0; k < grid.counts.z; ++k)
      for (int j = 0; j < grid.counts.y; ++j)
        for (int i = 0; i < grid.counts.x; ++i)
          values.push_back(static_cast<float>((linear(grid.point(i, j, k)) - 4) / 3));
    values.front() = std::numeric_limits<float>::quiet_NaN();
    return values;
  };
  MapCalculation c;
  c.other = other;
  c.with = With::minus;
  c.scaled = true;
  Job job;
  const CalculatedMap gone = calculated_map(map, c, job);
  EXPECT_NEAR(gone.factor, 3, 1e-6);
  EXPECT_NEAR(gone.constant, 4, 1e-5);
  EXPECT_EQ(gone.other_outside, 1u);
  for (std::size_t i = 1; i < gone.volume.values.size(); ++i) EXPECT_NEAR(gone.volume.values[i], 0, 1e-5);
  c.with = With::plus;
  c.scaled = false;
  c.factor = 1.5;
  const Volume sum = calculated_map(map, c, job).volume;
  EXPECT_NEAR(sum.values[0], map.values[0], 1e-6);  // the other has no value there
  EXPECT_NEAR(sum.values[7], 1.5 * map.values[7] - 2, 1e-5);
  c.other = [](const Grid& grid, Job&) { return std::vector<float>(grid.size(), std::nanf("")); };
  EXPECT_THROW(calculated_map(map, c, job), Error);
}

TEST(MapCalculation, LocalCorrelationIsPearsonsInABox) {
  const Volume map = volume_of({7, 6, 5}, 1, [](glm::dvec3 p) { return std::sin(p.x * p.y) + 0.2 * p.z; });
  const Volume other = volume_of({7, 6, 5}, 1, [](glm::dvec3 p) { return std::cos(p.x) - p.y * p.z; });
  Job job;
  const glm::ivec3 reach(1, 2, 1);
  const std::vector<float> found = local_correlation(map.grid, map.values, other.values, reach, job);
  const glm::ivec3 n = map.grid.counts;
  for (int k = 0; k < n.z; ++k)
    for (int j = 0; j < n.y; ++j)
      for (int i = 0; i < n.x; ++i) {
        MapSums sums;
        for (int z = std::max(0, k - 1); z <= std::min(n.z - 1, k + 1); ++z)
          for (int y = std::max(0, j - 2); y <= std::min(n.y - 1, j + 2); ++y)
            for (int x = std::max(0, i - 1); x <= std::min(n.x - 1, i + 1); ++x) {
              const auto a = static_cast<double>(map.values[map.grid.index(x, y, z)]);
              const auto b = static_cast<double>(other.values[map.grid.index(x, y, z)]);
              sums += {1, a, b, a * a, b * b, a * b};
            }
        EXPECT_NEAR(found[map.grid.index(i, j, k)], sums.correlation(), 1e-5);
      }
  const std::vector<float> constant(map.values.size(), 3.0f);
  for (const float value : local_correlation(map.grid, map.values, constant, reach, job)) EXPECT_EQ(value, 0);
}

TEST(MapCalculation, ZoneDustAndSigma) {
  // A block of 4 x 1 x 1 points and a single point, far apart.
  Volume map = volume_of({12, 5, 5}, 1, [](glm::dvec3) { return 0.1; });
  for (int i = 1; i < 5; ++i) map.values[map.grid.index(i, 2, 2)] = 5;
  map.values[map.grid.index(9, 2, 2)] = 5;
  MapCalculation c;
  c.dust = 2.5;
  c.dust_level = 1;
  Job job;
  const CalculatedMap clean = calculated_map(map, c, job);
  EXPECT_EQ(clean.parts_removed, 1u);
  EXPECT_EQ(clean.volume.values[map.grid.index(9, 2, 2)], 0);
  EXPECT_EQ(clean.volume.values[map.grid.index(4, 2, 2)], 5);
  EXPECT_EQ(clean.volume.values[0], map.values[0]);  // what is below the level stays
  MapCalculation zone;
  zone.places = {glm::vec3(map.grid.point(9, 2, 2))};
  zone.distance = 1.1;
  const Volume near = calculated_map(map, zone, job).volume;
  EXPECT_EQ(std::count_if(near.values.begin(), near.values.end(), [](float v) { return v != 0; }), 7);
  MapCalculation sigma;
  sigma.normalised = true;
  const Volume even = calculated_map(map, sigma, job).volume;
  const VolumeStatistics s = statistics_of(even.values, job);
  EXPECT_NEAR(s.mean, 0, 1e-6);
  EXPECT_NEAR(s.deviation, 1, 1e-6);
}

TEST(VolumeHistogram, CountsEveryFiniteValueOnce) {
  std::vector<float> values{0, 0.9f, 1, 2.5f, 4, 4, std::nanf(""), INFINITY};
  Job job;
  const VolumeHistogram h = histogram_of(values, 4, job);
  EXPECT_EQ(h.counts, (std::vector<std::uint64_t>{2, 1, 1, 2}));
  EXPECT_NEAR(h.middle(0), 0.5, 1e-12);
  EXPECT_EQ(h.statistics.highest, 4.0f);
  const std::vector<float> same(5, 2.0f);
  EXPECT_EQ(histogram_of(same, 3, job).counts, (std::vector<std::uint64_t>{5, 0, 0}));
  EXPECT_THROW(histogram_of(same, 0, job), Error);
}

TEST(MeshDust, SmallPartsGoWithTheirVertices) {
  Mesh mesh;
  const auto triangle = [&](float x, float size) {
    const auto first = static_cast<unsigned>(mesh.positions.size());
    for (const glm::vec3 p : {glm::vec3(x, 0, 0), glm::vec3(x + size, 0, 0), glm::vec3(x, size, 0)}) {
      mesh.positions.push_back(p);
      mesh.normals.emplace_back(0, 0, 1);
      mesh.colours.emplace_back(static_cast<int>(x), 0, 0, 255);
    }
    mesh.triangles.emplace_back(first, first + 1, first + 2);
  };
  triangle(0, 1);
  triangle(10, 5);
  triangle(20, 2);
  Job job;
  Mesh some = mesh;
  EXPECT_EQ(remove_dust(some, 2, job), 1u);
  EXPECT_EQ(some.triangles, (std::vector<glm::uvec3>{{0, 1, 2}, {3, 4, 5}}));
  EXPECT_EQ(some.positions.front(), glm::vec3(10, 0, 0));
  EXPECT_EQ(some.colours.front().x, 10);
  EXPECT_EQ(some.normals.size(), 6u);
  EXPECT_EQ(remove_dust(some, 2, job), 0u);
  EXPECT_EQ(remove_dust(some, 100, job), 2u);
  EXPECT_EQ(some.vertex_count(), 0u);
}

TEST(ModelFit, AShiftedModelReturnsAndAgrees) {
  std::vector<MapAtom> atoms;
  for (int i = 0; i < 24; ++i)
    atoms.push_back({glm::vec3(3 * std::sin(1.7 * i), 3 * std::cos(2.3 * i), 0.4 * i - 5), 1.2f, 6.0f});
  Grid grid;
  grid.origin = {-10, -10, -12};
  grid.step = glm::dmat3(1.0);
  grid.counts = {21, 21, 25};
  std::vector<float> values(grid.size());
  Job job;
  density_map(atoms, grid, {values.data(), values.size(), Device::cpu()}, job);
  RigidMotion away;
  away.rotation = glm::angleAxis(0.15, glm::normalize(glm::dvec3(1, 2, 3)));
  away.translation = {0.8, -0.6, 0.5};
  std::vector<MapAtom> moved = atoms;
  for (MapAtom& atom : moved) atom.position = glm::vec3(away(glm::dvec3(atom.position)));
  const ModelInMap model{grid, values, moved};
  const auto places = fit_model(model, false, {}, job);
  ASSERT_EQ(places.size(), 1u);
  for (std::size_t i = 0; i < atoms.size(); ++i)
    EXPECT_LT(glm::distance(places[0].motion(glm::dvec3(moved[i].position)), glm::dvec3(atoms[i].position)), 0.1);
  EXPECT_GT(places[0].overall, 0.999);
  const std::vector<std::vector<std::uint32_t>> groups{{0, 1, 2}, {10}};
  const MapAgreement there = agreement({grid, values, atoms}, {}, groups, {}, job);
  EXPECT_NEAR(there.overall, 1, 1e-6);
  EXPECT_NEAR(there.near, 1, 1e-6);
  ASSERT_EQ(there.parts.size(), 2u);
  EXPECT_NEAR(there.parts[1], 1, 1e-6);
  EXPECT_LT(agreement(model, {}, groups, {}, job).overall, places[0].overall);
}

}  // namespace
}  // namespace isolume
