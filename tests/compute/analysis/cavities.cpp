// Cavities: a hollow shell of atoms, the same with a hole, and what is too small.
#include "compute/analysis/cavities.h"

#include "compute/analysis/sasa.h"
#include "compute/isosurface/marching_cubes.h"
#include "compute/molecular_surface/molecular_surface.h"
#include "tests/compute/base/devices.h"

namespace isolume {
namespace {

using namespace test;

/// Atoms of radius 1.7 on a sphere of radius 8, so dense that water does not pass; without those within `hole`
/// angstrom of its north pole.
std::vector<DensityAtom> shell(double hole) {
  std::vector<DensityAtom> atoms;
  for (const glm::dvec3& p : sphere_points(320)) {
    const glm::dvec3 place = 8.0 * p + glm::dvec3(1, 2, 3);
    if (glm::distance(place, glm::dvec3(1, 2, 11)) < hole) continue;
    atoms.push_back({glm::vec3(place), 1.7f, {}});
  }
  return atoms;
}

struct Found {
  Grid grid;
  std::vector<float> small;
  Cavities cavities;
};

Found find(const std::vector<DensityAtom>& atoms, double spacing, bool pockets, double minimum = 10,
           double removal = 0) {
  Job job;
  Found found;
  found.grid = molecular_surface_grid(atoms, {SolventSurface::excluded, 1.4f}, spacing);
  found.small.resize(found.grid.size());
  molecular_surface(atoms, found.grid, {SolventSurface::excluded, 1.4f}, Span<float>(found.small), {}, job);
  std::vector<float> large(pockets ? found.grid.size() : 0);
  if (pockets) molecular_surface(atoms, found.grid, {SolventSurface::excluded, 4.0f}, Span<float>(large), {}, job);
  found.cavities = find_cavities(atoms, found.grid, found.small, large, {minimum, removal}, job);
  return found;
}

TEST(Cavities, finds_the_room_in_a_closed_shell) {
  const std::vector<DensityAtom> atoms = shell(0);
  const Found found = find(atoms, 0.4, false);
  ASSERT_EQ(found.cavities.list.size(), 1u);
  const Cavity& cavity = found.cavities.list[0];
  EXPECT_FALSE(cavity.open);
  EXPECT_LT(glm::distance(cavity.centre, glm::dvec3(1, 2, 3)), 0.05);
  EXPECT_EQ(cavity.lining.size(), atoms.size());
  // As much as the mesh of the inner surface encloses: its triangles face inwards.
  Job job;
  std::vector<float> small = found.small;
  const Mesh mesh = marching_cubes(Span<const float>(Span<float>(small)), found.grid, {0, true}, {}, job);
  Mesh inner;
  inner.positions = mesh.positions;
  for (const glm::uvec3& t : mesh.triangles)
    if (glm::distance(glm::dvec3(mesh.positions[t.x]), glm::dvec3(1, 2, 3)) < 7.5) inner.triangles.push_back(t);
  EXPECT_NEAR(cavity.volume, -enclosed_volume(inner), 0.01 * cavity.volume);
  // Between the balls that the shell's inner side leaves.
  EXPECT_GT(cavity.volume, 4 * 3.14159265 / 3 * std::pow(8 - 1.7, 3) * 0.99);
  EXPECT_LT(cavity.volume, 4 * 3.14159265 / 3 * std::pow(8 - 1.0, 3));
  // What is drawn: the same surface.
  std::vector<float> depth = found.cavities.depth;
  const Mesh drawn = marching_cubes(Span<const float>(Span<float>(depth)), found.grid, {0, true}, {}, job);
  EXPECT_NEAR(enclosed_volume(drawn), cavity.volume, 0.01 * cavity.volume);
  EXPECT_EQ(euler_characteristic(drawn), 2);
}

TEST(Cavities, a_ball_has_its_volume) {
  // Material with a round hole whose centre is no point of the grid, in a box: depth as a distance.
  const glm::dvec3 centre(0.13, -0.21, 0.37);
  for (const double radius : {2.0, 3.5, 5.0}) {
    const Grid grid = make_grid({-9, -9, -9}, {0.25, 0.25, 0.25}, {73, 73, 73});
    std::vector<float> depth;
    for (const glm::dvec3& p : grid_points(grid)) {
      const double wall = 8 - std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
      depth.push_back(static_cast<float>(std::min(wall, glm::distance(p, centre) - radius)));
    }
    Job job;
    const Cavities found = find_cavities({}, grid, depth, {}, {10}, job);
    ASSERT_EQ(found.list.size(), 1u);
    const double volume = 4.0 / 3 * 3.14159265358979 * std::pow(radius, 3);
    EXPECT_NEAR(found.list[0].volume, volume, 0.01 * volume) << radius;
    EXPECT_LT(glm::distance(found.list[0].centre, centre), 0.02);
    std::vector<float> drawn_depth = found.depth;
    const Mesh drawn = marching_cubes(Span<const float>(Span<float>(drawn_depth)), grid, {0, true}, {}, job);
    EXPECT_NEAR(surface_area(drawn), 3 * volume / radius, 0.02 * 3 * volume / radius);
  }
}

TEST(Cavities, a_hole_makes_a_pocket_of_it) {
  const std::vector<DensityAtom> atoms = shell(3.5);
  EXPECT_TRUE(find(atoms, 0.5, false).cavities.list.empty());
  const Found found = find(atoms, 0.5, true, 100);
  ASSERT_EQ(found.cavities.list.size(), 1u);
  EXPECT_TRUE(found.cavities.list[0].open);
  const double closed = find(shell(0), 0.5, false).cavities.list[0].volume;
  EXPECT_NEAR(found.cavities.list[0].volume, closed, 0.15 * closed);
}

/// Atoms of radius 1.7 on a lattice of 2 angstrom in a slab 20 thick, without those in two round pits from its top.
std::vector<DensityAtom> slab_with_pits(double apart) {
  std::vector<DensityAtom> atoms;
  for (int i = -12; i <= 12; ++i)
    for (int j = -8; j <= 8; ++j)
      for (int k = -5; k <= 5; ++k) {
        const glm::dvec3 p(2 * i, 2 * j, 2 * k);
        bool in = true;
        for (const double x : {-apart / 2, apart / 2}) in = in && (std::hypot(p.x - x, p.y) >= 4.2 || p.z < -3);
        if (in) atoms.push_back({glm::vec3(p), 1.7f, {}});
      }
  return atoms;
}

TEST(Cavities, pits_of_a_surface_are_pockets_of_their_own) {
  const std::vector<DensityAtom> atoms = slab_with_pits(20);
  // With all that a large probe does not reach, the rough surface joins them; the removal distance parts them.
  const Found parted = find(atoms, 0.5, true, 30, 2.4);
  ASSERT_EQ(parted.cavities.list.size(), 2u);
  for (const Cavity& pit : parted.cavities.list) {
    EXPECT_TRUE(pit.open);
    EXPECT_NEAR(std::abs(pit.centre.x), 10, 1);
    EXPECT_NEAR(pit.centre.y, 0, 0.5);
    EXPECT_LT(pit.centre.z, 8);
  }
  EXPECT_NEAR(parted.cavities.list[0].volume, parted.cavities.list[1].volume, 0.05 * parted.cavities.list[0].volume);
  const Found all = find(atoms, 0.5, true, 30, 0);
  EXPECT_LT(parted.cavities.list[0].volume, all.cavities.list[0].volume);
  // What is drawn encloses what is counted.
  Job job;
  std::vector<float> depth = parted.cavities.depth;
  const Mesh drawn = marching_cubes(Span<const float>(Span<float>(depth)), parted.grid, {0, true}, {}, job);
  const double sum = parted.cavities.list[0].volume + parted.cavities.list[1].volume;
  EXPECT_NEAR(enclosed_volume(drawn), sum, 0.1 * sum);
  EXPECT_THROW(find(atoms, 1, true, 30, -1), Error);
}

TEST(Cavities, leaves_out_what_is_small_and_takes_odd_grids) {
  EXPECT_TRUE(find(shell(0), 0.5, false, 5000).cavities.list.empty());
  Job job;
  for (const glm::ivec3 counts : {glm::ivec3(0, 1, 1), glm::ivec3(1, 1, 1), glm::ivec3(5, 1, 1), glm::ivec3(1, 4, 3)}) {
    const Grid grid = make_grid({0, 0, 0}, {1, 1, 1}, counts);
    const std::vector<float> empty(grid.size(), -1.0f);
    EXPECT_TRUE(find_cavities({}, grid, empty, {}, {0}, job).list.empty());
  }
  EXPECT_THROW(find_cavities({}, make_grid({0, 0, 0}, {1, 1, 1}, {2, 2, 2}), {}, {}, {}, job), Error);
}

}  // namespace
}  // namespace isolume
