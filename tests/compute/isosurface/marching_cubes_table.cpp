// The table of cases of marching cubes.

#include "compute/isosurface/marching_cubes_table.h"
#include "tests/compute/base/devices.h"

namespace isolume {
namespace {

using namespace test;

TEST(CaseTable, EveryCaseUsesExactlyItsCrossedEdges) {
  const CaseTable& table = case_table();
  for (int which = 0; which < 256; ++which) {
    std::vector<bool> used(12, false);
    for (int t = 0; t < 3 * table.triangle_count[which]; ++t) used[table.edges[which][t]] = true;
    for (int edge = 0; edge < 12; ++edge) {
      const int axis = edge / 4;
      const int u = edge & 1;
      const int v = edge >> 1 & 1;
      const int corner = axis == 0 ? 2 * u + 4 * v : axis == 1 ? u + 4 * v : u + 2 * v;
      const bool crossed = ((which >> corner) & 1) != ((which >> (corner + (1 << axis))) & 1);
      EXPECT_EQ(used[edge], crossed) << "case " << which << ", edge " << edge;
    }
  }
}

}  // namespace
}  // namespace isolume
