// The Gaussian density: one atom's formula, the double-precision reference, colours, and the borders.
#include "compute/density/gaussian_density.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "tests/compute/isosurface/surface_meshes.h"

namespace isolume {
namespace {

using namespace test;
using GaussianDensity = OnDevice;
ISOLUME_ON_EVERY_DEVICE(GaussianDensity);

struct Result {
  std::vector<float> density;
  std::vector<glm::vec3> colours;
};

Result density(Device device, const std::vector<DensityAtom>& atoms, const Grid& grid,
               const GaussianDensityOptions& options = {}, bool coloured = true) {
  Job job;
  DeviceArray<float> rho(grid.size(), device);
  DeviceArray<glm::vec3> colours(coloured ? grid.size() : 0, device);
  gaussian_density(atoms, grid, options, rho.span(), colours.span(), job);
  return {rho.copy_to_host(), colours.copy_to_host()};
}

TEST_P(GaussianDensity, OneAtomIsAGaussianThatFallsToZeroAtItsCutoff) {
  const DensityAtom atom{{0.3f, -0.4f, 0.2f}, 1.7f, {0.25f, 0.5f, 1.0f}};
  GaussianDensityOptions options;
  options.radius_scale = 0.9f;
  options.cutoff_sigmas = 3.0f;
  const Grid grid = make_grid({-7, -6, -8}, {0.47, 0.53, 0.61}, {33, 25, 27});
  const Result result = density(GetParam(), {atom}, grid, options);
  const double sigma = double{options.radius_scale} * double{atom.radius};
  const double cutoff = double{options.cutoff_sigmas} * sigma;
  const std::vector<glm::dvec3> points = grid_points(grid);
  std::size_t inside = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double r = glm::distance(points[i], glm::dvec3(atom.position));
    const double expected =
        r < cutoff ? std::exp(-r * r / (2 * sigma * sigma)) - std::exp(-4.5) * r * r / (cutoff * cutoff) : 0;
    ASSERT_NEAR(result.density[i], expected, 1e-6) << "at distance " << r;
    if (std::abs(r - cutoff) < 1e-4 * cutoff) continue;  // colours end where the density is 0
    const glm::vec3 colour = r < cutoff ? atom.colour : glm::vec3(0);
    for (int c = 0; c < 3; ++c) ASSERT_NEAR(result.colours[i][c], colour[c], 1e-6);
    inside += r < cutoff;
  }
  // As many points as the sphere's volume holds, to a few per cent.
  const double volume = 4.0 / 3 * 3.14159265358979 * cutoff * cutoff * cutoff;
  EXPECT_NEAR(static_cast<double>(inside) * 0.47 * 0.53 * 0.61, volume, 0.05 * volume);
}

TEST_P(GaussianDensity, AgreesWithTheReferenceAtRaggedSizes) {
  const GaussianDensityOptions options;
  for (const std::size_t count : {0, 1, 31, 32, 33, 1023, 1025}) {
    for (const Grid& grid :
         {make_grid({0.2, 0.1, -0.3}, {1, 1, 1}, {1, 1, 1}), make_grid({-15, 0.1, 0.2}, {0.5, 1, 1}, {67, 1, 1}),
          make_grid({0.3, -9, 0.2}, {1, 0.55, 1}, {1, 33, 1}), make_grid({-9, -9, -9}, {1.0, 0.9, 0.8}, {19, 21, 23}),
          make_grid({5, 5, -5}, {-0.3, -0.35, 0.4}, {33, 31, 17})}) {
      const std::vector<DensityAtom> atoms = random_atoms(count, 3 + count, 0.5 * std::cbrt((count + 1.0) / 0.1));
      std::vector<double> expected(grid.size());
      std::vector<glm::dvec3> expected_colours(grid.size());
      gaussian_density_reference(atoms, grid, options, expected, expected_colours);
      const Result result = density(GetParam(), atoms, grid, options);
      const Result plain = density(GetParam(), atoms, grid, options, false);
      EXPECT_EQ(plain.density, result.density);
      const double scale = std::max(1e-30, *std::max_element(expected.begin(), expected.end()));
      const std::vector<glm::dvec3> points = grid_points(grid);
      for (std::size_t i = 0; i < points.size(); ++i) {
        ASSERT_NEAR(result.density[i], expected[i], 1e-5 * scale) << count << " atoms, point " << i;
        if (expected[i] > 0 && expected[i] < 1e-3) continue;  // colours are divided by what is hardly there
        for (int c = 0; c < 3; ++c) ASSERT_NEAR(result.colours[i][c], expected_colours[i][c], 1e-5) << expected[i];
      }
    }
  }
}

// A density with steps at the cutoffs has more area the finer its grid is: 4 % from the first of these to the last.
TEST_P(GaussianDensity, AreasOfItsSurfaceConverge) {
  const std::vector<DensityAtom> atoms = random_atoms(150, 5, 6);
  GaussianDensityOptions options;
  options.radius_scale = 0.7f;
  Job job;
  std::vector<double> areas;
  for (const double spacing : {0.4, 0.2, 0.1}) {
    const Grid grid = gaussian_density_grid(atoms, options, spacing);
    DeviceArray<float> values(grid.size(), GetParam());
    gaussian_density(atoms, grid, options, values.span(), {}, job);
    areas.push_back(
        surface_area(marching_cubes(values.span(), grid, MarchingCubesOptions{0.5f, true}, SurfaceColours{}, job)));
  }
  EXPECT_NEAR(areas[0], areas[2], 0.01 * areas[2]);
  EXPECT_NEAR(areas[1], areas[2], 0.004 * areas[2]);
}

TEST_P(GaussianDensity, TakesAtomsOfVeryDifferentSizes) {
  std::vector<DensityAtom> atoms = random_atoms(200, 9, 6);
  atoms.push_back({{1, 2, -1}, 9.0f, {1, 0, 0}});
  atoms.push_back({{-2, 0.5f, 1}, 0.15f, {0, 1, 0}});
  atoms.push_back({{500, 0, 0}, 1.5f, {0, 1, 0}});
  const GaussianDensityOptions options;
  const Grid grid = make_grid({-8, -8, -8}, {0.5, 0.5, 0.5}, {33, 33, 33});
  std::vector<double> expected(grid.size());
  gaussian_density_reference(atoms, grid, options, expected, {});
  const Result result = density(GetParam(), atoms, grid, options);
  const std::vector<glm::dvec3> points = grid_points(grid);
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_NEAR(result.density[i], expected[i], 1e-4) << i;
  }
}

