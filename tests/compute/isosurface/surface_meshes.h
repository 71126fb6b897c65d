// Meshes as the tests of surfaces look at them: closed or not, the same or not, and the systems they come from.
#pragma once

#include <map>
#include <utility>

#include "compute/density/gaussian_density.h"
#include "compute/isosurface/marching_cubes.h"
#include "tests/compute/base/devices.h"

namespace isolume::test {

template <class Function>
std::vector<float> sampled(const Grid& grid, const Function& function) {
  std::vector<float> values;
  for (const glm::dvec3 point : grid_points(grid)) values.push_back(static_cast<float>(function(point)));
  return values;
}

inline std::vector<DensityAtom> random_atoms(std::size_t count, std::uint64_t seed, double half) {
  Random random(seed);
  std::vector<DensityAtom> atoms;
  for (std::size_t i = 0; i < count; ++i) {
    const glm::vec3 position(random.in_box(-half, half));
    const auto radius = static_cast<float>(random(1.0, 2.2));
    atoms.push_back({position, radius, glm::vec3(random.in_box(0, 1))});
  }
  return atoms;
}

/// Each side of a triangle with the number of triangles that go along it in this direction.
inline std::map<std::pair<unsigned, unsigned>, int> sides_of(const Mesh& mesh) {
  std::map<std::pair<unsigned, unsigned>, int> sides;
  for (const glm::uvec3 t : mesh.triangles) {
    for (int i = 0; i < 3; ++i) ++sides[{t[i], t[(i + 1) % 3]}];
  }
  return sides;
}

inline void expect_same(const Mesh& a, const Mesh& b) {
  EXPECT_EQ(a.positions, b.positions);
  EXPECT_EQ(a.normals, b.normals);
  EXPECT_EQ(a.colours, b.colours);
  EXPECT_EQ(a.triangles, b.triangles);
}

}  // namespace isolume::test
