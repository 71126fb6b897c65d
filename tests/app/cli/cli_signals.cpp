// The program as a process: signals, time limits, streams and disks that are full or closed.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <sstream>

#include "tests/app/cli/ion_files.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;
using test::shell;

const std::string two_ions = test::pqr({{0, 0, 0, 1}, {4, 0, 0, -1}});

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

/// Waits until the program catches `signal`, as the kernel says, or is gone.
bool catches(pid_t child, int signal) {
  for (;;) {
    std::ifstream status("/proc/" + std::to_string(child) + "/status");
    std::string line;
    bool lives = false;
    while (std::getline(status, line)) {
      if (line.starts_with("State:")) lives = line.find('Z') == std::string::npos;
      if (!line.starts_with("SigCgt:")) continue;
      const std::uint64_t mask = std::stoull(line.substr(7), nullptr, 16);
      if (mask >> (signal - 1) & 1) return true;
    }
    if (!lives) return false;
  }
}

/// Waits until the program has mapped the file, as the kernel says, or is gone.
bool maps(pid_t child, const std::string& file) {
  for (;;) {
    std::ifstream text("/proc/" + std::to_string(child) + "/maps");
    if (!text) return false;
    std::stringstream all;
    all << text.rdbuf();
    if (all.str().empty()) return false;
    if (all.str().find(file) != std::string::npos) return true;
  }
}

TEST(CliSignals, SignalsEndReadingWithCode130) {
  const Folder folder;
  std::vector<std::array<double, 4>> ions(400'000);
  for (std::size_t i = 0; i < ions.size(); ++i) {
    const auto at = static_cast<double>(i);
    ions[i] = {std::fmod(at, 90) * 10, std::fmod(std::floor(at / 90), 90) * 10, std::floor(at / 8100) * 10, 1};
  }
  const std::string file = folder / "large.pqr";
  test::write_text(file, test::pqr(ions));
  for (const int signal : {SIGINT, SIGTERM}) {
    const pid_t child = test::start({"info", file}, folder / "out", folder / "err");
    ASSERT_TRUE(maps(child, "large.pqr"));
    kill(child, signal);
    EXPECT_EQ(test::wait_for(child), 130) << test::read_text(folder / "out");
    EXPECT_EQ(test::read_text(folder / "out"), "");
    EXPECT_CONTAINS(test::read_text(folder / "err"), "isolume: cancelled");
  }
}

TEST(CliSignals, SignalsEndWhatHasNoProgress) {
  const Folder folder;
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"convert", "--make", "water:300", folder / "w.pdb"},
           {"render", folder / "ions.pqr", "--size", "4000x4000", "--samples", "16", "--out", folder / "p.png"}}) {
    test::write_text(folder / "ions.pqr", two_ions);
    const pid_t child = test::start(words, folder / "out", folder / "err");
    ASSERT_TRUE(catches(child, SIGTERM));
    kill(child, SIGTERM);
    EXPECT_EQ(test::wait_for(child), 130) << words[0];
  }
  EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{"err", "ions.pqr", "out"}));
}

TEST(CliSignals, FullAndClosedStreamsAreSaid) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", two_ions);
  test::write_text(folder / "points.csv", "1,2,3\n");
  const std::string ions = folder / "ions.pqr";
  const auto json = shell(folder, "$ISOLUME info --json " + ions + " >/dev/full");
  EXPECT_EQ(json.code, 1);
  EXPECT_CONTAINS(json.err, "stdout: cannot be written: No space left on device");
  // More than stdout's buffer holds.
  const auto lines = shell(folder, "$ISOLUME info --json " + test::data("H2O-631Gd-cart.molden") + " >/dev/full");
  EXPECT_EQ(lines.code, 1);
  EXPECT_CONTAINS(lines.err, "stdout: cannot be written: No space left on device");
  const auto values =
      shell(folder, "$ISOLUME compute potential " + ions + " --at " + (folder / "points.csv") + " >/dev/full");
  EXPECT_EQ(values.code, 1);
  EXPECT_EQ(shell(folder, "$ISOLUME info --json " + ions + " >&-").code, 1);
  EXPECT_EQ(shell(folder, "$ISOLUME info nofile 2>/dev/full").code, 3);
  EXPECT_EQ(shell(folder, "$ISOLUME info nofile 2>&-").code, 3);
  // With stdout closed a file that is written may not take its number.
  const auto closed = shell(folder, "$ISOLUME convert " + ions + " " + (folder / "o.xyz") + " >&- 2>&-");
  EXPECT_EQ(closed.code, 0);
  EXPECT_EQ(test::read_text(folder / "o.xyz").substr(0, 2), "2\n");
}

TEST(CliSignals, TheLargestFileIsAnErrorAndLeavesNothing) {
  const Folder folder;
  const auto outcome =
      shell(folder, "ulimit -f 8; $ISOLUME convert --make water:30 " + (folder / "w.pdb") + " --quiet");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_CONTAINS(outcome.err, "File too large");
  EXPECT_TRUE(names_in(folder.path()).empty());
}

TEST(CliSignals, ATimeLimitEndsThePicture) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", two_ions);
  const auto outcome = run({"render", folder / "ions.pqr", "--size", "4000x4000", "--samples", "16", "--time-limit",
                            "0.1", "--out", folder / "p.png"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_CONTAINS(outcome.err, "not done after 0.1 seconds");
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"ions.pqr"});
}

}  // namespace
}  // namespace isolume
