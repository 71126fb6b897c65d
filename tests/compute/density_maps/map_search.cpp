// The search of all turns and shifts in a map, on every device against plain sums in double precision.
#include "compute/density_maps/map_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "compute/density_maps/density_map.h"
#include "compute/density_maps/rigid_slopes.h"
#include "molecule/base/error.h"
#include "tests/compute/base/devices.h"

namespace isolume {
namespace {

using namespace test;

/// A lump of atoms without symmetry.
struct Lump {
  explicit Lump(std::size_t atoms) {
    Random random(12);
    for (std::size_t i = 0; i < atoms; ++i) {
      places.push_back(random.in_box(-1, 1) * glm::dvec3(11, 7, 4.5));
      if (places.back().x > 0) places.back().y += 3;
      weights.push_back(random(5, 9));
    }
  }
  std::vector<glm::dvec3> places;
  std::vector<double> weights;
};

class MapSearchOnDevice : public OnDevice {};

TEST_P(MapSearchOnDevice, ScoresAreMeansOfTheMapAtTheAtoms) {
  Random random(5);
  // Of three different lengths, one axis backwards, and turns that are no whole number of batches.
  const SearchMesh mesh = SearchMesh::of(make_grid({3, -2, 40}, {1.5, 1.5, -1.5}, {19, 24, 16}), 2, 14);
  EXPECT_NEAR(mesh.grid.step[2][2], -2, 1e-12);
  const Lump lump(90);
  std::vector<float> map(mesh.points(), 0.0f);
  float largest = 0;
  for (int k = 0; k < mesh.grid.counts.z; ++k)
    for (int j = 0; j < mesh.grid.counts.y; ++j)
      for (int i = 0; i < mesh.grid.counts.x; ++i) {
        float& value = map[static_cast<std::size_t>(i + mesh.size.x * (j + mesh.size.y * k))];
        value = static_cast<float>(random(-1, 1));
        largest = std::max(largest, std::abs(value));
      }
  const std::vector<glm::dquat> turns = spread_rotations(300);
  const MapSearchTask task{mesh, map, lump.places, lump.weights, turns};
  Job job;
  const BestTurns best = best_turns(task, GetParam(), job);
  ASSERT_EQ(best.scores.size(), mesh.grid.size());
  const double tolerance = 2e-6 * static_cast<double>(largest);
  std::size_t looked_at = 0;
  for (std::size_t p = 0; p < mesh.grid.size(); p += 71, ++looked_at) {
    const auto nx = static_cast<std::size_t>(mesh.grid.counts.x), ny = static_cast<std::size_t>(mesh.grid.counts.y);
    const glm::ivec3 at(static_cast<int>(p % nx), static_cast<int>(p / nx % ny), static_cast<int>(p / nx / ny));
    double expected = -1e9;
    for (std::size_t n = 0; n < turns.size(); ++n) expected = std::max(expected, search_score_reference(task, n, at));
    EXPECT_NEAR(static_cast<double>(best.scores[p]), expected, tolerance);
    ASSERT_LT(best.turns[p], turns.size());
    EXPECT_NEAR(search_score_reference(task, best.turns[p], at), expected, tolerance);
  }
  EXPECT_GT(looked_at, 20u);
  const BestTurns again = best_turns(task, GetParam(), job);
  EXPECT_EQ(again.turns, best.turns);
  EXPECT_EQ(again.scores, best.scores);
}

TEST_P(MapSearchOnDevice, FindsALumpThatWasMovedAway) {
  const Lump lump(160);
  std::vector<MapAtom> atoms;
  const auto sigma = static_cast<float>(map_sigma(MapConvention::chimerax, 8, 0));
  for (std::size_t i = 0; i < lump.places.size(); ++i)
    atoms.push_back({glm::vec3(lump.places[i]), sigma, static_cast<float>(lump.weights[i])});
  const Grid grid = make_grid({-28, -26, -24}, {2, 2, 2}, {29, 27, 25});
  Job job;
  std::vector<float> values(grid.size());
  density_map(atoms, grid, {values.data(), values.size(), Device::cpu()}, job);
  const MapSpline map(grid, smoothed_map(grid, values, static_cast<double>(sigma), job));
  const RigidMotion away{glm::angleAxis(2.1, glm::normalize(glm::dvec3(1, -2, 0.5))), {40, -70, 15}};
  RigidModel right{lump.places, lump.weights}, model = right;
  for (glm::dvec3& p : model.positions) p = away(p);
  MapSearchOptions options;
  options.resolution = 8;
  options.angle = 20;
  options.solutions = 4;
  options.device = GetParam();
  MapSearchStatistics statistics;
  const auto places = search_map(map, model, options, job, &statistics);
  ASSERT_FALSE(places.empty());
  EXPECT_GT(statistics.rotations, 1000u);
  EXPECT_LT(rmsd_of_places(right, {}, then(away, places.front().motion)), 0.1);
}

TEST_P(MapSearchOnDevice, SlopesAreTheDifferencesOfTheMean) {
  Random random(9);
  const Grid grid = make_grid({-20, -18, -16}, {1.3, 1.5, -1.4}, {32, 15, 27});
  Grid turned = grid;
  turned.origin.z = 19;
  std::vector<float> values(grid.size());
  for (float& v : values) v = static_cast<float>(random(-1, 1));
  const MapSpline map(turned, values);
  // More atoms than a block takes; some are beyond the box.
  const Lump lump(5000);
  const RigidModel model{lump.places, lump.weights};
  const RigidSlopes slopes(map, model, GetParam());
  Job job;
  const glm::dvec3 centre = model.centre();
  for (int n = 0; n < 3; ++n) {
    const glm::dquat turn = glm::angleAxis(random(0, 3), glm::normalize(random.in_box(-1, 1)));
    const RigidMotion motion{turn, random.in_box(-4, 4)};
    const RigidSlope slope = slopes.at(motion, job);
    EXPECT_NEAR(slope.value, mean_at_atoms(map, model, motion), 1e-12);
    constexpr double step = 1e-5;
    for (int axis = 0; axis < 3; ++axis) {
      glm::dvec3 along(0);
      along[axis] = 1;
      const auto shifted = [&](double by) {
        return mean_at_atoms(map, model, {motion.rotation, motion.translation + by * along});
      };
      EXPECT_NEAR(slope.force[axis], (shifted(step) - shifted(-step)) / (2 * step), 2e-7);
      const auto spun = [&](double by) {
        const glm::dquat q = glm::angleAxis(by, along);
        const glm::dvec3 middle = motion(centre);
        return mean_at_atoms(map, model, then(motion, {q, middle - q * middle}));
      };
      EXPECT_NEAR(slope.torque[axis], (spun(step) - spun(-step)) / (2 * step), 2e-6);
    }
  }
}

TEST_P(MapSearchOnDevice, RefusesOtherSizesAndStops) {
  const SearchMesh mesh = SearchMesh::of(make_grid({0, 0, 0}, {2, 2, 2}, {8, 8, 8}), 2, 14);
  const Lump lump(9);
  const std::vector<float> map(mesh.points(), 1.0f);
  const std::vector<glm::dquat> turns = spread_rotations(40);
  Job job;
  EXPECT_THROW(best_turns({mesh, std::span(map).first(7), lump.places, lump.weights, turns}, GetParam(), job), Error);
  EXPECT_THROW(best_turns({mesh, map, lump.places, std::span(lump.weights).first(3), turns}, GetParam(), job), Error);
  job.cancel();
  EXPECT_THROW(best_turns({mesh, map, lump.places, lump.weights, turns}, GetParam(), job), Error);
}

ISOLUME_ON_EVERY_DEVICE(MapSearchOnDevice);

}  // namespace
}  // namespace isolume
