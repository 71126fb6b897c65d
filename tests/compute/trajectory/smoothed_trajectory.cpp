// Smoothed motions: against the formulas of the running mean.
#include "compute/trajectory/smoothed_trajectory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <thread>

#include "molecule/base/error.h"

namespace isolume {
namespace {

/// Frames of so many atoms, atom `i` of frame `f` at place(f, i).
template <class Place>
std::shared_ptr<const Trajectory> moving(std::size_t frames, std::size_t atoms, const Place& place,
                                         const Cell& cell = {}) {
  std::vector<Frame> made(frames);
  for (std::size_t f = 0; f < frames; ++f) {
    made[f].cell = cell;
    made[f].time = 2.0 * static_cast<double>(f);
    made[f].has_time = true;
    for (std::size_t i = 0; i < atoms; ++i)
      made[f].positions.emplace_back(place(static_cast<double>(f), static_cast<double>(i)));
  }
  return std::make_shared<MemoryTrajectory>(std::move(made));
}

Cell box(double edge) {
  return Cell::from_lengths_angles({edge, edge, edge}, {90, 90, 90});
}

/// `x` in the cell from 0 to `edge`.
double wrapped(double x, double edge) {
  return x - edge * std::floor(x / edge);
}

TEST(SmoothedTrajectory, ASteadyMotionStaysWhatItIs) {
  const auto place = [](double f, double i) { return glm::dvec3(0.25 * f + i, -0.5 * f, 3.0); };
  const auto source = moving(9, 3, place);
  for (const std::size_t half : {1, 2, 4, 100}) {
    const auto smoothed = smoothed_trajectory(source, nullptr, half);
    ASSERT_EQ(smoothed->frame_count(), 9u);
    ASSERT_EQ(smoothed->atom_count(), 3u);
    for (std::size_t f = 0; f < 9; ++f) {
      const Frame frame = smoothed->frame(f);
      EXPECT_EQ(frame.time, 2.0 * static_cast<double>(f));
      for (std::size_t i = 0; i < 3; ++i)
        EXPECT_LT(glm::distance(glm::dvec3(frame.positions[i]), place(double(f), double(i))), 1e-6) << f;
    }
  }
}

TEST(SmoothedTrajectory, ASineIsDampedByTheFactorOfTheRunningMean) {
  const double w = 2 * std::numbers::pi / 7;  // radians for each frame
  const std::size_t frames = 30;
  const auto source = moving(frames, 1, [&](double f, double) { return glm::dvec3(2 * std::sin(w * f), 0, 0); });
  for (const std::size_t half : {1, 2, 3, 5}) {
    const auto smoothed = smoothed_trajectory(source, nullptr, half);
    for (std::size_t f = 0; f < frames; ++f) {
      const auto n = static_cast<double>(std::min({half, f, frames - 1 - f}));
      const double factor = std::sin((2 * n + 1) * w / 2) / ((2 * n + 1) * std::sin(w / 2));
      EXPECT_NEAR(smoothed->frame(f).positions[0].x, factor * 2 * std::sin(w * double(f)), 1e-6) << half << " " << f;
    }
  }
  // Seven frames are one period: nothing is left of it.
  EXPECT_NEAR(smoothed_trajectory(source, nullptr, 3)->frame(10).positions[0].x, 0, 1e-6);
}

TEST(SmoothedTrajectory, TheEndsHaveShorterWindowsOnBothSides) {
  EXPECT_EQ(smoothing_reach(0, 10, 3), 0u);
  EXPECT_EQ(smoothing_reach(2, 10, 3), 2u);
  EXPECT_EQ(smoothing_reach(5, 10, 3), 3u);
  EXPECT_EQ(smoothing_reach(8, 10, 3), 1u);
  EXPECT_EQ(smoothing_reach(9, 10, 3), 0u);
  const auto source = moving(10, 1, [](double f, double) { return glm::dvec3(f * f, 0, 0); });
  const auto smoothed = smoothed_trajectory(source, nullptr, 3);
  EXPECT_EQ(smoothed->frame(0).positions, source->frame(0).positions);
  EXPECT_EQ(smoothed->frame(9).positions, source->frame(9).positions);
  // The mean of (f + k)^2 for k from -n to n is f^2 + n (n + 1) / 3.
  EXPECT_NEAR(smoothed->frame(2).positions[0].x, 4 + 2.0, 1e-5);
  EXPECT_NEAR(smoothed->frame(5).positions[0].x, 25 + 4.0, 1e-5);
}

TEST(SmoothedTrajectory, AtomsThatCrossTheCellGoOnOnTheOtherSide) {
  constexpr double edge = 20;
  const auto true_place = [](double f, double i) { return glm::dvec3(1.5 * f + 4 * i, 5, 5); };
  const auto source = moving(
      40, 3,
      [&](double f, double i) {
        const glm::dvec3 p = true_place(f, i);
        return glm::dvec3(wrapped(p.x, edge), p.y, p.z);
      },
      box(edge));
  const auto smoothed = smoothed_trajectory(source, nullptr, 4);
  for (std::size_t f = 0; f < 40; ++f) {
    const Frame frame = smoothed->frame(f), original = source->frame(f);
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_LT(glm::distance(frame.positions[i], original.positions[i]), 1e-4f) << f << " " << i;
  }
}

TEST(SmoothedTrajectory, JumpsAreTakenBackInSkewedCellsAndCellsThatChange) {
  std::vector<Frame> frames(11);
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const double grown = 20 + 0.1 * static_cast<double>(f);
    frames[f].cell = Cell::from_lengths_angles({grown, grown, grown}, {60, 60, 90});
    const glm::dvec3 steady(0.1 * static_cast<double>(f), 2, 3);
    const glm::dvec3 jump = frames[f].cell.vectors * glm::dvec3(f % 3 == 0 ? 1 : 0, f % 2 == 0 ? -1 : 0, f > 5 ? 2 : 0);
    frames[f].positions = {glm::vec3(steady + jump)};
  }
  const auto source = std::make_shared<MemoryTrajectory>(frames);
  const auto smoothed = smoothed_trajectory(source, nullptr, 2);
  for (std::size_t f = 0; f < frames.size(); ++f)
    EXPECT_LT(glm::distance(smoothed->frame(f).positions[0], frames[f].positions[0]), 0.11f) << f;
}

/// `atoms` atoms, bonded in pairs.
std::shared_ptr<const Topology> pairs(std::size_t atoms) {
  auto topology = std::make_shared<Topology>();
  topology->atoms.resize(atoms);
  topology->residues.push_back({});
  topology->residues[0].atom_count = static_cast<std::uint32_t>(atoms);
  topology->chains.push_back({});
  topology->chains[0].residue_count = 1;
  for (std::uint32_t i = 0; i + 1 < atoms; i += 2) topology->bonds.push_back({i, i + 1, 1});
  return topology;
}

TEST(SmoothedTrajectory, BondedAtomsJumpTogether) {
  const auto topology = pairs(4);
  EXPECT_EQ(smoothing_groups(*topology, Frame{}), (std::vector<std::uint32_t>{0, 0, 2, 2}));
  // The second atom of the first pair moves by more than half of the cell in one frame, the first by none: its own
  // nearest image would tear the pair apart, their mean does not.
  std::vector<Frame> frames(3);
  for (Frame& frame : frames) {
    frame.cell = box(20);
    frame.positions = {{1, 0, 0}, {2, 0, 0}, {5, 0, 0}, {6, 0, 0}};
  }
  frames[2].positions[1] = {12.5f, 0, 0};
  const auto source = std::make_shared<MemoryTrajectory>(frames);
  EXPECT_NEAR(smoothed_trajectory(source, topology, 1)->frame(1).positions[1].x, (2 + 2 + 12.5) / 3, 1e-5);
  EXPECT_NEAR(smoothed_trajectory(source, nullptr, 1)->frame(1).positions[1].x, (2 + 2 - 7.5) / 3, 1e-5);
}

TEST(SmoothedTrajectory, ACellThatMeansNothingIsNotUsed) {
  const auto source = moving(
      3, 8, [](double f, double i) { return glm::dvec3(3 * f * f + i, 0, 0); }, box(1));
  EXPECT_NEAR(smoothed_trajectory(source, nullptr, 1)->frame(1).positions[0].x, (0 + 3 + 12) / 3.0, 1e-5);
}

TEST(SmoothedTrajectory, OnlyPositionsAreSmoothed) {
  std::vector<Frame> frames(3);
  for (int f = 0; f < 3; ++f) {
    frames[f].positions = {{0, float(f * f), 0}};
    frames[f].velocities = {{float(f), 0, 0}};
    frames[f].forces = {{0, 0, float(f)}};
    frames[f].precise_positions = {{0, f * f, 0}};
  }
  const Frame middle = smoothed_trajectory(std::make_shared<MemoryTrajectory>(frames), nullptr, 5)->frame(1);
  EXPECT_EQ(middle.velocities, frames[1].velocities);
  EXPECT_EQ(middle.forces, frames[1].forces);
  EXPECT_TRUE(middle.precise_positions.empty()) << "they would be those of the file";
  EXPECT_NEAR(middle.positions[0].y, 5.0 / 3, 1e-6);
}

TEST(SmoothedTrajectory, WindowsThatAreNoneAreRefused) {
  const auto source = moving(3, 1, [](double, double) { return glm::dvec3(0); });
  EXPECT_THROW(smoothed_trajectory(source, nullptr, 0), Error);
  EXPECT_THROW(smoothed_trajectory(source, nullptr, most_smoothing + 1), Error);
  EXPECT_THROW(smoothed_trajectory(source, nullptr, 1)->frame(3), Error);
}

TEST(SmoothedTrajectory, ThreadsReadItAtOnce) {
  const auto place = [](double f, double i) { return glm::dvec3(f, i, 0); };
  const auto smoothed = smoothed_trajectory(moving(50, 100, place), pairs(100), 3);
  std::vector<std::thread> threads;
  std::vector<double> worst(4, 0);
  for (std::size_t t = 0; t < worst.size(); ++t)
    threads.emplace_back([&, t] {
      for (std::size_t f = t; f < 50; f += 2) {
        const Frame frame = smoothed->frame(f);
        for (std::size_t i = 0; i < 100; ++i)
          worst[t] = std::max(worst[t], glm::distance(glm::dvec3(frame.positions[i]), place(double(f), double(i))));
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const double error : worst) EXPECT_LT(error, 1e-5);
}

}  // namespace
}  // namespace isolume
