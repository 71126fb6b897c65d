// Frames compared with each other: distances, clusters, principal components, displacements.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <numbers>
#include <numeric>
#include <random>

#include "compute/trajectory/frame_clusters.h"
#include "compute/trajectory/mean_square_displacement.h"
#include "compute/trajectory/principal_components.h"
#include "compute/trajectory/rmsd_matrix.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

FrameSet empty_set(std::size_t frames, std::size_t atoms) {
  FrameSet set;
  for (std::size_t i = 0; i < atoms; ++i) set.atoms.push_back(static_cast<std::uint32_t>(i));
  for (std::size_t i = 0; i < frames; ++i) set.frames.push_back(i);
  set.places.assign(frames * atoms, glm::dvec3(0));
  set.cells.resize(frames);
  return set;
}

FrameSet random_set(std::size_t frames, std::size_t atoms, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  FrameSet set = empty_set(frames, atoms);
  for (glm::dvec3& place : set.places) place = {5 * normal(engine), 5 * normal(engine), 5 * normal(engine)};
  return set;
}

TEST(RmsdMatrix, IsThatOfSuperpositions) {
  // Sizes around those of the registers' lanes.
  for (const std::size_t atoms : {3, 4, 5, 17, 64}) {
    const FrameSet set = random_set(7, atoms, static_cast<unsigned>(atoms));
    Job job;
    for (const bool superposed : {true, false}) {
      const RmsdMatrix found = rmsd_matrix(set, superposed, job), exact = rmsd_matrix_reference(set, superposed);
      for (std::size_t i = 0; i < found.values.size(); ++i) EXPECT_NEAR(found.values[i], exact.values[i], 1e-5);
      for (std::size_t a = 0; a < 7; ++a)
        for (std::size_t b = 0; b < 7; ++b) EXPECT_EQ(found.at(a, b), found.at(b, a));
    }
  }
}

TEST(RmsdMatrix, CopiesAreAtNoDistanceHoweverTheyAreTurned) {
  FrameSet set = random_set(2, 30, 3);
  const glm::dquat turn = glm::angleAxis(2.0, glm::normalize(glm::dvec3(1, -2, 0.5)));
  for (std::size_t i = 0; i < 30; ++i) set.frame(1)[i] = turn * set.frame(0)[i] + glm::dvec3(7, 8, 9);
  Job job;
  EXPECT_LT(rmsd_matrix(set, true, job).at(0, 1), 1e-5f);
  EXPECT_GT(rmsd_matrix(set, false, job).at(0, 1), 10.0f);
  const FrameSet two = random_set(2, 2, 1);
  EXPECT_THROW(rmsd_matrix(two, true, job), Error);
}

std::vector<float> distances_of(const std::vector<double>& places) {
  std::vector<float> d;
  for (const double a : places)
    for (const double b : places) d.push_back(static_cast<float>(std::abs(a - b)));
  return d;
}

using Groups = std::vector<std::vector<std::uint32_t>>;

TEST(FrameClusters, GromosTakesTheFrameWithMostNeighbours) {
  // 10 and 11 come first, but 1 has two neighbours within 1.5.
  const std::vector<float> d = distances_of({10, 11, 0, 1, 2, 20});
  Job job;
  const FrameClusters found = cluster_frames(d, 6, {ClusterMethod::gromos, 1.5, 0}, job);
  EXPECT_EQ(found.frames, (Groups{{2, 3, 4}, {0, 1}, {5}}));
  EXPECT_EQ(found.middles, (std::vector<std::uint32_t>{3, 0, 5}));
  EXPECT_EQ(found.of_frame, (std::vector<std::uint32_t>{1, 1, 0, 0, 0, 2}));
  EXPECT_THROW(cluster_frames(d, 6, {ClusterMethod::gromos, 0, 0}, job), Error);
  EXPECT_THROW(cluster_frames(d, 5, {ClusterMethod::gromos, 1, 0}, job), Error);
}

