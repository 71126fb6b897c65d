// Marching cubes: areas, volumes and Euler numbers of known surfaces, closed meshes from noise, and the borders.
#include "compute/isosurface/marching_cubes.h"

#include <map>
#include <utility>

#include "tests/compute/base/devices.h"

namespace isolume {
namespace {

using namespace test;
using MarchingCubesTest = OnDevice;
ISOLUME_ON_EVERY_DEVICE(MarchingCubesTest);

constexpr double pi = 3.14159265358979323846;

template <class Function>
std::vector<float> sample(const Grid& grid, const Function& function) {
  std::vector<float> values;
  for (const glm::dvec3 point : grid_points(grid)) values.push_back(static_cast<float>(function(point)));
  return values;
}

Mesh surface(Device device, const std::vector<float>& volume, const Grid& grid, float isovalue,
             bool inside_above = true, const std::vector<glm::vec3>& colours = {}) {
  Job job;
  const auto there = DeviceArray<float>::from_host(volume, device);
  const auto colours_there = DeviceArray<glm::vec3>::from_host(colours, device);
  MarchingCubesOptions options;
  options.isovalue = isovalue;
  options.inside_above = inside_above;
  return marching_cubes(there.span(), grid, options, colours_there.span(), job);
}

/// Every side of a triangle must be met once in the other direction.
void expect_closed(const Mesh& mesh) {
  std::map<std::pair<unsigned, unsigned>, int> sides;
  for (const glm::uvec3 t : mesh.triangles) {
    for (int i = 0; i < 3; ++i) {
      ASSERT_LT(t[i], mesh.positions.size());
      ASSERT_NE(t[i], t[(i + 1) % 3]);
      ++sides[{t[i], t[(i + 1) % 3]}];
    }
  }
  std::vector<bool> used(mesh.positions.size(), false);
  for (const auto& [side, count] : sides) {
    ASSERT_EQ(count, 1);
    const auto other = sides.find({side.second, side.first});
    ASSERT_TRUE(other != sides.end());
    used[side.first] = true;
  }
  EXPECT_TRUE(std::all_of(used.begin(), used.end(), [](bool b) { return b; })) << "a vertex belongs to no triangle";
}

double sphere(glm::dvec3 p) {
  return 8.0 - glm::length(p - glm::dvec3(0.21, -0.13, 0.08));
}

TEST_P(MarchingCubesTest, SphereHasItsAreaVolumeAndEulerNumber) {
  const Grid grid = make_grid({-9.5, -9.4, -9.6}, {0.4, 0.4, 0.4}, {49, 49, 49});
  const Mesh mesh = surface(GetParam(), sample(grid, sphere), grid, 0.0f);
  expect_closed(mesh);
  EXPECT_EQ(euler_characteristic(mesh), 2);
  EXPECT_NEAR(surface_area(mesh), 4 * pi * 64, 0.003 * 4 * pi * 64);
  EXPECT_NEAR(enclosed_volume(mesh), 4.0 / 3 * pi * 512, 0.003 * 4.0 / 3 * pi * 512);
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const glm::dvec3 out = glm::dvec3(mesh.positions[i]) - glm::dvec3(0.21, -0.13, 0.08);
    ASSERT_NEAR(glm::length(out), 8, 0.4 * 0.4 / 8);  // linear interpolation: h^2 / (8 R) and rounding
    ASSERT_GT(glm::dot(glm::normalize(out), glm::dvec3(mesh.normals[i])), 0.999);
    ASSERT_NEAR(glm::length(mesh.normals[i]), 1, 1e-5);
  }
}

TEST_P(MarchingCubesTest, NegativeLobeIsTheSameSurface) {
  const Grid grid = make_grid({-9.5, -9.4, -9.6}, {0.8, 0.8, 0.8}, {25, 25, 25});
  const Mesh above = surface(GetParam(), sample(grid, sphere), grid, 0.5f);
  const Mesh below = surface(GetParam(), sample(grid, [](glm::dvec3 p) { return -sphere(p); }), grid, -0.5f, false);
  EXPECT_EQ(above.positions, below.positions);
  EXPECT_EQ(above.normals, below.normals);
  EXPECT_EQ(above.triangles, below.triangles);
}

TEST_P(MarchingCubesTest, TorusHasEulerNumberZero) {
  const Grid grid = make_grid({-8, -8, -4}, {0.31, 0.33, 0.29}, {53, 50, 28});
  const Mesh mesh = surface(GetParam(),
                            sample(grid,
                                   [](glm::dvec3 p) {
                                     const double ring = std::hypot(p.x, p.y) - 5.0;
                                     return 2.0 - std::hypot(ring, p.z);
                                   }),
                            grid, 0.0f);
  expect_closed(mesh);
  EXPECT_EQ(euler_characteristic(mesh), 0);
  EXPECT_NEAR(enclosed_volume(mesh), 2 * pi * pi * 5 * 4, 0.01 * 2 * pi * pi * 5 * 4);
}

TEST_P(MarchingCubesTest, NoiseGivesClosedSurfaces) {
  // Noise meets all 256 cases and every ambiguous face; a border outside closes it.
  int seed = 0;
  for (const glm::ivec3 counts : {glm::ivec3(2, 2, 2),
                                  {3, 3, 3},
                                  {33, 12, 9},
                                  {32, 7, 8},
                                  {31, 9, 10},
                                  {64, 5, 5},
                                  {65, 6, 11},
                                  {97, 17, 3},
                                  {40, 33, 35}}) {
    Random random(static_cast<std::uint64_t>(++seed));
    const Grid grid = make_grid({0, 0, 0}, {1, 1, 1}, counts);
    std::vector<float> volume;
    for (int k = 0; k < counts.z; ++k) {
      for (int j = 0; j < counts.y; ++j) {
        for (int i = 0; i < counts.x; ++i) {
          const bool border = i == 0 || j == 0 || k == 0 || i + 1 == counts.x || j + 1 == counts.y || k + 1 == counts.z;
          volume.push_back(static_cast<float>(border ? -1.0 : random(-1, 1)));
        }
      }
    }
    expect_closed(surface(GetParam(), volume, grid, 0.0f));
    expect_closed(surface(GetParam(), volume, grid, 0.4f));
    for (float& value : volume) value = -value;
    expect_closed(surface(GetParam(), volume, grid, -0.2f, false));
  }
}

TEST_P(MarchingCubesTest, DevicesAgreeVertexByVertex) {
  const Grid grid = make_skewed_grid({-6, -7, -5}, 0.35, {37, 41, 34});
  const auto lumps = [](glm::dvec3 p) { return std::sin(p.x) * std::cos(1.3 * p.y) + std::sin(0.7 * p.z); };
  const std::vector<float> volume = sample(grid, lumps);
  const Mesh here = surface(GetParam(), volume, grid, 0.3f);
  const Mesh cpu = surface(Device::cpu(), volume, grid, 0.3f);
  EXPECT_EQ(here.triangles, cpu.triangles);
  ASSERT_EQ(here.positions.size(), cpu.positions.size());
  for (std::size_t i = 0; i < cpu.positions.size(); ++i) {
    ASSERT_LT(glm::distance(here.positions[i], cpu.positions[i]), 1e-5f);
    ASSERT_LT(glm::distance(here.normals[i], cpu.normals[i]), 1e-4f);
  }
}

TEST_P(MarchingCubesTest, FollowsSkewedAndMirroredGrids) {
  const double volume = 4.0 / 3 * pi * 27;
  const auto ball = [](glm::dvec3 p) { return 3.0 - glm::length(p); };
  for (const Grid& grid : {make_skewed_grid({-4.8, -8.0, -6.4}, 0.25, {50, 46, 46}),
                           make_grid({4.0, -4.0, -4.0}, {-0.2, 0.2, 0.2}, {41, 41, 41})}) {
    const Mesh mesh = surface(GetParam(), sample(grid, ball), grid, 0.0f);
    expect_closed(mesh);
    EXPECT_EQ(euler_characteristic(mesh), 2);
    EXPECT_NEAR(enclosed_volume(mesh), volume, 0.01 * volume);
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
      ASSERT_GT(glm::dot(glm::normalize(mesh.positions[i]), mesh.normals[i]), 0.99f);
    }
  }
}

