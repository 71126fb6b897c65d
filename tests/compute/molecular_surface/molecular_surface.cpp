// Molecular surfaces: closed formulas of one and two atoms, the double-precision enumeration, and their meshes.
#include "compute/molecular_surface/molecular_surface.h"

#include "compute/isosurface/marching_cubes.h"
#include "tests/compute/base/devices.h"

namespace isolume {
namespace {

using namespace test;
using MolecularSurface = OnDevice;
ISOLUME_ON_EVERY_DEVICE(MolecularSurface);

constexpr double pi = 3.14159265358979323846;

struct Result {
  std::vector<float> depth;
  std::vector<glm::vec3> colours;
};

Result surface(Device device, const std::vector<DensityAtom>& atoms, const Grid& grid,
               const MolecularSurfaceOptions& options, bool coloured = false) {
  Job job;
  DeviceArray<float> depth(grid.size(), device);
  DeviceArray<glm::vec3> colours(coloured ? grid.size() : 0, device);
  molecular_surface(atoms, grid, options, depth.span(), colours.span(), job);
  return {depth.copy_to_host(), colours.copy_to_host()};
}

Mesh mesh_of(Device device, const std::vector<DensityAtom>& atoms, const MolecularSurfaceOptions& options,
             double spacing) {
  Job job;
  const Grid grid = molecular_surface_grid(atoms, options, spacing);
  DeviceArray<float> depth(grid.size(), device);
  molecular_surface(atoms, grid, options, depth.span(), {}, job);
  return marching_cubes(depth.span(), grid, {0, true}, {}, job);
}

/// A clump as atoms lie in a molecule: no two closer than 1.2 angstrom.
std::vector<DensityAtom> clump(std::size_t count, std::uint64_t seed, double half) {
  Random random(seed);
  std::vector<DensityAtom> atoms;
  while (atoms.size() < count) {
    const glm::dvec3 p = random.in_box(-half, half);
    bool free = true;
    for (const DensityAtom& atom : atoms) free = free && glm::distance(p, glm::dvec3(atom.position)) > 1.2;
    if (free) atoms.push_back({glm::vec3(p), static_cast<float>(random(1.1, 1.9)), glm::vec3(random.in_box(0, 1))});
  }
  return atoms;
}

TEST_P(MolecularSurface, of_one_atom_is_a_sphere) {
  const std::vector<DensityAtom> atom = {{{0.3f, -0.2f, 0.1f}, 1.7f, {0.25f, 0.5f, 1.0f}}};
  for (const auto kind : {SolventSurface::excluded, SolventSurface::accessible}) {
    const MolecularSurfaceOptions options{kind, 1.4f};
    const double radius = kind == SolventSurface::excluded ? 1.7 : 3.1;
    const Grid grid = molecular_surface_grid(atom, options, 0.37);
    const Result result = surface(GetParam(), atom, grid, options, true);
    const double reach = molecular_surface_reach(grid);
    const std::vector<glm::dvec3> points = grid_points(grid);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double depth = radius - glm::distance(points[i], glm::dvec3(atom[0].position));
      if (std::abs(depth) < reach)
        ASSERT_NEAR(result.depth[i], depth, 1e-5) << i;
      else
        ASSERT_GT(result.depth[i] * depth, 0) << i;
      if (depth > 0) {
        ASSERT_EQ(result.colours[i], atom[0].colour);
      }
    }
    // Second order in the spacing, from below.
    for (const double spacing : {0.4, 0.2, 0.1}) {
      const Mesh mesh = mesh_of(GetParam(), atom, options, spacing);
      EXPECT_EQ(euler_characteristic(mesh), 2);
      const double h = spacing / radius;
      EXPECT_NEAR(enclosed_volume(mesh), 4 * pi / 3 * std::pow(radius, 3), h * h * 4 * pi / 3 * std::pow(radius, 3));
      EXPECT_NEAR(surface_area(mesh), 4 * pi * radius * radius, h * h * 4 * pi * radius * radius);
    }
  }
}

/// The excluded surface of two equal atoms: two caps and the saddle that the probe's torus leaves (Connolly 1983).
struct Pair {
  double area, volume;
};
Pair two_atoms(double radius, double distance, double probe) {
  const double big = radius + probe, half = distance / 2;
  const double ring = std::sqrt(big * big - half * half);  // of the probe's centres
  const double angle = std::acos(ring / big);              // from the plane between the atoms to the contact
  // Contact with each atom: a sphere without the cap that faces the other one.
  const double cap_height = radius - radius * half / big;
  const double contact = 2 * pi * radius * (2 * radius - cap_height);
  // The saddle is an arc of radius `probe` turned about the axis at ring - probe cos(t).
  const double saddle = 2 * (2 * pi * probe * (ring * angle - probe * std::sin(angle)));
  // Volume: atoms beyond the contact planes, and the disks between them.
  const double x = half - radius * half / big;  // of the contact plane, from the middle
  const double cap = pi * cap_height * cap_height * (3 * radius - cap_height) / 3;
  const double ends = 2 * (4 * pi / 3 * std::pow(radius, 3) - cap);
  // Integral over z in [-x, x] of pi (ring - sqrt(probe^2 - z^2))^2, with z = probe sin t.
  const double root = std::sqrt(probe * probe - x * x);
  const double middle = pi * (2 * x * (ring * ring + probe * probe) - 2 * x * x * x / 3 -
                              2 * ring * (x * root + probe * probe * std::asin(x / probe)));
  return {2 * contact + saddle, ends + middle};
}

TEST_P(MolecularSurface, of_two_atoms_has_the_saddle_of_a_torus) {
  const double radius = 1.6, distance = 3.5, probe = 1.4;
  const std::vector<DensityAtom> atoms = {{{-1.75f, 0.1f, 0.2f}, 1.6f, {}}, {{1.75f, 0.1f, 0.2f}, 1.6f, {}}};
  const Pair expected = two_atoms(radius, distance, probe);
  double last_area = 1, last_volume = 1;
  for (const double spacing : {0.4, 0.2, 0.1}) {
    const Mesh mesh = mesh_of(GetParam(), atoms, {SolventSurface::excluded, 1.4f}, spacing);
    EXPECT_EQ(euler_characteristic(mesh), 2) << spacing;
    const double area = std::abs(surface_area(mesh) / expected.area - 1);
    const double volume = std::abs(enclosed_volume(mesh) / expected.volume - 1);
    EXPECT_LT(area, 0.2 * spacing * spacing + 0.01 * spacing) << spacing;
    EXPECT_LT(volume, 0.4 * spacing * spacing + 0.01 * spacing) << spacing;
    EXPECT_LT(area, last_area);
    EXPECT_LT(volume, last_volume);
    last_area = area;
    last_volume = volume;
  }
}

TEST_P(MolecularSurface, agrees_with_the_enumeration_of_spheres_circles_and_corners) {
  for (const float probe : {0.7f, 1.4f, 3.0f}) {
    for (const auto kind : {SolventSurface::excluded, SolventSurface::accessible}) {
      const MolecularSurfaceOptions options{kind, probe};
      const std::vector<DensityAtom> atoms = clump(24, 5, 3.6);
      const Grid grid = molecular_surface_grid(atoms, options, 0.55);
      std::vector<double> expected(grid.size());
      molecular_surface_reference(atoms, grid, options, expected);
      const Result result = surface(GetParam(), atoms, grid, options);
      const double reach = molecular_surface_reach(grid);
      double largest = 0;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        if (std::abs(expected[i]) < 0.99 * reach && expected[i] > -static_cast<double>(probe)) {
          largest = std::max(largest, std::abs(static_cast<double>(result.depth[i]) - expected[i]));
        } else if (std::abs(expected[i]) > 0.01) {
          ASSERT_GT(result.depth[i] * expected[i], 0) << i;
        }
      }
      // At depth 0 the distance is too large by 0.01 steps at most; nearer to the accessible surface by more.
      EXPECT_LT(largest, kind == SolventSurface::accessible ? 1e-5 : 0.2 * 0.55) << probe;
      double at_surface = 0;
      for (std::size_t i = 0; i < expected.size(); ++i)
        if (std::abs(expected[i]) < 0.55)
          at_surface = std::max(at_surface, std::abs(static_cast<double>(result.depth[i]) - expected[i]));
      EXPECT_LT(at_surface, kind == SolventSurface::accessible ? 1e-5 : 0.03 * 0.55) << probe;
    }
  }
}

