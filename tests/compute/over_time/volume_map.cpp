// Volume maps of one frame against the formula, peaks, residence and local frames.
#include "compute/over_time/volume_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "compute/over_time/local_frames.h"
#include "compute/over_time/map_peaks.h"
#include "compute/over_time/residence.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

Grid grid_of(glm::dvec3 origin, glm::dvec3 step, glm::ivec3 counts) {
  Grid grid;
  grid.origin = origin;
  grid.step = glm::dmat3(glm::dvec3(step.x, 0, 0), glm::dvec3(0, step.y, 0), glm::dvec3(0, 0, step.z));
  grid.counts = counts;
  return grid;
}

std::vector<WeightedAtom> some_atoms(int count) {
  std::mt19937 engine(3);
  const auto random = [&] { return static_cast<double>(engine()) / 4294967296.0; };
  std::vector<WeightedAtom> atoms;
  for (int i = 0; i < count; ++i)
    atoms.push_back({{9 * random(), 9 * random(), 9 * random()}, 0.6 + 0.5 * random(), random() - 0.3});
  return atoms;
}

class Spreads : public testing::TestWithParam<VolumeSpread> {};

TEST_P(Spreads, AgreeWithTheFormulaInAndOutOfCells) {
  const std::vector<WeightedAtom> atoms = some_atoms(12);
  const Grid grid = grid_of({-1, 0.5, 2}, {0.7, 0.8, 0.9}, {13, 11, 9});
  for (const bool periodic : {false, true}) {
    Cell cell;
    if (periodic) cell = Cell::from_lengths_angles({9, 10, 11}, {80, 95, 110});
    std::vector<float> found(grid.size()), expected(grid.size());
    volume_map(atoms, cell, grid, GetParam(), 2.5, found);
    volume_map_reference(atoms, cell, 3, grid, GetParam(), 2.5, expected);
    for (std::size_t i = 0; i < grid.size(); ++i) EXPECT_NEAR(found[i], expected[i], 2e-6) << i << periodic;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Spreads,
                         testing::Values(VolumeSpread::gaussian, VolumeSpread::voxel, VolumeSpread::inside,
                                         VolumeSpread::distance));

TEST(VolumeMap, GaussiansEndWhereAMillionthIsLeft) {
  // Steps finer, as wide as, and coarser than the Gaussian; the atom next to an edge of the grid, and off it.
  for (const double spacing : {0.05, 0.31, 1.0, 2.6})
    for (const double x : {0.0, 4.13, 11.9}) {
      const WeightedAtom atom{{x, 6.02, 5.77}, 1.0, 3.5};
      const int n = static_cast<int>(12 / spacing) + 1;
      const Grid grid = grid_of({0, 0, 0}, {spacing, spacing, spacing}, {n, std::min(n, 40), std::min(n, 50)});
      std::vector<float> found(grid.size()), expected(grid.size());
      volume_map(std::span(&atom, 1), {}, grid, VolumeSpread::gaussian, 0, found);
      volume_map_reference(std::span(&atom, 1), {}, 0, grid, VolumeSpread::gaussian, 0, expected);
      // exp(-5.55^2 / 2) = 2.05e-7 of the highest value is cut off, and the tables are in single precision.
      const double highest = 3.5 * std::pow(2 * 3.14159265358979, -1.5);
      for (std::size_t i = 0; i < grid.size(); ++i)
        ASSERT_NEAR(found[i], expected[i], highest * 2.1e-7 + 4e-7 * static_cast<double>(expected[i]))
            << spacing << ' ' << x << ' ' << i;
    }
}

TEST(VolumeMap, GaussiansThatJustMissABrickAreNotInIt) {
  // The reach ends between two points, next to the first point of a brick, whichever way it is rounded.
  const Grid grid = grid_of({0, 0, 0}, {1, 1, 1}, {32, 20, 20});
  for (const double off : {-2e-5, -3e-6, -2e-7, 0.0, 2e-7, 3e-6, 2e-5})
    for (const double begin : {4.0, 8.0, 16.0}) {
      const double reach = 5.55 * (1 + off);
      std::vector<WeightedAtom> atoms{{{begin - reach, 6, 6}, 1, 1},
                                      {{12, begin - reach, 7}, 1, 1},
                                      {{13, 9, begin - reach}, 1, 1},
                                      {{31 - begin + reach, 11, 12}, 1, 1}};
      std::vector<float> found(grid.size()), expected(grid.size());
      volume_map(atoms, {}, grid, VolumeSpread::gaussian, 0, found);
      volume_map_reference(atoms, {}, 0, grid, VolumeSpread::gaussian, 0, expected);
      for (std::size_t i = 0; i < grid.size(); ++i) ASSERT_NEAR(found[i], expected[i], 2e-7) << off << ' ' << begin;
    }
}

TEST(VolumeMap, GaussiansHoldTheirWeight) {
  const WeightedAtom atom{{8.1, 7.9, 8.2}, 1.2, 2};
  const Grid grid = grid_of({0, 0, 0}, {0.4, 0.4, 0.4}, {41, 41, 41});
  std::vector<float> values(grid.size());
  volume_map(std::span(&atom, 1), {}, grid, VolumeSpread::gaussian, 0, values);
  double sum = 0;
  for (const float value : values) sum += static_cast<double>(value) * 0.4 * 0.4 * 0.4;
  // Sums over so fine a grid are integrals to exp(-2 pi^2 (1.2 / 0.4)^2) of themselves.
  EXPECT_NEAR(sum, 2, 2 * 1.5e-6);
}

TEST(VolumeMap, VoxelsHoldEveryAtomOfACellOnce) {
  const std::vector<WeightedAtom> atoms = some_atoms(40);
  Cell cell;
  cell.vectors = glm::dmat3(9);
  const Grid grid = grid_of({0.3, -7, 100.1}, {1, 1, 1}, {9, 9, 9});  // one period, anywhere
  std::vector<float> values(grid.size());
  volume_map(atoms, cell, grid, VolumeSpread::voxel, 0, values);
  double sum = 0, weights = 0;
  for (const float value : values) sum += static_cast<double>(value);
  for (const WeightedAtom& atom : atoms) weights += atom.weight;
  EXPECT_NEAR(sum, weights, 1e-5);
}

TEST(VolumeMap, RefusesSkewGridsAndAtomsWithoutRadii) {
  Grid skew = grid_of({0, 0, 0}, {1, 1, 1}, {2, 2, 2});
  skew.step[1].x = 0.5;
  std::vector<float> values(8);
  EXPECT_THROW(volume_map({}, {}, skew, VolumeSpread::voxel, 0, values), Error);
  const std::vector<WeightedAtom> atoms(1);
  EXPECT_THROW(volume_map(atoms, {}, grid_of({0, 0, 0}, {1, 1, 1}, {2, 2, 2}), VolumeSpread::gaussian, 0, values),
               Error);
}

TEST(Residence, CountsStays) {
  ResidenceCounter counter(1);
  // Stays of 2, 1 and 3 frames: mean 2.
  for (const std::int32_t occupant : {5, 5, -1, 7, 5, 5, 5}) counter.add(std::span(&occupant, 1));
  std::vector<float> mean(1), error(1);
  counter.fill(mean, error);
  EXPECT_FLOAT_EQ(mean[0], 2);
  EXPECT_TRUE(std::isnan(error[0])) << "three stays are too few";
  EXPECT_EQ(counter.stays(), 3u);
  EXPECT_NEAR(counter.occupied(), 6.0 / 7, 1e-12);
}

TEST(MapPeaks, FindsTwoGaussians) {
  const std::vector<WeightedAtom> atoms{{{3.2, 3, 3}, 0.8, 2}, {{8, 7.6, 7}, 0.8, 1}};
  const Grid grid = grid_of({0, 0, 0}, {0.5, 0.5, 0.5}, {23, 23, 23});
  std::vector<float> values(grid.size());
  volume_map(atoms, {}, grid, VolumeSpread::gaussian, 0, values);
  const std::vector<MapPeak> peaks = map_peaks(grid, values, 0.01, 1, 3.2);
  ASSERT_EQ(peaks.size(), 2u);
  EXPECT_LT(glm::length(peaks[0].place - atoms[0].position), 0.05);
  EXPECT_LT(glm::length(peaks[1].place - atoms[1].position), 0.05);
  // Within four widths of its middle a Gaussian has 0.99887 of its weight.
  EXPECT_NEAR(peaks[0].occupancy, 2 * 0.99887, 0.02);
  EXPECT_NEAR(peaks[1].occupancy, 0.99887, 0.01);
}

TEST(LocalFrames, PutThreeAtomsWhereTheyBelong) {
  const glm::dvec3 a(3, -1, 2), b(4, 1, 5), c(2, 2, 2);
  const RigidMotion motion = local_frame(a, b, c);
  EXPECT_LT(glm::length(motion(a)), 1e-12);
  EXPECT_LT(glm::length(motion(b) - glm::dvec3(glm::length(b - a), 0, 0)), 1e-12);
  EXPECT_NEAR(motion(c).z, 0, 1e-12);
  EXPECT_GT(motion(c).y, 0);
  EXPECT_NEAR(glm::length(motion(c)), glm::length(c - a), 1e-12);
  EXPECT_THROW(local_frame(a, b, a + 2.0 * (b - a)), Error);
}

}  // namespace
}  // namespace isolume
