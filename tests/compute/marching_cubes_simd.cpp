// Marching cubes of every instruction set beside a plain one in double precision, vertex by vertex in their order.
#include <map>
#include <tuple>

#include "compute/isosurface/marching_cubes.h"
#include "compute/isosurface/marching_cubes_table.h"
#include "tests/compute/devices.h"
#include "tests/compute/instruction_sets.h"

namespace isolume {
namespace {

using namespace test;

struct Reference {
  std::vector<glm::dvec3> positions, normals, colours;
  std::vector<glm::uvec3> triangles;
};

/// Edges in the order that MarchingCubes documents: by layer, row, 32 points, axis, point.
Reference reference(const std::vector<double>& volume, const std::vector<glm::u8vec4>& colours, const Grid& grid,
                    double isovalue, bool above) {
  Reference result;
  const glm::ivec3 n = grid.counts;
  const auto value = [&](glm::ivec3 p) { return volume[grid.index(p.x, p.y, p.z)]; };
  const auto inside = [&](glm::ivec3 p) { return above ? value(p) > isovalue : value(p) < isovalue; };
  const auto gradient = [&](glm::ivec3 p) {
    glm::dvec3 slope(0);
    for (int axis = 0; axis < 3; ++axis) {
      glm::ivec3 low = p;
      glm::ivec3 high = p;
      low[axis] = std::max(p[axis] - 1, 0);
      high[axis] = std::min(p[axis] + 1, n[axis] - 1);
      slope[axis] = (value(high) - value(low)) / (high[axis] - low[axis]);
    }
    return glm::transpose(glm::inverse(grid.step)) * slope;
  };
  std::map<std::tuple<int, int, int, int>, unsigned> numbers;
  for (int k = 0; k < n.z; ++k) {
    for (int j = 0; j < n.y; ++j) {
      for (int word = 0; word < n.x; word += 32) {
        for (int axis = 0; axis < 3; ++axis) {
          for (int i = word; i < std::min(word + 32, n.x); ++i) {
            const glm::ivec3 a(i, j, k);
            glm::ivec3 b = a;
            if (++b[axis] >= n[axis] || inside(a) == inside(b)) continue;
            numbers[{axis, i, j, k}] = static_cast<unsigned>(result.positions.size());
            const double t = (isovalue - value(a)) / (value(b) - value(a));
            const auto between = [&](const auto& from, const auto& to) { return from + t * (to - from); };
            result.positions.push_back(grid.origin + grid.step * between(glm::dvec3(a), glm::dvec3(b)));
            result.normals.push_back((above ? -1.0 : 1.0) * glm::normalize(between(gradient(a), gradient(b))));
            result.colours.push_back(between(glm::dvec3(colours[grid.index(a.x, a.y, a.z)]),
                                             glm::dvec3(colours[grid.index(b.x, b.y, b.z)])));
          }
        }
      }
    }
  }
  const bool mirrored = glm::determinant(grid.step) < 0;
  for (int k = 0; k + 1 < n.z; ++k) {
    for (int j = 0; j + 1 < n.y; ++j) {
      for (int i = 0; i + 1 < n.x; ++i) {
        int which = 0;
        for (int c = 0; c < 8; ++c) which |= inside({i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)}) << c;
        const CaseTable& table = case_table();
        for (int t = 0; t < table.triangle_count[which]; ++t) {
          glm::uvec3 triangle;
          for (int corner = 0; corner < 3; ++corner) {
            const int edge = table.edges[which][3 * t + corner];
            const int axis = edge / 4;
            const int u = edge & 1;
            const int v = edge >> 1 & 1;
            const glm::ivec3 at = glm::ivec3(i, j, k) + (axis == 0   ? glm::ivec3(0, u, v)
                                                         : axis == 1 ? glm::ivec3(u, 0, v)
                                                                     : glm::ivec3(u, v, 0));
            triangle[corner] = numbers.at({axis, at.x, at.y, at.z});
          }
          if (mirrored) std::swap(triangle[1], triangle[2]);
          result.triangles.push_back(triangle);
        }
      }
    }
  }
  return result;
}

template <class T>
void expect_reference(const Grid& grid, bool above, std::uint64_t seed) {
  Random random(seed);
  std::vector<T> volume;
  std::vector<double> doubles;
  std::vector<glm::u8vec4> colours;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    volume.push_back(from_float<T>(static_cast<float>(random(0, 1))));
    doubles.push_back(double{to_float(volume.back())});
    colours.push_back(glm::u8vec4(glm::vec3(random.in_box(0, 255.99)), 255));
  }
  const MarchingCubesOptions options{0.53f, above};
  Job job;
  const Mesh mesh = marching_cubes(Span<const T>(volume), grid, options, Span<const glm::u8vec4>(colours), job);
  const Reference expected = reference(doubles, colours, grid, double{options.isovalue}, above);
  ASSERT_EQ(mesh.positions.size(), expected.positions.size());
  EXPECT_EQ(mesh.triangles, expected.triangles);
  for (std::size_t i = 0; i < expected.positions.size(); ++i) {
    // Coordinates are rounded to floats, and so is the part of the edge.
    const double rounding = 0x1p-24 * glm::length(expected.positions[i]) + 1e-6;
    ASSERT_LT(glm::distance(glm::dvec3(mesh.positions[i]), expected.positions[i]), rounding) << i;
    // A float's difference of two values of about 1 is good to 1e-7, and the flattest of these gradients are 1e-3.
    ASSERT_LT(glm::distance(glm::dvec3(mesh.normals[i]), expected.normals[i]), 1e-3) << i;
    for (int c = 0; c < 3; ++c) ASSERT_NEAR(mesh.colours[i][c], expected.colours[i][c], 0.51) << i;
    ASSERT_EQ(mesh.colours[i].a, 255);
  }
}

class MarchingCubesSimd : public test::InstructionSetTest {};

INSTANTIATE_TEST_SUITE_P(Targets, MarchingCubesSimd, testing::ValuesIn(test::instruction_sets()),
                         test::instruction_set_name);

TEST_P(MarchingCubesSimd, IsThePlainOneVertexByVertex) {
  std::uint64_t seed = 0;
  // Rows of one point and many, that end within, at and behind a word, and more words than a vector has.
  for (const glm::ivec3 counts : {glm::ivec3{2, 2, 2},
                                  {3, 5, 4},
                                  {31, 4, 6},
                                  {32, 5, 7},
                                  {33, 7, 5},
                                  {64, 6, 6},
                                  {75, 9, 11},
                                  {290, 5, 6},
                                  {600, 4, 5}}) {
    for (const bool above : {true, false}) {
      expect_reference<float>(make_skewed_grid({1, -2, 3}, 0.7, counts), above, ++seed);
      expect_reference<float>(make_grid({3, 2, 1}, {0.5, -0.6, 0.7}, counts), above, ++seed);
      expect_reference<Half>(make_grid({0, 0, 0}, {1, 1, 1}, counts), above, ++seed);
      expect_reference<Unorm8>(make_grid({0, 0, 0}, {1, 1, 1}, counts), above, ++seed);
    }
  }
}

}  // namespace
}  // namespace isolume
