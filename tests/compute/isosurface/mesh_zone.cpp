// The part of a surface near points, and the statistics of a map.
#include "compute/isosurface/mesh_zone.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "compute/density/volume_statistics.h"

namespace isolume {
namespace {

/// A strip of triangles along x: vertices at 0, 1, 2, ... and above them.
Mesh strip(int length) {
  Mesh mesh;
  for (int i = 0; i <= length; ++i)
    for (int j = 0; j < 2; ++j) {
      mesh.positions.emplace_back(i, j, 0);
      mesh.normals.emplace_back(0, 0, 1);
      mesh.colours.emplace_back(i, j, 0, 255);
    }
  for (unsigned i = 0; i < static_cast<unsigned>(length); ++i) {
    mesh.triangles.emplace_back(2 * i, 2 * i + 2, 2 * i + 1);
    mesh.triangles.emplace_back(2 * i + 1, 2 * i + 2, 2 * i + 3);
  }
  return mesh;
}

TEST(MeshZone, KeepsWholeTrianglesNearPoints) {
  Job job;
  const std::vector<glm::vec3> points{{3, 0.5f, 0}};
  const Mesh near = mesh_near(strip(10), points, 1.2, job);  // corners at x = 2, 3 and 4
  EXPECT_EQ(near.triangles.size(), 4u);
  ASSERT_EQ(near.vertex_count(), 6u);
  ASSERT_EQ(near.normals.size(), 6u);
  ASSERT_EQ(near.colours.size(), 6u);
  for (std::size_t i = 0; i < near.vertex_count(); ++i) {
    EXPECT_LE(std::abs(near.positions[i].x - 3), 1);
    EXPECT_EQ(static_cast<float>(near.colours[i].r), near.positions[i].x) << "colours stay with their vertices";
  }
  EXPECT_NEAR(surface_area(near), 2, 1e-6);
  EXPECT_TRUE(mesh_near(strip(10), {}, 1.2, job).triangles.empty());
}

TEST(VolumeStatistics, AreThoseOfTheFiniteValues) {
  Job job;
  const float none = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> values{none, 1e6f + 1, 1e6f + 3, none, 1e6f + 1, 1e6f + 3};
  const VolumeStatistics s = statistics_of(values, job);
  EXPECT_DOUBLE_EQ(s.mean, 1e6 + 2);
  EXPECT_DOUBLE_EQ(s.deviation, 1) << "a large mean does not swallow it";
  EXPECT_EQ(s.lowest, 1e6f + 1);
  EXPECT_EQ(s.highest, 1e6f + 3);
  EXPECT_EQ(statistics_of(std::vector<float>{none}, job).deviation, 0);
  EXPECT_EQ(quantile_of(values, 0), 1e6 + 1);
  EXPECT_EQ(quantile_of(values, 1), 1e6 + 3);
  EXPECT_EQ(quantile_of({}, 0.5), 0);
}

}  // namespace
}  // namespace isolume