TEST_P(MolecularSurface, is_the_same_at_ragged_sizes_and_far_from_the_origin) {
  const std::vector<DensityAtom> atoms = clump(15, 3, 3);
  std::vector<DensityAtom> far = atoms;
  for (DensityAtom& atom : far) atom.position += glm::vec3(4096, -2048, 1024);
  const MolecularSurfaceOptions options{SolventSurface::excluded, 1.4f};
  for (const glm::ivec3 counts :
       {glm::ivec3(1, 1, 1), glm::ivec3(17, 1, 1), glm::ivec3(1, 9, 3), glm::ivec3(15, 7, 9)}) {
    const Grid grid = make_grid({-3.1, -2.9, -3.3}, {0.45, 0.9, 0.8}, counts);
    std::vector<double> expected(grid.size());
    molecular_surface_reference(atoms, grid, options, expected);
    const double reach = molecular_surface_reach(grid);
    const Result result = surface(GetParam(), atoms, grid, options);
    Grid moved = grid;
    moved.origin += glm::dvec3(4096, -2048, 1024);
    const Result away = surface(GetParam(), far, moved, options);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (std::abs(expected[i]) > 0.9) continue;
      ASSERT_NEAR(result.depth[i], expected[i], 0.03 * reach / 2) << i;
      ASSERT_NEAR(away.depth[i], expected[i], 0.03 * reach / 2 + 1e-3) << i;  // positions are floats
    }
  }
}

