// Surfaces of known shapes and of nonsense: convergence, halves and 8 bits next to floats, scalars, random volumes.
#include "molecule/base/units.h"
#include "tests/compute/isosurface/surface_meshes.h"

namespace isolume {
namespace {

using namespace test;
using SurfaceShapes = OnDevice;
ISOLUME_ON_EVERY_DEVICE(SurfaceShapes);

template <class T>
Mesh surface(Device device, const std::vector<T>& volume, const Grid& grid, const MarchingCubesOptions& options = {}) {
  Job job;
  const auto there = DeviceArray<T>::from_host(volume, device);
  return marching_cubes(there.span(), grid, options, {}, job);
}

struct Shape {
  const char* name;
  double (*inside)(glm::dvec3);  ///< distance to the surface, positive inside
  double area, volume;
  long euler;
  double ratio;  ///< by which the error falls at least where the step is halved
};

// Two spheres of radius 3 with centres 4 apart: each loses a cap of height 1.
constexpr double cap = 1;
const Shape shapes[] = {
    {"sphere", [](glm::dvec3 p) { return 4 - glm::length(p - glm::dvec3(0.13, -0.07, 0.21)); }, 4 * units::pi * 16,
     4.0 / 3 * units::pi * 64, 2, 3},
    {"torus", [](glm::dvec3 p) { return 1.5 - std::hypot(std::hypot(p.x, p.y) - 3.2, p.z - 0.11); },
     4 * units::pi* units::pi * 3.2 * 1.5, 2 * units::pi* units::pi * 3.2 * 1.5 * 1.5, 0, 3},
    {"overlapping spheres",
     [](glm::dvec3 p) {
       return 3 - std::min(glm::length(p - glm::dvec3(2.05, 0, 0)), glm::length(p + glm::dvec3(1.95, 0, 0)));
     },
     2 * (4 * units::pi * 9 - 2 * units::pi * 3 * cap),
     2 * (4.0 / 3 * units::pi * 27 - units::pi * cap * cap * (9 - cap) / 3), 2, 1.5},
};

TEST_P(SurfaceShapes, AreasAndVolumesConverge) {
  for (const Shape& shape : shapes) {
    double last_area = 0;
    double last_volume = 0;
    for (const int n : {24, 48, 96}) {
      const double h = 12.0 / (n - 1);
      const Grid grid = make_grid({-6, -6, -6}, {h, h, h}, {n, n, n});
      const Mesh mesh = surface(GetParam(), sampled(grid, shape.inside), grid, {0, true});
      EXPECT_EQ(euler_characteristic(mesh), shape.euler) << shape.name << " at " << n;
      const double area = std::abs(surface_area(mesh) / shape.area - 1);
      const double volume = std::abs(enclosed_volume(mesh) / shape.volume - 1);
      if (n == 96) {
        EXPECT_LT(area, 0.004) << shape.name;
        EXPECT_LT(volume, 0.004) << shape.name;
      }
      if (n > 24) {
        EXPECT_LT(area, last_area / shape.ratio) << shape.name << " at " << n;
        EXPECT_LT(volume, last_volume / shape.ratio) << shape.name << " at " << n;
      }
      last_area = area;
      last_volume = volume;
    }
  }
}

/// Distance of each vertex of a typed volume's surface from where the edge crosses in double precision, in steps.
template <class T>
std::pair<double, double> displacement(Device device, const std::vector<DensityAtom>& atoms, const Grid& grid) {
  Job job;
  DeviceArray<T> rho(grid.size(), device);
  gaussian_density(atoms, grid, {}, rho.span(), {}, job);
  const Mesh mesh = marching_cubes(rho.span(), grid, {}, {}, job);
  std::vector<double> exact(grid.size());
  gaussian_density_reference(atoms, grid, {}, exact, {});
  double largest = 0;
  double squares = 0;
  for (const glm::vec3 p : mesh.positions) {
    const glm::dvec3 at = grid.coordinates(glm::dvec3(p));
    int axis = 0;
    for (int a = 1; a < 3; ++a) {
      if (std::abs(at[a] - std::round(at[a])) > std::abs(at[axis] - std::round(at[axis]))) axis = a;
    }
    glm::ivec3 low(glm::round(at));
    low[axis] = std::min(static_cast<int>(std::floor(at[axis])), grid.counts[axis] - 2);
    glm::ivec3 high = low;
    ++high[axis];
    const double a = exact[grid.index(low.x, low.y, low.z)];
    const double b = exact[grid.index(high.x, high.y, high.z)];
    const double off = std::abs(std::clamp((0.5 - a) / (b - a), 0.0, 1.0) - (at[axis] - low[axis]));
    largest = std::max(largest, off);
    squares += off * off;
  }
  EXPECT_GT(mesh.positions.size(), 1000u);
  return {largest, std::sqrt(squares / static_cast<double>(mesh.positions.size()))};
}

TEST_P(SurfaceShapes, VerticesOfFloatsHalvesAndBytesAreWhereTheyShould) {
  // A coil of atoms, as a chain molecule has.
  std::vector<DensityAtom> atoms;
  for (int i = 0; i < 60; ++i) {
    const double turn = 1.745 * i;
    atoms.push_back({glm::vec3(2.3 * std::cos(turn), 2.3 * std::sin(turn), 0.75 * i - 22), i % 3 ? 1.7f : 1.2f, {}});
  }
  const Grid grid = gaussian_density_grid(atoms, {}, 0.7);
  const auto floats = displacement<float>(GetParam(), atoms, grid);
  EXPECT_LT(floats.first, 0.01);
  const auto halves = displacement<Half>(GetParam(), atoms, grid);
  EXPECT_LT(halves.first, 0.05);
  const auto bytes = displacement<Unorm8>(GetParam(), atoms, grid);
  EXPECT_LT(bytes.first, 0.25);
  EXPECT_LT(bytes.second, 0.02);
  RecordProperty("float", std::to_string(floats.first) + " rms " + std::to_string(floats.second));
  RecordProperty("half", std::to_string(halves.first) + " rms " + std::to_string(halves.second));
  RecordProperty("unorm8", std::to_string(bytes.first) + " rms " + std::to_string(bytes.second));
}

TEST_P(SurfaceShapes, ElementsHoldWhatTheirFormatsSay) {
  for (int bits = 0; bits < 0x10000; ++bits) {
    const Half half{static_cast<std::uint16_t>(bits)};
    const float value = to_float(half);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(to_float(from_float<Half>(value))));
      continue;
    }
    ASSERT_EQ(from_float<Half>(value).bits, half.bits) << value;
    if ((bits & 0x7c00) == 0x7c00) continue;
    // By the format: sign, 5 bits of exponent, 10 of fraction.
    const int exponent = bits >> 10 & 31;
    const double expected =
        (bits & 0x8000 ? -1 : 1) * std::ldexp((bits & 1023) + (exponent ? 1024 : 0), std::max(exponent, 1) - 25);
    ASSERT_EQ(static_cast<double>(value), expected);
  }
  EXPECT_EQ(from_float<Half>(65519.0f).bits, 0x7bff);
  EXPECT_EQ(from_float<Half>(65520.0f).bits, 0x7c00);
  EXPECT_EQ(from_float<Half>(1 + 0x1p-11f).bits, from_float<Half>(1.0f).bits) << "ties to even";
  EXPECT_EQ(from_float<Half>(1 + 0x3p-11f).bits, from_float<Half>(1 + 0x1p-9f).bits);
  EXPECT_EQ(from_float<Unorm8>(NAN).bits, 0);
  EXPECT_EQ(from_float<Unorm8>(0.5f).bits, 128);
  EXPECT_EQ(from_float<Unorm8>(7.0f).bits, 255);
  // The device writes what the host would.
  const std::vector<DensityAtom> atoms = random_atoms(300, 5, 6);
  const Grid grid = make_grid({-7, -7, -7}, {0.6, 0.6, 0.6}, {25, 24, 23});
  Job job;
  DeviceArray<float> floats(grid.size(), GetParam());
  DeviceArray<Half> halves(grid.size(), GetParam());
  DeviceArray<Unorm8> bytes(grid.size(), GetParam());
  DeviceArray<glm::vec3> tints(grid.size(), GetParam());
  DeviceArray<HalfColour> half_tints(grid.size(), GetParam());
  DeviceArray<glm::u8vec4> byte_tints(grid.size(), GetParam());
  gaussian_density(atoms, grid, {}, floats.span(), tints.span(), job);
  gaussian_density(atoms, grid, {}, halves.span(), half_tints.span(), job);
  gaussian_density(atoms, grid, {}, bytes.span(), byte_tints.span(), job);
  const auto f = floats.copy_to_host();
  const auto h = halves.copy_to_host();
  const auto b = bytes.copy_to_host();
  const auto t = tints.copy_to_host();
  const auto ht = half_tints.copy_to_host();
  const auto bt = byte_tints.copy_to_host();
  for (std::size_t i = 0; i < f.size(); ++i) {
    ASSERT_EQ(h[i].bits, from_float<Half>(f[i]).bits) << f[i];
    ASSERT_NEAR(b[i].bits, 255 * std::min(1.0f, f[i]), 0.5001);
    ASSERT_NEAR(to_float(ht[i].green), t[i].y, 0x1p-11f);
    ASSERT_NEAR(bt[i].z, 255 * t[i].z, 0.5001);
  }
}

