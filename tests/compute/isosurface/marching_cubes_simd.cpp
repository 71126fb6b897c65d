// Marching cubes of every instruction set next to a plain one in double precision, vertex by vertex in their order.
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "compute/isosurface/marching_cubes.h"
#include "compute/isosurface/marching_cubes_table.h"
#include "compute/isosurface/slab_surface.h"
#include "tests/compute/base/instruction_sets.h"
#include "tests/compute/isosurface/surface_meshes.h"

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

bool is_finite(const glm::dvec3& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

TEST_P(MarchingCubesSimd, NotANumberIsOutside) {
  const Grid grid = make_skewed_grid({1, -2, 3}, 0.7, {75, 9, 11});
  Random random(41);
  std::vector<float> volume;
  for (std::size_t i = 0; i < grid.size(); ++i) volume.push_back(static_cast<float>(random(0, 1)));
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const float odd[] = {NAN, infinity, -infinity};
  for (std::size_t i = 0; i < volume.size(); i += 13) volume[i] = odd[i / 13 % 3];
  Job job;
  for (const bool above : {true, false}) {
    const Mesh mesh = marching_cubes(Span<const float>(volume), grid, {0.5f, above}, {}, job);
    const Reference expected =
        reference({volume.begin(), volume.end()}, std::vector<glm::u8vec4>(grid.size()), grid, 0.5,
                  above);  // a comparison with NaN is false there too
    EXPECT_EQ(mesh.triangles, expected.triangles);
    ASSERT_EQ(mesh.positions.size(), expected.positions.size());
    std::size_t compared = 0;
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
      ASSERT_TRUE(is_finite(mesh.positions[i])) << i;
      ASSERT_NEAR(glm::length(mesh.normals[i]), 1, 1e-5) << i;
      if (!is_finite(expected.positions[i])) continue;
      ASSERT_LT(glm::distance(glm::dvec3(mesh.positions[i]), expected.positions[i]),
                0x1p-24 * glm::length(expected.positions[i]) + 1e-6)
          << i;
      ++compared;
    }
    EXPECT_GT(compared, mesh.positions.size() / 2);
  }
}

TEST_P(MarchingCubesSimd, SlabsMakeTheMeshOfTheWhole) {
  for (const glm::ivec3 counts : {glm::ivec3{75, 9, 40}, {33, 12, 17}}) {
    const Grid grid = make_skewed_grid({3, -2, 1}, 0.7, counts);
    Random random(static_cast<std::uint64_t>(counts.x));
    std::vector<float> volume;
    for (std::size_t i = 0; i < grid.size(); ++i) volume.push_back(static_cast<float>(random(-1, 1)));
    const std::size_t layer = grid.size() / static_cast<std::size_t>(counts.z);
    const LayerSource source = [&](LayerRange layers, Values values, Colours, Job&) {
      copy_memory(values.data, values.device, volume.data() + static_cast<std::size_t>(layers.first) * layer,
                  Device::cpu(), values.size * sizeof(float));
    };
    Job job;
    const MarchingCubesOptions options{0.1f, counts.z % 2 == 0};
    MarchingCubes slabs =
        marching_cubes_in_slabs({grid, Device::cpu(), Storage::float32, false, Storage::unorm8, 16, source}, options);
    expect_same(marching_cubes(slabs, Device::cpu(), {}, false, job),
                marching_cubes(Span<const float>(volume), grid, options, {}, job));
  }
}

// Colours of a scalar that is linear in space, so that they follow from where the vertex is, or its normal leads to.
TEST_P(MarchingCubesSimd, ScalarsBecomeTheColoursOfTheirRamp) {
  const glm::dvec3 slope(0.11, -0.07, 0.05);
  const std::vector<glm::vec3> map = {{1, 0, 0}, {0.2f, 0.9f, 0.4f}, {0, 0.3f, 1}};
  const Grid grid = make_grid({-9.5, -2.4, -3.6}, {0.25, 0.6, 0.65}, {75, 9, 11});
  const auto scalar = [&](glm::dvec3 p) { return glm::dot(slope, p) + 0.1; };
  std::vector<float> volume =
      sampled(grid, [](glm::dvec3 p) { return 2.0 - glm::length(p - glm::dvec3(-1.1, 0.1, -0.2)); });
  std::vector<float> scalars = sampled(grid, scalar);
  for (const float offset : {0.0f, 0.4f, -0.3f}) {
    SurfaceColours by;
    by.scalars = Span<const float>(scalars);
    by.lower = -0.15f;
    by.upper = 0.2f;
    by.map = map;
    by.offset = offset;
    Job job;
    const Mesh mesh = marching_cubes(Span<const float>(volume), grid, {0, true}, by, job);
    ASSERT_GT(mesh.positions.size(), 100u);
    ASSERT_EQ(mesh.colours.size(), mesh.positions.size());
    std::size_t clamped = 0;
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
      const glm::dvec3 place = glm::dvec3(mesh.positions[i]) + double{offset} * glm::dvec3(mesh.normals[i]);
      const double at = glm::clamp((scalar(place) + 0.15) / 0.35, 0.0, 1.0) * 2;
      clamped += at == 0 || at == 2 ? 1 : 0;
      const glm::dvec3 expected = at < 1 ? glm::mix(glm::dvec3(map[0]), glm::dvec3(map[1]), at)
                                         : glm::mix(glm::dvec3(map[1]), glm::dvec3(map[2]), at - 1);
      for (int c = 0; c < 3; ++c) ASSERT_NEAR(mesh.colours[i][c], 255 * expected[c], 0.51) << i << " offset " << offset;
      ASSERT_EQ(mesh.colours[i].a, 255);
    }
    EXPECT_GT(clamped, 0u);
    EXPECT_LT(clamped, mesh.positions.size());
  }
  SurfaceColours nowhere;
  std::vector<float> missing(grid.size(), NAN);
  nowhere.scalars = Span<const float>(missing);
  nowhere.map = map;
  Job job;
  const Mesh mesh = marching_cubes(Span<const float>(volume), grid, {0, true}, nowhere, job);
  for (const glm::u8vec4 colour : mesh.colours) ASSERT_EQ(colour, glm::u8vec4(51, 230, 102, 255)) << "the middle";
}

}  // namespace
}  // namespace isolume
