// Following orbitals: the assignment against all permutations, and the ethylene torsion against stored overlaps.
#include "compute/orbitals/orbital_tracking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "compute/orbitals/assignment.h"
#include "formats/read.h"
#include "tests/compute/base/devices.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using test::shared_data;

TEST(Assignment, IsTheBestOfAllPermutations) {
  test::Random random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t rows = 1 + static_cast<std::size_t>(trial % 6),
                      columns = rows + static_cast<std::size_t>(trial % 3);
    std::vector<double> cost(rows * columns);
    for (double& c : cost) c = random(-1, 1);
    std::vector<std::size_t> order(columns);
    std::iota(order.begin(), order.end(), std::size_t{0});
    double best = std::numeric_limits<double>::infinity();
    do {
      double sum = 0;
      for (std::size_t row = 0; row < rows; ++row) sum += cost[row * columns + order[row]];
      best = std::min(best, sum);
    } while (std::next_permutation(order.begin(), order.end()));
    const auto chosen = least_cost_assignment(cost, rows, columns);
    double sum = 0;
    for (std::size_t row = 0; row < rows; ++row) sum += cost[row * columns + chosen[row]];
    EXPECT_NEAR(sum, best, 1e-12);
    auto sorted = chosen;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(std::unique(sorted.begin(), sorted.end()), sorted.end());
  }
}

std::vector<std::shared_ptr<const Orbitals>> ethylene() {
  std::vector<std::shared_ptr<const Orbitals>> frames;
  for (int k = 0; k <= 36; ++k) {
    const std::string name = "frame_" + std::to_string(1000 + k).substr(1) + ".molden";
    frames.push_back(read_file(shared_data("qm-computed/ethylene_torsion/" + name)).orbitals_at(0));
  }
  return frames;
}

// Overlaps between consecutive frames by Psi4 (qm-computed/MANIFEST.md), orbitals 7 to 10.
TEST(OrbitalTracking, OverlapsAgreeWithPsi4) {
  const std::string file = shared_data("qm-computed/ethylene_torsion/ethylene_overlaps.json");
  ISOLUME_NEEDS(file);
  const auto frames = ethylene();
  std::ifstream stream(file);
  const auto reference = nlohmann::json::parse(stream);
  ASSERT_EQ(reference.at("pairs").size(), 36u);
  for (const auto& pair : reference.at("pairs")) {
    const Orbitals& a = *frames.at(pair.at("k"));
    const Orbitals& b = *frames.at(pair.at("k1"));
    const std::vector<double> overlaps = orbital_overlaps(a, b, Spin::alpha);
    const auto expected = pair.at("overlap").get<std::vector<std::vector<double>>>();
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j) {
        EXPECT_NEAR(overlaps[(6 + i) * b.count() + 6 + j], expected[i][j], 1e-8)
            << pair.at("k") << " " << i << " " << j;
      }
    }
  }
}

TEST(OrbitalTracking, FollowsEthyleneThroughItsCrossings) {
  ISOLUME_NEEDS(shared_data("qm-computed/ethylene_torsion"));
  const auto frames = ethylene();
  Job job;
  const OrbitalTracks tracks(frames, job);
  // pi and pi* (HOMO and LUMO, 8 and 9) change places between frames 18 and 19, and only there.
  const auto pi = tracks.track(0, 7), antibonding = tracks.track(0, 8);
  for (std::size_t k = 0; k < 37; ++k) {
    ASSERT_TRUE(pi[k] && antibonding[k]) << k;
    EXPECT_EQ(pi[k]->index, k <= 18 ? 7u : 8u) << k;
    EXPECT_EQ(antibonding[k]->index, k <= 18 ? 8u : 7u) << k;
    EXPECT_FALSE(pi[k]->weak) << k;
    EXPECT_GT(pi[k]->overlap, 0.99) << k;
  }
  // HOMO-1 and LUMO+1 change identity between 12 and 13, 15 and 16, 20 and 21, 23 and 24, and nowhere else: the
  // successor of orbital 7 or of orbital 10 is another one there.
  for (std::size_t k = 0; k < 36; ++k) {
    const bool crossing = k == 12 || k == 15 || k == 20 || k == 23;
    const auto below = tracks.follow(k, 6, k + 1), above = tracks.follow(k, 9, k + 1);
    ASSERT_TRUE(below && above) << k;
    EXPECT_EQ(below->index != 6 || above->index != 9, crossing) << k << ": " << below->index << " " << above->index;
  }
}

TEST(OrbitalTracking, KeepsThePhaseThroughTheTorsion) {
  ISOLUME_NEEDS(shared_data("qm-computed/ethylene_torsion"));
  const auto frames = ethylene();
  Job job;
  const OrbitalTracks tracks(frames, job);
  for (std::size_t index = 0; index < 10; ++index) {
    const auto track = tracks.track(0, index);
    for (std::size_t k = 0; k + 1 < 37; ++k) {
      ASSERT_TRUE(track[k] && track[k + 1]) << "orbital " << index + 1 << ", frame " << k;
      // With the signs on, every overlap between neighbours is positive.
      const auto overlaps = orbital_overlaps(*frames[k], *frames[k + 1], Spin::alpha);
      const double value = overlaps[track[k]->index * frames[k + 1]->count() + track[k + 1]->index];
      EXPECT_GT(value * track[k]->sign * track[k + 1]->sign, 0.6) << "orbital " << index + 1 << ", frame " << k;
    }
    // There and back again is the same orbital with the same phase.
    const auto last = tracks.follow(0, index, 36);
    const auto back = tracks.follow(36, last->index, 0);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->index, index);
    EXPECT_EQ(back->sign, last->sign);
  }
}

TEST(OrbitalTracking, SaysWhatCannotBeFollowed) {
  ISOLUME_NEEDS(shared_data("qm-computed/malonaldehyde_pt"));
  Job job;
  auto a = read_file(shared_data("qm-computed/ethylene_torsion/frame_000.molden")).orbitals_at(0);
  auto b = read_file(shared_data("qm-computed/malonaldehyde_pt/frame_000.molden")).orbitals_at(0);
  try {
    OrbitalTracks({a, nullptr, b}, job);
    ADD_FAILURE() << "ethylene became malonaldehyde";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("frame 3: orbitals of 9 atoms cannot follow those of 6"),
              std::string::npos)
        << error.what();
  }
  const OrbitalTracks gap({a, nullptr, a}, job);
  EXPECT_EQ(gap.follow(0, 3, 2)->index, 3u);
  EXPECT_EQ(gap.follow(0, 3, 2)->sign, 1);
  EXPECT_FALSE(gap.follow(0, 3, 1));
  EXPECT_FALSE(gap.track(0, 3)[1]);
  EXPECT_THROW(gap.follow(0, 999, 1), Error);
  EXPECT_THROW(gap.track(5, 0), Error);
}

}  // namespace
}  // namespace isolume