TEST_P(SurfaceShapes, HalvesAndBytesCutWhereTheirOwnValuesAre) {
  // Marching cubes of a typed volume is that of its values as floats.
  const Grid grid = make_grid({-5, -5, -5}, {0.4, 0.4, 0.4}, {26, 27, 25});
  const auto volume = sampled(grid, [](glm::dvec3 p) { return std::exp(-0.1 * glm::dot(p, p)); });
  const auto compare = [&](auto example) {
    using T = decltype(example);
    std::vector<T> typed;
    std::vector<float> floats;
    for (const float value : volume) {
      typed.push_back(from_float<T>(value));
      floats.push_back(to_float(typed.back()));
    }
    const Mesh a = surface(GetParam(), typed, grid);
    const Mesh b = surface(GetParam(), floats, grid);
    EXPECT_EQ(a.triangles, b.triangles);
    ASSERT_EQ(a.positions.size(), b.positions.size());
    // Compilers may round the kernels of different elements differently.
    for (std::size_t i = 0; i < a.positions.size(); ++i) {
      ASSERT_LT(glm::distance(a.positions[i], b.positions[i]), 1e-5f);
      ASSERT_LT(glm::distance(a.normals[i], b.normals[i]), 1e-5f);
    }
  };
  compare(Half{});
  compare(Unorm8{});
}

