// A simulation that is followed: what is kept, what is recorded, and how it ends.
#include "app/documents/streams/stream_follower.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "formats/read.h"
#include "molecule/base/error.h"
#include "tests/support/imd_bytes.h"
#include "tests/support/imd_server.h"

namespace isolume {
namespace {

using test::ImdBytes;
using test::ImdPeer;
using test::ImdServer;
using Phase = StreamFollower::Phase;

constexpr std::size_t plenty = 1 << 20;

std::shared_ptr<const Molecule> two_atoms() {
  auto molecule = std::make_shared<Molecule>();
  Topology topology;
  topology.atoms.resize(2);
  topology.atoms.change_kinds([](Atom& kind) { kind.name = "O"; });
  topology.residues.resize(1);
  topology.chains.resize(1);
  molecule->topology = std::make_shared<const Topology>(topology);
  return molecule;
}

std::string frame(int number) {
  return ImdBytes().time(0.002, number, 10 * number).positions({static_cast<float>(number), 0, 0, 0, 1, 0}).text;
}
std::string hello() {
  return ImdBytes().handshake(3).session(true, false, false, true, false, false).text;
}
std::string frames(int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += frame(i);
  return all;
}

StreamFollower::State wait_for(const StreamFollower& follower, const auto& met) {
  for (;;) {
    const auto state = follower.state();
    if (met(state) || state.phase == Phase::ended || state.phase == Phase::failed) return state;
    std::this_thread::yield();
  }
}

TEST(StreamFollower, KeepsTheFramesOfASimulationThatEnds) {
  ImdServer server({[](ImdPeer& peer) {
    peer.send(hello() + frames(20));
    peer.receive();
  }});
  StreamFollower follower(stream_address(server.address()), two_atoms(), plenty);
  const auto state = wait_for(follower, [](const auto&) { return false; });
  EXPECT_EQ(state.phase, Phase::ended);
  EXPECT_NE(state.message.find("has ended"), std::string::npos) << state.message;
  EXPECT_EQ(state.received, 20u);
  EXPECT_EQ(state.step, 190);
  EXPECT_EQ(state.time, 19.0);
  const auto [trajectory, every] = follower.frames();
  ASSERT_TRUE(trajectory);
  EXPECT_EQ(every, 1u);
  ASSERT_EQ(trajectory->frame_count(), 20u);
  EXPECT_EQ(trajectory->frame(7).positions[0].x, 7);
  EXPECT_THROW(trajectory->frame(20), Error);
}

TEST(StreamFollower, SaysWhyItFailedAndKeepsWhatCame) {
  ImdServer server({[](ImdPeer& peer) {
    peer.send(hello() + frames(2) + frame(2).substr(0, 20));
    peer.receive();
  }});
  StreamFollower follower(stream_address(server.address()), two_atoms(), plenty);
  const auto state = wait_for(follower, [](const auto&) { return false; });
  EXPECT_EQ(state.phase, Phase::failed);
  EXPECT_NE(state.message.find("middle of a frame"), std::string::npos) << state.message;
  EXPECT_EQ(follower.frames().first->frame_count(), 2u);
}

TEST(StreamFollower, AnotherNumberOfAtomsIsSaid) {
  ImdServer server({[](ImdPeer& peer) {
    peer.send(hello() + ImdBytes().time(1, 1, 1).positions({1, 2, 3}).text);
    peer.rest();
  }});
  StreamFollower follower(stream_address(server.address()), two_atoms(), plenty);
  const auto state = wait_for(follower, [](const auto&) { return false; });
  EXPECT_NE(state.message.find("1 atoms, and the structure has 2"), std::string::npos) << state.message;
  EXPECT_FALSE(follower.frames().first);
}

TEST(StreamFollower, EndsAtOnceWithAPeerThatStalls) {
  ImdServer server({[](ImdPeer& peer) {
    peer.send(hello() + frame(0).substr(0, 20));
    peer.rest();
  }});
  StreamFollower follower(stream_address(server.address()), two_atoms(), plenty);
  wait_for(follower, [](const auto& state) { return state.phase == Phase::receiving; });
  follower.disconnect();
  const auto state = wait_for(follower, [](const auto&) { return false; });
  EXPECT_EQ(state.phase, Phase::ended);
  EXPECT_NE(state.message.find("disconnected"), std::string::npos) << state.message;
}

TEST(StreamFollower, RecordsEveryFrameFromTheNextOn) {
  const std::string file =
      (std::filesystem::path(testing::TempDir()) / ("isolume_stream_" + std::to_string(getpid()) + ".dcd")).string();
  ImdServer server({[](ImdPeer& peer) {
    peer.send(hello() + frames(1));
    peer.receive();                                           // go
    if (peer.receive() == 7) peer.send(frame(1) + frame(2));  // pause: here the sign that recording has begun
    peer.rest();
  }});
  {
    StreamFollower follower(stream_address(server.address()), two_atoms(), plenty);
    wait_for(follower, [](const auto& state) { return state.received == 1; });
    follower.record(file);
    EXPECT_THROW(follower.record(file), Error);
    follower.pause();
    EXPECT_EQ(wait_for(follower, [](const auto& state) { return state.recorded == 2; }).file, file);
    EXPECT_EQ(follower.stop_recording(), 2u);
    EXPECT_TRUE(follower.state().file.empty());
  }
  const Molecule read = read_file(file);
  ASSERT_EQ(read.frame_count(), 2u);
  EXPECT_EQ(read.trajectory->frame(0).positions[0].x, 1);
  EXPECT_EQ(read.trajectory->frame(1).positions[0].x, 2);
  std::filesystem::remove(file);
}

TEST(StreamFollower, AFileThatCannotBeWrittenIsSaid) {
  ImdServer server({[](ImdPeer& peer) {
    peer.send(hello());
    peer.rest();
  }});
  StreamFollower follower(stream_address(server.address()), two_atoms(), plenty);
  EXPECT_THROW(follower.record("/no/such/folder/run.abc"), Error);
}

TEST(KeptFrames, ThinOutWithinTheirMemory) {
  Frame one;
  one.positions.resize(1000);
  KeptFrames kept(10 * (sizeof(Frame) + 12'000));
  for (int i = 0; i < 100; ++i) {
    one.positions[0].x = static_cast<float>(i);
    kept.add(one);
    EXPECT_LE(kept.bytes(), 10 * (sizeof(Frame) + 12'000));
  }
  const std::size_t every = kept.every();
  EXPECT_EQ(every, 16u);
  const auto trajectory = kept.trajectory();
  ASSERT_EQ(trajectory->frame_count(), 7u);  // 0, 16, ..., 96
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(trajectory->frame(i).positions[0].x, static_cast<float>(i * every));
}

TEST(KeptFrames, OneIsKeptHoweverLargeItIs) {
  Frame one;
  one.positions.resize(1000);
  KeptFrames kept(1);
  kept.add(one);
  one.positions[0].x = 7;
  kept.add(one);
  ASSERT_EQ(kept.count(), 1u);
  EXPECT_EQ(kept.trajectory()->frame(0).positions[0].x, 7);
}

}  // namespace
}  // namespace isolume
