// The next frame of a trajectory is read ahead, and is that frame.
#include "app/documents/frame_ahead.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "molecule/base/error.h"

namespace isolume {
namespace {

/// Ten frames of one atom at (index, 0, 0); the eighth is damaged.
class Counted final : public Trajectory {
 public:
  std::size_t frame_count() const override { return 10; }
  std::size_t atom_count() const override { return 1; }
  Frame frame(std::size_t index) const override {
    ++reads.at(index);
    if (index == 7) throw Error("frame 7 is damaged", Error::Kind::input);
    Frame frame;
    frame.positions = {{static_cast<float>(index), 0, 0}};
    return frame;
  }
  mutable std::vector<std::atomic<int>> reads = std::vector<std::atomic<int>>(10);
};

struct Playing {
  std::shared_ptr<Counted> trajectory = std::make_shared<Counted>();
  std::shared_ptr<Molecule> molecule = std::make_shared<Molecule>();
  FrameAhead ahead;
  Playing() { molecule->trajectory = trajectory; }
  /// Takes a frame and says whether it was read ahead.
  bool take(std::size_t frame) {
    EXPECT_EQ(ahead.take(molecule, frame).positions.at(0).x, static_cast<float>(frame)) << frame;
    return ahead.was_ahead();
  }
};

TEST(FrameAhead, ReadsEveryFrameOnceWhileItPlays) {
  Playing playing;
  EXPECT_FALSE(playing.take(0));
  EXPECT_FALSE(playing.take(1));  // only now there is a stride
  for (const std::size_t frame : {2, 3, 4}) EXPECT_TRUE(playing.take(frame)) << frame;
  for (const std::size_t frame : {0, 1, 2, 3, 4}) EXPECT_EQ(playing.trajectory->reads[frame], 1) << frame;
}

TEST(FrameAhead, FollowsStridesBackwardsToo) {
  Playing playing;
  for (const std::size_t frame : {0, 3}) EXPECT_FALSE(playing.take(frame));
  for (const std::size_t frame : {6, 9}) EXPECT_TRUE(playing.take(frame)) << frame;
  EXPECT_FALSE(playing.take(4));  // 12 is beyond the end: nothing was read
  EXPECT_FALSE(playing.take(2));
  EXPECT_TRUE(playing.take(0));
  EXPECT_FALSE(playing.take(5)) << "before the first there is nothing";
  EXPECT_FALSE(playing.take(5)) << "the same frame again has no stride";
}

TEST(FrameAhead, JumpsAreReadDirectly) {
  Playing playing;
  playing.take(0);
  playing.take(1);
  EXPECT_FALSE(playing.take(5));
  EXPECT_EQ(playing.trajectory->reads[2], 1) << "read in vain";
  EXPECT_TRUE(playing.take(9));
}

TEST(FrameAhead, AnotherMoleculeBeginsAnew) {
  Playing playing, other;
  playing.take(0);
  playing.take(1);
  EXPECT_EQ(playing.ahead.take(other.molecule, 2).positions.at(0).x, 2);
  EXPECT_FALSE(playing.ahead.was_ahead());
  EXPECT_EQ(other.trajectory->reads[2], 1);
  EXPECT_EQ(other.trajectory->reads[3], 0);
}

TEST(FrameAhead, DamageIsSaidWhenTheFrameIsWanted) {
  Playing playing;
  for (const std::size_t frame : {4, 5, 6}) playing.take(frame);
  EXPECT_THROW(playing.ahead.take(playing.molecule, 7), Error);
  EXPECT_FALSE(playing.take(8));
  EXPECT_TRUE(playing.take(9) || playing.trajectory->reads[9] == 1);
}

TEST(FrameAhead, FramesBeyondTheLastAreTheLast) {
  Playing playing;
  EXPECT_EQ(playing.ahead.take(playing.molecule, 99).positions.at(0).x, 9);
  Molecule none;
  EXPECT_TRUE(playing.ahead.take(std::make_shared<Molecule>(none), 3).positions.empty());
}

}  // namespace
}  // namespace isolume