TEST_P(SurfaceShapes, AScalarColoursTheVerticesOnAndOffTheSurface) {
  const Grid grid = make_grid({-6, -6, -6}, {0.3, 0.3, 0.3}, {41, 41, 41});
  const auto ball =
      DeviceArray<float>::from_host(sampled(grid, [](glm::dvec3 p) { return 4 - glm::length(p); }), GetParam());
  // Linear functions are interpolated exactly.
  const auto scalars =
      DeviceArray<float>::from_host(sampled(grid, [](glm::dvec3 p) { return p.x - 0.5 * p.z; }), GetParam());
  SurfaceColours by;
  by.scalars = scalars.span();
  by.lower = -8;
  by.upper = 8;
  by.map = {{0, 0, 1}, {1, 1, 1}, {1, 0, 0}};
  Job job;
  for (const float offset : {0.0f, 1.4f}) {
    by.offset = offset;
    const Mesh mesh = marching_cubes(ball.span(), grid, {0, true}, by, job);
    ASSERT_EQ(mesh.colours.size(), mesh.positions.size());
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
      const glm::dvec3 p = glm::dvec3(mesh.positions[i]) + double{offset} * glm::dvec3(mesh.normals[i]);
      const double at = (p.x - 0.5 * p.z + 8) / 8;  // 0 blue, 1 white, 2 red
      ASSERT_NEAR(mesh.colours[i].r, 255 * std::min(1.0, at), 0.6);
      ASSERT_NEAR(mesh.colours[i].g, 255 * (at < 1 ? at : 2 - at), 0.6);
      ASSERT_NEAR(mesh.colours[i].b, 255 * std::min(1.0, 2 - at), 0.6);
    }
  }
  by.map.resize(1);
  EXPECT_THROW(marching_cubes(ball.span(), grid, {0, true}, by, job), Error);
  by.map.resize(3);
  by.upper = by.lower;
  EXPECT_THROW(marching_cubes(ball.span(), grid, {0, true}, by, job), Error);
}