TEST(FrameClusters, AverageLinkageJoinsByMeanDistances) {
  // Joins at 1 (0, 1), 1 (5, 6), 5 (both), 17 (with 20): the means of 4, 5, 5, 6 and of 14, 15, 19, 20.
  const std::vector<float> d = distances_of({0, 5, 20, 1, 6});
  Job job;
  const auto by = [&](double cutoff, std::size_t count) {
    return cluster_frames(d, 5, {ClusterMethod::average, cutoff, count}, job).frames;
  };
  EXPECT_EQ(by(0.5, 0).size(), 5u);
  EXPECT_EQ(by(1.5, 0), (Groups{{0, 3}, {1, 4}, {2}}));
  EXPECT_EQ(by(4.99, 0), by(1.5, 0));
  EXPECT_EQ(by(5.01, 0), (Groups{{0, 1, 3, 4}, {2}}));
  EXPECT_EQ(by(16.99, 0), by(5.01, 0));
  EXPECT_EQ(by(17.01, 0), (Groups{{0, 1, 2, 3, 4}}));
  EXPECT_EQ(by(2, 2), by(5.01, 0));
  EXPECT_EQ(by(2, 3), by(1.5, 0));
  // Mean distances of 5 (to 0, 1, 6: 5, 4, 1) and of 1 (1, 4, 5) are the least: the first.
  EXPECT_EQ(cluster_frames(d, 5, {ClusterMethod::average, 6, 0}, job).middles.front(), 1u);
}

/// Atoms 0 and 1 move, each along its own direction, with amplitudes 3 and 1 and without correlation.
FrameSet moving_set(std::size_t frames, std::size_t atoms) {
  FrameSet set = random_set(1, atoms, 11);
  const std::vector<glm::dvec3> at = set.places;
  set = empty_set(frames, atoms);
  for (std::size_t f = 0; f < frames; ++f) {
    const double phase = 2 * std::numbers::pi * static_cast<double>(f) / static_cast<double>(frames);
    for (std::size_t i = 0; i < atoms; ++i) set.frame(f)[i] = at[i];
    set.frame(f)[0] += 3 * std::sin(phase) * glm::dvec3(0.6, 0.8, 0);
    set.frame(f)[1] += std::cos(phase) * glm::dvec3(0, 0, -1);
  }
  return set;
}

TEST(PrincipalComponents, FindTheDirectionsThatWerePutIn) {
  // By 3 N coordinates, and by frames where these are fewer.
  for (const std::size_t atoms : {4, 40}) {
    constexpr std::size_t frames = 24;
    FrameSet set = moving_set(frames, atoms);
    Job job;
    const PrincipalComponents found = principal_components(set, 3, false, job);
    ASSERT_EQ(found.variances.size(), 3u);
    // The sum of sin^2 over a whole period is frames / 2.
    const double scale = 0.5 * frames / (frames - 1.0);
    EXPECT_NEAR(found.variances[0], 9 * scale, 1e-9);
    EXPECT_NEAR(found.variances[1], scale, 1e-9);
    EXPECT_NEAR(found.variances[2], 0, 1e-9);
    EXPECT_NEAR(found.total, 10 * scale, 1e-9);
    EXPECT_LT(glm::distance(found.modes[0], glm::dvec3(0.6, 0.8, 0)), 1e-7);
    EXPECT_LT(glm::distance(found.modes[atoms + 1], glm::dvec3(0, 0, 1)), 1e-7);  // the largest entry is positive
    for (std::size_t f = 0; f < frames; ++f) {
      const double phase = 2 * std::numbers::pi * static_cast<double>(f) / frames;
      EXPECT_NEAR(found.projections[3 * f], 3 * std::sin(phase), 1e-7);
      EXPECT_NEAR(found.projections[3 * f + 1], -std::cos(phase), 1e-7);
    }
    const auto period = mode_frames(found, 0, 2, 4);
    EXPECT_LT(glm::distance(period[1][0], found.mean[0] + glm::dvec3(1.2, 1.6, 0)), 1e-7);
    EXPECT_LT(glm::distance(period[2][0], found.mean[0]), 1e-7);
    EXPECT_THROW(mode_frames(found, 3, 1, 4), Error);
  }
}