TEST_P(MarchingCubesTest, ColoursFollowTheEdges) {
  const Grid grid = make_grid({-9.5, -9.4, -9.6}, {0.6, 0.6, 0.6}, {33, 33, 33});
  std::vector<glm::vec3> colours;
  for (const glm::dvec3 p : grid_points(grid)) colours.emplace_back((p + 10.0) / 20.0);
  const Mesh mesh = surface(GetParam(), sample(grid, sphere), grid, 0.0f, true, colours);
  ASSERT_EQ(mesh.colours.size(), mesh.positions.size());
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    for (int c = 0; c < 3; ++c) {
      ASSERT_NEAR(mesh.colours[i][c], 255 * (double{mesh.positions[i][c]} + 10) / 20, 0.51);
    }
    ASSERT_EQ(mesh.colours[i].a, 255);
  }
}

TEST_P(MarchingCubesTest, ValuesEqualToTheIsovalueAreOutside) {
  const Grid grid = make_grid({0, 0, 0}, {1, 1, 1}, {3, 3, 3});
  std::vector<float> volume(27, 0.5f);
  EXPECT_TRUE(surface(GetParam(), volume, grid, 0.5f).triangles.empty());
  volume[13] = 1.0f;
  const Mesh mesh = surface(GetParam(), volume, grid, 0.5f);
  EXPECT_EQ(mesh.triangles.size(), 8u);
  EXPECT_EQ(mesh.positions.size(), 6u);
  EXPECT_EQ(euler_characteristic(mesh), 2);
}