TEST_P(SurfaceShapes, AnyVolumeGivesASoundMesh) {
  Random random(99);
  for (int round = 0; round < 200; ++round) {
    const auto side = [&] { return static_cast<int>(random(0, 1) < 0.2 ? random(1, 3) : random(1, 38)); };
    const glm::ivec3 counts(side(), side(), side());
    const Grid grid =
        round % 3 ? make_grid({-1, 2, 3}, {0.5, 0.7, -0.6}, counts) : make_skewed_grid({0, 1, 2}, 0.4, counts);
    const double odd = round % 4 == 0 ? 0.0 : random(0, 0.3);
    const bool constant = round % 10 == 9;
    std::vector<float> volume;
    for (std::size_t i = 0; i < grid.size(); ++i) {
      constexpr float oddities[] = {NAN, INFINITY, -INFINITY, 0.25f, -0.0f, 1e-42f, 3e38f, -3e38f};
      const bool is_odd = random(0, 1) < odd;
      volume.push_back(constant ? 0.25f
                       : is_odd ? oddities[static_cast<int>(random(0, 7.999))]
                                : static_cast<float>(random(-1, 1)));
    }
    const MarchingCubesOptions options{0.25f, round % 2 == 0};
    const Mesh mesh = surface(GetParam(), volume, grid, options);
    if (constant || counts.x < 2 || counts.y < 2 || counts.z < 2) {
      ASSERT_TRUE(mesh.positions.empty());
      continue;
    }
    if (GetParam().is_cuda()) {
      ASSERT_EQ(mesh.triangles, surface(Device::cpu(), volume, grid, options).triangles);
    }
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
      const glm::dvec3 at = grid.coordinates(glm::dvec3(mesh.positions[i]));
      for (int axis = 0; axis < 3; ++axis) {
        ASSERT_GT(at[axis], -1e-4);
        ASSERT_LT(at[axis], counts[axis] - 1 + 1e-4);
      }
      ASSERT_NEAR(glm::length(mesh.normals[i]), 1, 1e-5);
    }
    const auto border = [&](unsigned vertex) {
      const glm::dvec3 at = grid.coordinates(glm::dvec3(mesh.positions[vertex]));
      for (int axis = 0; axis < 3; ++axis) {
        if (at[axis] < 1e-4 || at[axis] > counts[axis] - 1 - 1e-4) return true;
      }
      return false;
    };
    const auto sides = sides_of(mesh);
    for (const auto& [ends, count] : sides) {
      ASSERT_NE(ends.first, ends.second);
      ASSERT_LT(ends.first, mesh.positions.size());
      ASSERT_EQ(count, 1);
      // Open at the border alone.
      const bool open = !sides.contains({ends.second, ends.first});
      ASSERT_TRUE(!open || (border(ends.first) && border(ends.second)));
    }
  }
}

}  // namespace
}  // namespace isolume