TEST(PrincipalComponents, TurnsOfTheWholeMoleculeDoNotCount) {
  FrameSet set = empty_set(12, 20);
  const FrameSet one = random_set(1, 20, 5);
  for (std::size_t f = 0; f < 12; ++f) {
    const glm::dquat turn = glm::angleAxis(0.5 * static_cast<double>(f), glm::normalize(glm::dvec3(1, 1, 3)));
    for (std::size_t i = 0; i < 20; ++i)
      set.frame(f)[i] = turn * one.frame(0)[i] + glm::dvec3(static_cast<double>(f), 0, 0);
  }
  Job job;
  EXPECT_LT(principal_components(set, 2, true, job).total, 1e-9);
  FrameSet few = random_set(1, 5, 1);
  EXPECT_THROW(principal_components(few, 2, true, job), Error);
}

TEST(MeanSquareDisplacement, IsThatOfTheDefinition) {
  FrameSet set = random_set(37, 5, 2);
  for (std::size_t f = 1; f < 37; ++f)
    for (std::size_t i = 0; i < 5; ++i) set.frame(f)[i] = set.frame(f - 1)[i] + 0.1 * set.frame(f)[i];
  MsdOptions options;
  options.step = 2;
  options.without_drift = false;
  Job job;
  const MeanSquareDisplacement found = mean_square_displacement(set, options, job);
  const std::vector<double> exact = mean_square_displacement_reference(set);
  for (std::size_t lag = 0; lag < exact.size(); ++lag) {
    EXPECT_NEAR(found.values[lag], exact[lag], 1e-9 * (1 + exact[lag]));
    EXPECT_NEAR(found.x[lag] + found.y[lag] + found.z[lag], found.values[lag], 1e-12 * (1 + exact[lag]));
  }
  EXPECT_EQ(found.lags[3], 6);
}

TEST(MeanSquareDisplacement, OfAStraightLineGrowsWithTheSquareOfTime) {
  FrameSet set = empty_set(40, 2);
  for (std::size_t f = 0; f < 40; ++f) {
    const double t = 0.5 * static_cast<double>(f);
    set.frame(f)[0] = glm::dvec3(3, 0, 4) * t;  // 5 angstrom/ps, in a cell of 12: up to 2.5 a frame
    set.frame(f)[1] = glm::dvec3(-3, 0, -4) * t;
    set.cells[f].vectors = glm::dmat3(12.0);
    for (glm::dvec3& place : set.frame(f)) place -= 12.0 * glm::floor(place / 12.0);
  }
  follow_through_cells(set);
  MsdOptions options;
  options.step = 0.5;
  Job job;
  const MeanSquareDisplacement found = mean_square_displacement(set, options, job);
  for (std::size_t lag = 0; lag < 40; ++lag)
    EXPECT_NEAR(found.values[lag], 25 * found.lags[lag] * found.lags[lag], 1e-7);
  EXPECT_NEAR(found.exponent, 2, 1e-9);
  const FrameSet few = random_set(3, 5, 1);
  EXPECT_THROW(mean_square_displacement(few, options, job), Error);
}

TEST(MeanSquareDisplacement, OfARandomWalkGivesItsDiffusionCoefficient) {
  // Steps of variance s^2 along each axis every ps: D = s^2 / 2 angstrom^2/ps.
  std::mt19937 engine(4);
  std::normal_distribution<double> normal(0, 0.4);
  FrameSet set = empty_set(400, 300);
  for (std::size_t f = 1; f < 400; ++f)
    for (std::size_t i = 0; i < 300; ++i)
      set.frame(f)[i] = set.frame(f - 1)[i] + glm::dvec3(normal(engine), normal(engine), normal(engine));
  MsdOptions options;
  options.first = 0.02;
  options.last = 0.2;
  Job job;
  const MeanSquareDisplacement found = mean_square_displacement(set, options, job);
  const double exact = 10 * 0.16 / 2;
  EXPECT_GT(found.error, 0);
  EXPECT_LT(found.error, 0.1 * exact);
  EXPECT_NEAR(found.diffusion, exact, 4 * found.error);
  EXPECT_NEAR(found.exponent, 1, 0.05);
}

}  // namespace
}  // namespace isolume