TEST_P(MarchingCubesTest, NotANumberIsOutsideAndNothingElseBreaks) {
  const Grid grid = make_grid({-9.5, -9.4, -9.6}, {0.8, 0.8, 0.8}, {25, 25, 25});
  std::vector<float> volume = sample(grid, sphere);
  Random random(5);
  for (std::size_t i = 0; i < volume.size(); i += 97) {
    const float odd[] = {NAN, INFINITY, -INFINITY};
    volume[i] = odd[i / 97 % 3];
  }
  // Infinite values at the border would open the surface.
  for (int k = 0; k < 25; ++k) {
    for (int j = 0; j < 25; ++j) {
      for (int i = 0; i < 25; ++i) {
        if (i % 24 == 0 || j % 24 == 0 || k % 24 == 0) volume[grid.index(i, j, k)] = -1;
      }
    }
  }
  const Mesh mesh = surface(GetParam(), volume, grid, 0.0f);
  expect_closed(mesh);
  EXPECT_FALSE(mesh.positions.empty());
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    ASSERT_TRUE(std::isfinite(glm::dot(mesh.positions[i], mesh.normals[i])));
    ASSERT_NEAR(glm::length(mesh.normals[i]), 1, 1e-5);
  }
}

TEST_P(MarchingCubesTest, EmptyAndFlatVolumesHaveNoSurface) {
  for (const glm::ivec3 counts : {glm::ivec3(0, 0, 0), {1, 1, 1}, {5, 1, 5}, {1, 40, 40}, {40, 40, 1}, {35, 4, 4}}) {
    const Grid grid = make_grid({0, 0, 0}, {1, 1, 1}, counts);
    std::vector<float> volume(grid.size(), 0.0f);
    EXPECT_TRUE(surface(GetParam(), volume, grid, 0.5f).positions.empty());
    if (counts.x < 2 || counts.y < 2 || counts.z < 2) {
      for (std::size_t i = 0; i < volume.size(); i += 2) volume[i] = 1;
      EXPECT_TRUE(surface(GetParam(), volume, grid, 0.5f).positions.empty());
    }
  }
}

