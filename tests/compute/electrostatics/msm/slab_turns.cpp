// Slabs that are filled at the same time touch no layer in common: else charges would be lost now and then.
#include "compute/electrostatics/msm/slab_turns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace isolume {
namespace {

constexpr int thickness = 16;

/// Layers that charges in a slab are spread onto, with the widest stencil: three below and four above their own.
std::set<int> layers_of(int slab, int layers, bool periodic) {
  std::set<int> result;
  const int end = std::min(layers, (slab + 1) * thickness);
  for (int own = slab * thickness; own < end; ++own)
    for (int layer = own - 3; layer <= own + 4; ++layer)
      if (periodic || (layer >= 0 && layer < layers)) result.insert((layer + layers) % layers);
  return result;
}

TEST(SlabTurns, SlabsOfOneTurnMeetNowhere) {
  for (const bool periodic : {false, true})
    for (int layers = 8; layers <= 300; ++layers) {
      std::vector<int> seen;
      for (const std::vector<int>& together : slab_turns(layers, thickness, periodic)) {
        std::set<int> filled;
        for (const int slab : together) {
          seen.push_back(slab);
          for (const int layer : layers_of(slab, layers, periodic))
            EXPECT_TRUE(filled.insert(layer).second) << layers << " layers, slab " << slab << ", layer " << layer;
        }
      }
      std::sort(seen.begin(), seen.end());
      ASSERT_EQ(static_cast<int>(seen.size()), (layers + thickness - 1) / thickness) << layers;
      for (int slab = 0; slab < static_cast<int>(seen.size()); ++slab)
        EXPECT_EQ(seen[static_cast<std::size_t>(slab)], slab) << layers;
    }
}

TEST(SlabTurns, ALongRingIsFilledInThreeTurnsAtMost) {
  for (int layers = 49; layers <= 300; ++layers) EXPECT_LE(slab_turns(layers, thickness, true).size(), 3u) << layers;
  EXPECT_EQ(slab_turns(64, thickness, true).size(), 2u);
  EXPECT_EQ(slab_turns(1000, thickness, false).size(), 2u);
}

}  // namespace
}  // namespace isolume
