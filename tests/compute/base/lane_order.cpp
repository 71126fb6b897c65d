// The order of lanes where those of a mask are moved to the front of a vector.
#include "compute/base/lane_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace isolume {
namespace {

TEST(LaneOrder, HasTheLanesOfTheMaskFirst) {
  for (unsigned bits = 0; bits < 256; ++bits) {
    std::vector<unsigned> with, without;
    for (unsigned lane = 0; lane < 8; ++lane) (bits & 1u << lane ? with : without).push_back(lane);
    with.insert(with.end(), without.begin(), without.end());
    EXPECT_TRUE(std::equal(with.begin(), with.end(), lane_order[bits].begin(), lane_order[bits].end())) << bits;
  }
}

}  // namespace
}  // namespace isolume