TEST_P(MolecularSurface, takes_atoms_given_twice_and_inside_others) {
  std::vector<DensityAtom> atoms = clump(12, 7, 2.5);
  const MolecularSurfaceOptions options{SolventSurface::excluded, 1.4f};
  const Grid grid = molecular_surface_grid(atoms, options, 0.5);
  const Result once = surface(GetParam(), atoms, grid, options);
  std::vector<DensityAtom> twice = atoms;
  twice.insert(twice.end(), atoms.begin(), atoms.end());
  twice.push_back({atoms[3].position, 0.2f, {}});
  const Result again = surface(GetParam(), twice, grid, options);
  for (std::size_t i = 0; i < once.depth.size(); ++i) ASSERT_NEAR(again.depth[i], once.depth[i], 1e-4) << i;
}

TEST_P(MolecularSurface, encloses_more_with_a_larger_probe_and_is_closed) {
  const std::vector<DensityAtom> atoms = clump(60, 11, 6);
  double before = 0;
  for (const float probe : {0.0f, 0.8f, 1.4f, 3.0f}) {
    const Mesh mesh = mesh_of(GetParam(), atoms, {SolventSurface::excluded, probe}, 0.4);
    const double volume = enclosed_volume(mesh);
    EXPECT_GT(volume, before);
    before = volume;
    EXPECT_EQ(euler_characteristic(mesh) % 2, 0);
  }
}

TEST_P(MolecularSurface, refuses_what_makes_no_sense) {
  const Device device = GetParam();
  const Grid grid = make_grid({0, 0, 0}, {1, 1, 1}, {3, 3, 3});
  const MolecularSurfaceOptions options;
  EXPECT_THROW(surface(device, {{{0, 0, 0}, 0.0f, {}}}, grid, options), Error);
  EXPECT_THROW(surface(device, {{{0, NAN, 0}, 1.0f, {}}}, grid, options), Error);
  EXPECT_THROW(surface(device, {}, grid, {SolventSurface::excluded, -1.0f}), Error);
  EXPECT_THROW(surface(device, {}, make_skewed_grid({0, 0, 0}, 1, {3, 3, 3}), options), Error);
  for (const float value : surface(device, {}, grid, options).depth) EXPECT_LT(value, 0);
}

TEST_P(MolecularSurface, stops_when_cancelled) {
  const std::vector<DensityAtom> atoms = clump(2000, 2, 16);
  const MolecularSurfaceOptions options{SolventSurface::excluded, 1.4f};
  const Grid grid = molecular_surface_grid(atoms, options, 0.5);
  DeviceArray<float> depth(grid.size(), GetParam());
  expect_cancelled(GetParam(), [&](Job& job) { molecular_surface(atoms, grid, options, depth.span(), {}, job); });
}

}  // namespace
}  // namespace isolume
