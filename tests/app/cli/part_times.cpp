// When parts are written.
#include "app/cli/over_time/part_times.h"

#include <gtest/gtest.h>

#include <vector>

namespace isolume::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// The times, in seconds after the beginning, at which a part is written in the first `all` seconds.
std::vector<double> times(seconds longest, milliseconds writing, seconds all) {
  const PartTimes::Clock::time_point begin{};
  PartTimes when(begin, longest);
  std::vector<double> found;
  for (milliseconds at{0}; at < all; at += milliseconds(100)) {
    if (!when.due(begin + at)) continue;
    found.push_back(std::chrono::duration<double>(at).count());
    when.written(begin + at, begin + at + writing);
    at += writing;
  }
  return found;
}

TEST(PartTimes, SoonThenLessAndLessOften) {
  EXPECT_EQ(times(seconds(30), milliseconds(0), seconds(100)), (std::vector<double>{2, 6, 14, 30, 60, 90}));
  EXPECT_EQ(times(seconds(8), milliseconds(0), seconds(31)), (std::vector<double>{2, 6, 14, 22, 30}));
}

TEST(PartTimes, WritingTakesATenthOfTheTime) {
  // Ten seconds each: ninety follow.
  EXPECT_EQ(times(seconds(30), seconds(10), seconds(250)), (std::vector<double>{2, 102, 202}));
}

}  // namespace
}  // namespace isolume::cli
