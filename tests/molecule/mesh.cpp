// Measures of solids whose area and volume are known.
#include "molecule/mesh.h"

#include <gtest/gtest.h>

#include <cmath>

#include "molecule/base/units.h"

namespace isolume {
namespace {

// The octahedron with vertices at +-1 on the axes, moved by `shift`.
void add_octahedron(Mesh& mesh, glm::vec3 shift) {
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  for (const glm::vec3& p : {glm::vec3(1, 0, 0), glm::vec3(0, 1, 0), glm::vec3(-1, 0, 0), glm::vec3(0, -1, 0),
                             glm::vec3(0, 0, 1), glm::vec3(0, 0, -1)}) {
    mesh.positions.push_back(p + shift);
  }
  for (std::uint32_t i = 0; i < 4; ++i) {
    mesh.triangles.push_back(first + glm::uvec3(i, (i + 1) % 4, 4));
    mesh.triangles.push_back(first + glm::uvec3((i + 1) % 4, i, 5));
  }
}

TEST(Mesh, OctahedraHaveTheirAreaAndVolume) {
  Mesh mesh;
  add_octahedron(mesh, {100, 200, -300});
  EXPECT_NEAR(surface_area(mesh), 4 * std::sqrt(3.0), 1e-9);
  EXPECT_NEAR(enclosed_volume(mesh), 4.0 / 3.0, 1e-9);
  EXPECT_EQ(euler_characteristic(mesh), 2);
  add_octahedron(mesh, {0, 0, 0});
  EXPECT_NEAR(enclosed_volume(mesh), 8.0 / 3.0, 1e-6);
  EXPECT_EQ(euler_characteristic(mesh), 4);
  mesh.positions.emplace_back(9, 9, 9);  // belongs to no triangle
  EXPECT_EQ(euler_characteristic(mesh), 4);
}

TEST(Mesh, ATorusHasEulerCharacteristicZero) {
  Mesh mesh;
  const std::uint32_t n = 64, m = 32;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < m; ++j) {
      const double u = 2 * units::pi * i / n, v = 2 * units::pi * j / m;
      mesh.positions.emplace_back((3 + std::cos(v)) * std::cos(u), (3 + std::cos(v)) * std::sin(u), std::sin(v));
      const std::uint32_t a = i * m + j, b = (i + 1) % n * m + j, c = (i + 1) % n * m + (j + 1) % m,
                          d = i * m + (j + 1) % m;
      mesh.triangles.emplace_back(a, b, c);
      mesh.triangles.emplace_back(a, c, d);
    }
  }
  EXPECT_EQ(euler_characteristic(mesh), 0);
  EXPECT_NEAR(enclosed_volume(mesh), 2 * units::pi * units::pi * 3, 0.02 * 59.2);  // 2 pi^2 R r^2, less what is cut off
  EXPECT_EQ(euler_characteristic(Mesh{}), 0);
  EXPECT_EQ(enclosed_volume(Mesh{}), 0);
}

}  // namespace
}  // namespace isolume
