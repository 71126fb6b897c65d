// A running simulation recorded by the program.
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <thread>

#include "formats/read.h"
#include "tests/app/cli/program.h"
#include "tests/support/imd_bytes.h"
#include "tests/support/imd_server.h"

namespace isolume {
namespace {

using test::Folder;
using test::ImdBytes;
using test::ImdPeer;
using test::ImdServer;
using test::run;

const char water[] = "3\nwater\nO 0 0 0\nH 1 0 0\nH 0 1 0\n";

std::string frame(int number) {
  const auto x = static_cast<float>(number);
  return ImdBytes()
      .time(0.002, 0.5 * number, 100 * number)
      .energies(100 * number, 300 + x)
      .box({20, 0, 0, 0, 20, 0, 0, 0, 20})
      .positions({x, 0, 0, x + 1, 0, 0, x, 1, 0})
      .text;
}
std::string hello() {
  return ImdBytes().handshake(3).session(true, true, true, true, false, false).text;
}
std::string frames(int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += frame(i);
  return all;
}

TEST(CliStream, RecordsFramesAndEnergies) {
  const Folder folder;
  test::write_text(folder / "water.xyz", water);
  ImdServer server({[](ImdPeer& peer) {
    peer.send(hello() + frames(7));
    peer.receive();
  }});
  const auto outcome = run({"convert", server.address(), folder / "water.xyz", folder / "run.xtc", "--frames", "1:6:2",
                            "--energies", folder / "e.csv", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_CONTAINS(outcome.err, "run.xtc: 3 atoms, 3 frames");
  const Molecule read = read_file(folder / "run.xtc");
  ASSERT_EQ(read.frame_count(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const Frame frame = read.trajectory->frame(i);
    EXPECT_NEAR(frame.positions[1].x, 2.0f + 2.0f * static_cast<float>(i), 0.006f);
    EXPECT_NEAR(frame.time, 0.5 + static_cast<double>(i), 1e-6);
    EXPECT_NEAR(frame.cell.lengths().x, 20, 1e-4);
  }
  EXPECT_CONTAINS(test::read_text(folder / "e.csv"), "\n1,300,1.5,303,304,305,306,307,308,309,310,311\n");
  const auto report = test::read_json(folder / "r.json");
  EXPECT_EQ(report["result"]["frames"], 3);
  EXPECT_EQ(report["result"]["imd_version"], 3);
}

TEST(CliStream, KeepsWhatCameBeforeTheSimulationBroke) {
  const Folder folder;
  test::write_text(folder / "water.xyz", water);
  ImdServer server({[](ImdPeer& peer) {
    peer.send(hello() + frames(2) + frame(2).substr(0, 30));
    peer.receive();
  }});
  const auto outcome = run({"convert", server.address(), folder / "water.xyz", folder / "run.dcd"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_CONTAINS(outcome.err, "in the middle of a frame");
  EXPECT_CONTAINS(outcome.err, "has the 2 frames that came before");
  EXPECT_EQ(read_file(folder / "run.dcd").frame_count(), 2u);
}

TEST(CliStream, AfterCtrlCTheFileIsWhole) {
  const Folder folder;
  test::write_text(folder / "water.xyz", water);
  std::atomic<pid_t> child{-1};
  std::vector<int> rest;
  {
    ImdServer server({[&](ImdPeer& peer) {
      peer.send(hello());
      peer.receive();
      // More than the buffers of a connection hold (6 MiB and 4 MiB), so that frames have been taken.
      const std::string thousand = frames(1000);
      for (int i = 0; i < 100; ++i) peer.send(thousand);
      while (child < 0) std::this_thread::yield();
      kill(child, SIGINT);
      rest = peer.rest();
    }});
    child = test::start({"convert", server.address(), folder / "water.xyz", folder / "run.xtc", "--quiet"},
                        folder / "out", folder / "err");
    EXPECT_EQ(test::wait_for(child), 130) << test::read_text(folder / "err");
  }
  EXPECT_EQ(rest, std::vector<int>{0});  // goodbye
  EXPECT_GT(read_file(folder / "run.xtc").frame_count(), 0u);
}

TEST(CliStream, SaysWhatIsWrong) {
  const Folder folder;
  test::write_text(folder / "water.xyz", water);
  const std::string structure = folder / "water.xyz", out = folder / "run.xtc";
  struct Case {
    std::vector<std::string> words;
    int code;
    const char* text;
  };
  for (const Case& c : {Case{{"convert", "imd://localhost:1", out}, 2, "structure"},
                        Case{{"convert", "imd://localhost:99999", structure, out}, 2, "from 1 to 65535"},
                        Case{{"convert", "imd://a:1", "imd://b:1", structure, out}, 2, "one simulation at a time"},
                        Case{{"convert", "imd://127.0.0.1:1", structure, out, "--frames=-5:"}, 2, "from 0 on"},
                        Case{{"convert", "imd://127.0.0.1:1", structure, out, "--pbc", "whole"}, 2, "second step"},
                        Case{{"convert", structure, out, "--energies", folder / "e.csv"}, 2, "imd://HOST:PORT"}}) {
    const auto outcome = run(c.words);
    EXPECT_EQ(outcome.code, c.code) << outcome.err;
    EXPECT_CONTAINS(outcome.err, c.text);
    EXPECT_FALSE(std::filesystem::exists(out));
  }
}

TEST(CliStream, AFileNeverConnects) {
  const Folder folder;
  test::write_text(folder / "water.xyz", water);
  for (const auto& words :
       {std::vector<std::string>{"info", "imd://127.0.0.1:1"},
        {"compute", "gyration", folder / "water.xyz", "imd://127.0.0.1:1", "--out", folder / "g.csv"}}) {
    const auto outcome = run(words);
    EXPECT_NE(outcome.code, 0);
    EXPECT_CONTAINS(outcome.err, "imd://127.0.0.1:1");
  }
}

}  // namespace
}  // namespace isolume
