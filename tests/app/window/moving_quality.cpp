// How coarse pictures of a movement are: the choice, held against pictures whose time is known.
#include "app/window/viewport/moving_quality.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace isolume {
namespace {

/// Seconds of a picture that takes so long for its pixels, their occlusion, and its atoms at full quality.
struct Machine {
  double pixels, occlusion, atoms;
  double seconds(const MovingQuality& q) const {
    return q.scale * q.scale * (pixels + (q.occlusion ? occlusion : 0)) + atoms / q.thin;
  }
};

std::vector<MovingQuality> turn(const Machine& machine, bool software, int pictures = 60) {
  std::vector<MovingQuality> seen{first_quality(software)};
  for (int i = 0; i < pictures; ++i) seen.push_back(next_quality(seen.back(), machine.seconds(seen.back()), software));
  return seen;
}

TEST(MovingQuality, IsWholeWhereThereIsTime) {
  EXPECT_EQ(turn({0.004, 0.002, 0.001}, false).back(), MovingQuality{});
  EXPECT_EQ(turn({0.004, 0.002, 0.001}, true).back(), MovingQuality{});
}

TEST(MovingQuality, TakesAtomsFirstFromACardAndPixelsFirstFromAProcessor) {
  const Machine slow{0.040, 0.020, 0.040};
  const MovingQuality card = next_quality(MovingQuality{}, slow.seconds({}), false);
  EXPECT_EQ(card.thin, 2u);
  EXPECT_EQ(card.scale, 1.0);
  EXPECT_TRUE(card.occlusion);
  const MovingQuality processor = next_quality(MovingQuality{}, 0.060, true);
  EXPECT_EQ(processor.thin, 1u);
  EXPECT_LT(processor.scale, 1.0);
}

TEST(MovingQuality, ReachesItsTimeAndStaysThere) {
  for (const Machine& machine : {Machine{0.4, 0.3, 0.02}, Machine{0.4, 0.2, 0.2}, Machine{0.1, 0.05, 0.0}}) {
    const auto seen = turn(machine, true);
    EXPECT_LE(machine.seconds(seen.back()), 0.026);
    // The last half of the pictures are all alike: no level comes and goes.
    for (std::size_t i = seen.size() / 2; i < seen.size(); ++i) EXPECT_EQ(seen[i], seen.back()) << i;
    int changes = 0;
    for (std::size_t i = 1; i < seen.size(); ++i) changes += seen[i].occlusion != seen[i - 1].occlusion;
    EXPECT_LE(changes, 1);
  }
}

TEST(MovingQuality, HasALimit) {
  const MovingQuality least = turn({100, 100, 1000}, true).back();
  EXPECT_EQ(least.scale, 0.25);
  EXPECT_EQ(least.thin, 256u);
  EXPECT_FALSE(least.occlusion);
}

/// With the 0.7 s that a fine picture of 5 000 atoms takes on two cores it is there within a second.
TEST(MovingQuality, AFinePictureDoesNotWaitLong) {
  EXPECT_EQ(rest_before_refining(0), 180);
  EXPECT_EQ(rest_before_refining(0.2), 200);
  EXPECT_EQ(rest_before_refining(0.7), 250);
  EXPECT_EQ(rest_before_refining(30), 250);
  EXPECT_EQ(rest_before_refining(0.2, true), 4000) << "fields that are soon there are waited for";
}

TEST(MovingQuality, OcclusionComesBackLast) {
  const MovingQuality bare{0.5, 4, false};
  MovingQuality q = bare;
  for (int i = 0; i < 60 && q != MovingQuality{}; ++i) {
    const MovingQuality next = next_quality(q, 0.001, true);
    if (next.occlusion) {
      EXPECT_EQ(q.scale, 1.0);
      EXPECT_EQ(q.thin, 1u);
    }
    q = next;
  }
  EXPECT_EQ(q, MovingQuality{});
}

}  // namespace
}  // namespace isolume