TEST_P(GaussianDensity, KeepsItsAccuracyFarFromTheOrigin) {
  std::vector<DensityAtom> atoms = random_atoms(100, 4, 4);
  for (DensityAtom& atom : atoms) atom.position += glm::vec3(4096, -2048, 8192);
  const GaussianDensityOptions options;
  const Grid grid = make_grid({4090, -2054, 8186}, {0.5, 0.5, 0.5}, {25, 25, 25});
  std::vector<double> expected(grid.size());
  gaussian_density_reference(atoms, grid, options, expected, {});
  const Result result = density(GetParam(), atoms, grid, options);
  const std::vector<glm::dvec3> points = grid_points(grid);
  const double scale = *std::max_element(expected.begin(), expected.end());
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_NEAR(result.density[i], expected[i], 1e-5 * scale) << i;
  }
}

TEST_P(GaussianDensity, ItsGridHoldsTheWholeSurface) {
  const std::vector<DensityAtom> atoms = random_atoms(50, 8, 5);
  const GaussianDensityOptions options;
  const Grid grid = gaussian_density_grid(atoms, options, 0.6);
  const Result result = density(GetParam(), atoms, grid, options);
  double border = 0;
  double largest = 0;
  for (int k = 0; k < grid.counts.z; ++k) {
    for (int j = 0; j < grid.counts.y; ++j) {
      for (int i = 0; i < grid.counts.x; ++i) {
        const glm::ivec3 at(i, j, k);
        const double value = double{result.density[grid.index(i, j, k)]};
        const bool outer = glm::any(glm::equal(at, glm::ivec3(0))) || glm::any(glm::equal(at, grid.counts - 1));
        (outer ? border : largest) = std::max(outer ? border : largest, value);
      }
    }
  }
  EXPECT_EQ(border, 0);
  EXPECT_GT(largest, 0.9);
}

/// Atoms thrown into a box, so thinly that the surface has holes and is in about half of the tiles.
std::vector<DensityAtom> thin_atoms(double side) {
  std::mt19937 engine(11);
  std::uniform_real_distribution<float> at(0, static_cast<float>(side)), part(0, 1);
  std::vector<DensityAtom> atoms(static_cast<std::size_t>(0.045 * side * side * side));
  for (DensityAtom& a : atoms) {
    a.position = {at(engine), at(engine), at(engine)};
    a.radius = 1.2f + 0.6f * part(engine);
    a.colour = {part(engine), part(engine), part(engine)};
  }
  return atoms;
}

