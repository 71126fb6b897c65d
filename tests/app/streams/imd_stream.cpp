// Simulations that send, stall, lie and leave.
#include "app/documents/streams/imd_stream.h"

#include <gtest/gtest.h>

#include <chrono>

#include "molecule/base/error.h"
#include "tests/support/imd_bytes.h"
#include "tests/support/imd_server.h"

namespace isolume {
namespace {

using std::chrono::milliseconds;
using test::ImdBytes;
using test::ImdPeer;
using test::ImdServer;

const std::vector<float> two{1, 2, 3, 4, 5, 6};

StreamPatience short_patience() {
  return {milliseconds(20'000), milliseconds(100), milliseconds(20'000)};
}

/// Position x of atom 0 is the number of the frame.
std::string frame(int number) {
  std::vector<float> xyz = two;
  xyz[0] = static_cast<float>(number);
  return ImdBytes().time(0.002, 0.1 * number, 50 * number).positions(xyz).text;
}
std::string hello() {
  return ImdBytes().handshake(3).session(true, false, false, true, false, false).text;
}

std::string fault_of(ImdStream& stream) {
  ImdFrame frame;
  try {
    while (stream.next(frame)) continue;
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ImdStream, GivesTheFramesThatWereSent) {
  int first = -1;
  {
    ImdServer server({[&](ImdPeer& peer) {
      peer.send(hello());
      first = peer.receive();
      std::string all;
      for (int i = 0; i < 5; ++i) all += frame(i);
      for (const char c : all) peer.send(std::string(1, c));  // in the smallest pieces
    }});
    ImdStream stream(stream_address(server.address()), 2, short_patience());
    ImdFrame got;
    for (int i = 0; i < 5; ++i) {
      ASSERT_TRUE(stream.next(got)) << i;
      EXPECT_EQ(got.frame.positions[0], glm::vec3(i, 2, 3));
      EXPECT_EQ(got.frame.positions[1], glm::vec3(4, 5, 6));
      EXPECT_EQ(got.frame.time, 0.1 * i);
      EXPECT_EQ(got.step, 50 * i);
    }
    EXPECT_FALSE(stream.next(got));
  }
  EXPECT_EQ(first, 3);  // go
}

TEST(ImdStream, PausesAndResumes) {
  for (const int version : {2, 3}) {
    std::vector<int> types;
    {
      ImdServer server({[&](ImdPeer& peer) {
        peer.send(version == 3 ? hello() : ImdBytes().handshake(2).text);
        types = peer.rest();
      }});
      ImdStream stream(stream_address(server.address()), 2, short_patience());
      stream.pause();
      stream.pause();  // in version 2 this would let it go on
      EXPECT_TRUE(stream.paused());
      stream.resume();
      stream.pause();
      // Whoever leaves lets the simulation go on.
    }
    const int resume = version == 3 ? 11 : 7;
    EXPECT_EQ(types, (std::vector<int>{3, 7, resume, 7, resume, 0}));
  }
}

TEST(ImdStream, NothingButAHandshakeIsWaitedForShortly) {
  StreamPatience patience = short_patience();
  patience.connect = milliseconds(100);
  ImdServer server({[](ImdPeer& peer) { peer.rest(); }});
  try {
    ImdStream(stream_address(server.address()), 2, patience);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("nothing came for 0.1 s"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(server.address()), std::string::npos);
  }
}

TEST(ImdStream, AStallInTheMiddleOfAFrameEndsIt) {
  ImdServer server({[](ImdPeer& peer) {
    peer.send(hello() + frame(0).substr(0, 50));
    peer.rest();
  }});
  ImdStream stream(stream_address(server.address()), 2, short_patience());
  EXPECT_NE(fault_of(stream).find("nothing came for 0.1 s; 10 of 24 bytes of a packet"), std::string::npos);
}

TEST(ImdStream, ADisconnectInTheMiddleOfAFrameIsSaid) {
  ImdServer server({[](ImdPeer& peer) {
    peer.send(hello());
    peer.receive();
    peer.send(frame(0) + frame(1).substr(0, 50));
  }});
  ImdStream stream(stream_address(server.address()), 2, short_patience());
  ImdFrame got;
  EXPECT_TRUE(stream.next(got));
  EXPECT_NE(fault_of(stream).find("in the middle of a frame, which is dropped"), std::string::npos);
}

TEST(ImdStream, HugeSizesAndWrongTypesAreRefusedBeforeTheyAreRead) {
  for (const std::string& wrong :
       {ImdBytes().header(2, 2'147'483'647).text, ImdBytes().header(77, 1).text, ImdBytes().header(12, -5).text}) {
    ImdServer server({[&](ImdPeer& peer) {
      peer.send(hello() + wrong);
      peer.rest();
    }});
    ImdStream stream(stream_address(server.address()), 2, short_patience());
    ImdFrame got;
    EXPECT_THROW(stream.next(got), Error);
  }
}

TEST(ImdStream, AnEndBeforeTheHandshakeIsSaid) {
  ImdServer server({[](ImdPeer&) {}});
  try {
    ImdStream(stream_address(server.address()), 2, short_patience());
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("closed before the handshake"), std::string::npos) << error.what();
  }
}

TEST(ImdStream, NobodyThereIsAnError) {
  std::string address;
  {
    const ImdServer server({});
    address = server.address();
  }
  try {
    ImdStream(stream_address(address), 2, short_patience());
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("no simulation answers"), std::string::npos) << error.what();
  }
}

TEST(ImdStream, EndsWhenItIsAskedTo) {
  std::atomic<bool> stop{false};
  ImdServer server({[&](ImdPeer& peer) {
    peer.send(hello() + frame(0));
    peer.receive();
    stop = true;
    peer.rest();
  }});
  StreamPatience patience;  // that of the window: as long as it takes
  ImdStream stream(stream_address(server.address()), 2, patience, &stop);
  ImdFrame got;
  try {
    while (stream.next(got)) continue;
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::cancelled);
  }
}

}  // namespace
}  // namespace isolume
