// The extent of so many atoms that they are not listed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "app/documents/documents.h"
#include "app/view/scene_extent.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

/// A lattice of `side` points along each axis, in a file of NumPy.
std::string lattice(const std::string& path, int side, float step) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" +
                       std::to_string(std::int64_t{side} * side * side) + ", 3), }";
  header.resize(118, ' ');
  header.back() = '\n';
  std::ofstream file(path, std::ios::binary);
  file << "\x93NUMPY" << '\1' << '\0' << static_cast<char>(header.size()) << '\0' << header;
  std::vector<float> layer;
  for (int k = 0; k < side; ++k) {
    layer.clear();
    for (int j = 0; j < side; ++j)
      for (int i = 0; i < side; ++i)
        for (const int n : {i, j, k}) layer.push_back(static_cast<float>(n) * step);
    file.write(reinterpret_cast<const char*>(layer.data()), static_cast<std::streamsize>(layer.size() * sizeof(float)));
  }
  return path;
}

Extent extent_of(const std::string& path) {
  Documents documents;
  Scene scene;
  scene.molecules = documents.open({path});
  Representation points;
  points.style = Style::points;
  scene.representations = {points};
  return scene_extent(scene, documents);
}

TEST(SceneExtent, OfAMillionAtomsIsThatOfItsCorners) {
  const test::Folder folder;
  const Extent corners = extent_of(lattice(folder / "corners.npy", 2, 1040));
  const Extent all = extent_of(lattice(folder / "all.npy", 105, 10));  // 1 157 625 atoms
  EXPECT_EQ(all.centre, glm::dvec3(520));
  EXPECT_EQ(all.centre, corners.centre);
  EXPECT_NEAR(all.radius, corners.radius, 1e-3);
  EXPECT_NEAR(all.radius, 520 * std::sqrt(3.0), 5);
  EXPECT_LT(all.balls.size(), 100'000u);
  // A corner has one that is kept no farther than a cell of the box's sides.
  for (const glm::vec4& corner : corners.balls)
    EXPECT_TRUE(std::any_of(
        all.balls.begin(), all.balls.end(),
        [&](const glm::vec4& ball) { return glm::distance(glm::vec3(ball), glm::vec3(corner)) < 2 * 1040.0f / 96; }))
        << corner.x << " " << corner.y << " " << corner.z;
}

}  // namespace
}  // namespace isolume