TEST_P(MarchingCubesTest, BothStepsAtOnceFillWhatFitsAndSayWhatIsNeeded) {
  const Grid grid = make_grid({-9.5, -9.4, -9.6}, {0.4, 0.4, 0.4}, {49, 49, 49});
  const std::vector<float> values = sample(grid, sphere);
  const Device device = GetParam();
  const Mesh expected = surface(device, values, grid, 0.0f);
  const auto there = DeviceArray<float>::from_host(values, device);
  MarchingCubes cubes(there.span(), grid, {0.0f, true});
  Job job;
  Stream stream(device);
  const std::size_t vertices = expected.positions.size(), triangles = expected.triangles.size();
  // Beyond what is said to be room nothing is written.
  constexpr float untouched = 12345;
  const std::vector<glm::vec3> mark(vertices + 20, glm::vec3(untouched));
  auto positions = DeviceArray<glm::vec3>::from_host(mark, device);
  auto normals = DeviceArray<glm::vec3>::from_host(mark, device);
  auto indices = DeviceArray<glm::uvec3>::from_host(std::vector<glm::uvec3>(triangles + 20, glm::uvec3(77)), device);
  const auto start = [&](std::size_t vertex_room, std::size_t triangle_room) {
    cubes.start({positions.data(), vertex_room, device}, {normals.data(), vertex_room, device},
                {indices.data(), triangle_room, device}, {}, {}, stream, job);
    stream.synchronize();
    return cubes.finish();
  };
  if (!device.is_cuda()) {
    EXPECT_FALSE(cubes.can_start());
    EXPECT_THROW(start(vertices, triangles), Error);
    return;
  }
  ASSERT_TRUE(cubes.can_start());
  for (const auto& [vertex_room, triangle_room] :
       {std::pair(vertices / 2, triangles / 3), std::pair(vertices, triangles),
        std::pair(vertices + 10, triangles + 10)}) {
    const SurfaceCounts counts = start(vertex_room, triangle_room);
    EXPECT_EQ(counts.vertices, vertices);
    EXPECT_EQ(counts.triangles, triangles);
    const auto got = positions.copy_to_host();
    const auto got_normals = normals.copy_to_host();
    const auto got_indices = indices.copy_to_host();
    const std::size_t filled = std::min(vertices, vertex_room), filled_triangles = std::min(triangles, triangle_room);
    for (std::size_t i = 0; i < filled; ++i) {
      ASSERT_EQ(got[i], expected.positions[i]);
      ASSERT_EQ(got_normals[i], expected.normals[i]);
    }
    for (std::size_t i = filled; i < got.size(); ++i) ASSERT_EQ(got[i], glm::vec3(untouched));
    for (std::size_t i = 0; i < filled_triangles; ++i) ASSERT_EQ(got_indices[i], expected.triangles[i]);
    for (std::size_t i = filled_triangles; i < got_indices.size(); ++i) ASSERT_EQ(got_indices[i], glm::uvec3(77));
  }
}

TEST_P(MarchingCubesTest, RefusesWhatMakesNoSense) {
  const Device device = GetParam();
  const Grid grid = make_grid({0, 0, 0}, {1, 1, 1}, {4, 4, 4});
  EXPECT_THROW(surface(device, std::vector<float>(63), grid, 0.5f), Error);
  EXPECT_THROW(surface(device, std::vector<float>(64), grid, NAN), Error);
  Job job;
  DeviceArray<float> volume = DeviceArray<float>::from_host(std::vector<float>(64, 0.0f), device);
  MarchingCubes cubes(volume.span(), grid, {});
  EXPECT_THROW(cubes.fill({}, {}, {}, {}, {}, job), Error);
}

TEST_P(MarchingCubesTest, StopsWhenCancelled) {
  const Grid grid = make_grid({-9.5, -9.4, -9.6}, {0.2, 0.2, 0.2}, {97, 97, 97});
  const auto volume = DeviceArray<float>::from_host(sample(grid, sphere), GetParam());
  expect_cancelled(GetParam(), [&](Job& job) { marching_cubes(volume.span(), grid, {}, {}, job); });
}

}  // namespace
}  // namespace isolume
