// Which frame follows which.
#include <gtest/gtest.h>

#include "app/window/live/player.h"

namespace isolume::test {
namespace {

std::vector<std::size_t> walk(Playback::Loop loop, std::size_t count, std::uint32_t stride, int steps) {
  Playback playback;
  playback.loop = loop;
  playback.stride = stride;
  std::vector<std::size_t> frames{0};
  int direction = 1;
  for (int i = 0; i < steps; ++i) frames.push_back(advance(frames.back(), count, 1, playback, direction));
  return frames;
}

using V = std::vector<std::size_t>;

TEST(Player, GoesRoundBackAndOnce) {
  EXPECT_EQ(walk(Playback::Loop::loop, 4, 1, 6), (V{0, 1, 2, 3, 0, 1, 2}));
  EXPECT_EQ(walk(Playback::Loop::loop, 5, 2, 4), (V{0, 2, 4, 1, 3}));
  EXPECT_EQ(walk(Playback::Loop::once, 4, 1, 6), (V{0, 1, 2, 3, 3, 3, 3}));
  EXPECT_EQ(walk(Playback::Loop::rock, 4, 1, 8), (V{0, 1, 2, 3, 2, 1, 0, 1, 2}));
  EXPECT_EQ(walk(Playback::Loop::rock, 2, 1, 4), (V{0, 1, 0, 1, 0}));
  EXPECT_EQ(walk(Playback::Loop::loop, 1, 1, 2), (V{0, 0, 0}));
}

TEST(Player, ManyStepsAtOnceAreTheSameAsOneByOne) {
  for (const auto loop : {Playback::Loop::loop, Playback::Loop::rock, Playback::Loop::once}) {
    const auto frames = walk(loop, 7, 1, 40);
    Playback playback;
    playback.loop = loop;
    int direction = 1;
    std::size_t frame = 0;
    for (std::size_t at = 5; at <= 40; at += 5) {
      frame = advance(frame, 7, 5, playback, direction);
      EXPECT_EQ(frame, frames[at]) << "after " << at << " steps";
    }
  }
}

}  // namespace
}  // namespace isolume::test