template <class Value, class Colour>
void expect_same_surface(Device device, const std::vector<DensityAtom>& atoms, const Grid& grid, float isovalue,
                         Colour unset) {
  Job job;
  DensityWorkspace workspace;
  const DensityAtoms there(atoms, device);
  DeviceArray<Value> all(grid.size(), device), some(grid.size(), device);
  DeviceArray<Colour> all_colours(grid.size(), device);
  auto some_colours = DeviceArray<Colour>::from_host(std::vector<Colour>(grid.size(), unset), device);
  GaussianDensityOptions options;
  gaussian_density(there, grid, options, all.span(), all_colours.span(), job, workspace);
  options.coloured_surface = isovalue;
  gaussian_density(there, grid, options, some.span(), some_colours.span(), job, workspace);
  const MarchingCubesOptions cut{isovalue, true};
  const Mesh expected = marching_cubes(all.span(), grid, cut, all_colours.span(), job);
  const Mesh mesh = marching_cubes(some.span(), grid, cut, some_colours.span(), job);
  expect_same(mesh, expected);
  EXPECT_GT(mesh.triangles.size(), 1000u);
  if (device.is_cuda()) return;
  const auto colours = some_colours.copy_to_host();
  const auto same = std::count_if(colours.begin(), colours.end(),
                                  [&](const Colour& c) { return std::memcmp(&c, &unset, sizeof(c)) == 0; });
  EXPECT_GT(same, static_cast<std::ptrdiff_t>(grid.size() / 8)) << "far from the surface no colours are formed";
}

TEST_P(GaussianDensity, ColoursForASurfaceAloneAreThoseOfAllPoints) {
  const auto atoms = thin_atoms(44);
  // Ragged, with a step downwards, and with one of a single layer of tiles.
  for (const Grid& grid :
       {make_grid({-5, -5, -5}, {0.7, 0.8, 0.9}, {77, 69, 61}), make_grid({49, -4, -6}, {-0.9, 1.1, 0.8}, {60, 49, 71}),
        make_grid({-3, -3, 20}, {0.8, 0.8, 0.8}, {64, 64, 16})}) {
    for (const float isovalue : {0.5f, 1.4f}) {
      expect_same_surface<float, glm::vec3>(GetParam(), atoms, grid, isovalue, glm::vec3(7));
    }
    expect_same_surface<float, glm::u8vec4>(GetParam(), atoms, grid, 0.5f, glm::u8vec4(1, 2, 3, 4));
    expect_same_surface<Half, HalfColour>(GetParam(), atoms, grid, 0.5f, HalfColour{{1}, {2}, {3}, {4}});
    expect_same_surface<Unorm8, glm::u8vec4>(GetParam(), atoms, grid, 0.5f, glm::u8vec4(1, 2, 3, 4));
  }
}

TEST_P(GaussianDensity, InAStreamIsTheSame) {
  std::vector<DensityAtom> atoms = thin_atoms(30);
  const Grid grid = make_grid({-5, -5, -5}, {0.8, 0.8, 0.8}, {50, 50, 50});
  const Device device = GetParam();
  Job job;
  DensityWorkspace workspace;
  DensityAtoms there(atoms, device);
  DeviceArray<float> values(grid.size(), device);
  Stream stream(device);
  if (!device.is_cuda()) {
    EXPECT_THROW(start_gaussian_density(there, grid, {}, values.span(), {}, stream, job, workspace), Error);
    return;
  }
  std::vector<glm::vec3> positions;
  for (const float by : {0.0f, 0.7f}) {
    positions.clear();
    for (DensityAtom& atom : atoms) positions.push_back(atom.position += by);
    there.move(positions, job, &stream);
    start_gaussian_density(there, grid, {}, values.span(), {}, stream, job, workspace);
    stream.synchronize();
    finish_gaussian_density(workspace);
    EXPECT_EQ(values.copy_to_host(), density(device, atoms, grid, {}, false).density) << by;
  }
  positions[5].y = std::numeric_limits<float>::infinity();
  there.move(positions, job, &stream);
  start_gaussian_density(there, grid, {}, values.span(), {}, stream, job, workspace);
  stream.synchronize();
  EXPECT_THROW(finish_gaussian_density(workspace), Error);
}

TEST_P(GaussianDensity, RefusesWhatMakesNoSense) {
  const Device device = GetParam();
  const Grid grid = make_grid({0, 0, 0}, {1, 1, 1}, {3, 3, 3});
  EXPECT_THROW(density(device, {{{0, 0, 0}, 0.0f, {}}}, grid), Error);
  EXPECT_THROW(density(device, {{{0, 0, NAN}, 1.0f, {}}}, grid), Error);
  EXPECT_THROW(density(device, {}, make_skewed_grid({0, 0, 0}, 1, {3, 3, 3})), Error);
  GaussianDensityOptions options;
  options.radius_scale = -1;
  EXPECT_THROW(density(device, {}, grid, options), Error);
  EXPECT_TRUE(density(device, {}, make_grid({0, 0, 0}, {1, 1, 1}, {3, 0, 3})).density.empty());
}

TEST_P(GaussianDensity, StopsWhenCancelled) {
  const std::vector<DensityAtom> atoms = random_atoms(20000, 2, 30);
  const Grid grid = make_grid({-34, -34, -34}, {0.5, 0.5, 0.5}, {137, 137, 137});
  DeviceArray<float> out(grid.size(), GetParam());
  expect_cancelled(GetParam(), [&](Job& job) { gaussian_density(atoms, grid, {}, out.span(), {}, job); });
}

}  // namespace
}  // namespace isolume
