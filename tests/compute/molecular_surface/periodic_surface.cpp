// Surfaces of periodic systems: images of atoms, and one period's surface, which goes on at the opposite face.
#include "compute/density/periodic_images.h"
#include "compute/molecular_surface/molecular_surface.h"
#include "tests/compute/isosurface/surface_meshes.h"

namespace isolume {
namespace {

using namespace test;
using PeriodicSurface = OnDevice;
ISOLUME_ON_EVERY_DEVICE(PeriodicSurface);

std::vector<Cell> cells() {
  return {Cell::from_lengths_angles({14, 11, 17}, {90, 90, 90}), Cell::from_lengths_angles({14, 13, 12}, {70, 65, 80}),
          Cell::from_lengths_angles({15, 15, 15}, {109.4712206, 109.4712206, 109.4712206}),
          Cell::from_lengths_angles({4, 5, 3.5}, {75, 100, 115})};
}

std::vector<DensityAtom> scattered_atoms(const Cell& cell, std::size_t count) {
  Random random(count);
  std::vector<DensityAtom> atoms;
  for (std::size_t i = 0; i < count; ++i) {
    // Over several cells: where a simulation leaves them.
    const glm::vec3 at(cell.vectors * random.in_box(-1.5, 2.5));
    atoms.push_back({at, static_cast<float>(random(1.0, 2.2)), glm::vec3(random.in_box(0, 1))});
  }
  return atoms;
}

/// The density of all images of all atoms, by counting them far and wide.
double periodic_density(const std::vector<DensityAtom>& atoms, const Cell& cell, const GaussianDensityOptions& options,
                        glm::dvec3 point) {
  double sum = 0;
  const int most = cell.lengths().x < 6 ? 8 : 5;
  for (const DensityAtom& atom : atoms) {
    const double sigma = double{options.radius_scale} * double{atom.radius};
    const double cutoff = double{options.cutoff_sigmas} * sigma;
    for (int z = -most; z <= most; ++z) {
      for (int y = -most; y <= most; ++y) {
        for (int x = -most; x <= most; ++x) {
          const double r = glm::distance(point, glm::dvec3(atom.position) + cell.vectors * glm::dvec3(x, y, z));
          if (r > cutoff) continue;
          sum += std::exp(-r * r / (2 * sigma * sigma)) - gaussian_at_cutoff(options) * r * r / (cutoff * cutoff);
        }
      }
    }
  }
  return sum;
}

TEST_P(PeriodicSurface, TheDensityIsThatOfAllImages) {
  const GaussianDensityOptions options;
  Job job;
  for (const Cell& cell : cells()) {
    const std::vector<DensityAtom> atoms = scattered_atoms(cell, 20);
    const Grid grid = period_grid(cell, 0.9);
    const glm::dvec3 box = period_box(cell);
    EXPECT_NEAR(box.x * box.y * box.z, cell.volume(), 1e-9 * cell.volume());
    const double reach = double{options.cutoff_sigmas} * double{options.radius_scale};
    const std::vector<DensityAtom> images = with_periodic_images(atoms, cell, reach, 0);
    const std::vector<float> values = on_device<float>(GetParam(), grid.size(), [&](Span<float> out) {
      gaussian_density(images, grid, options, out, Colours{}, job);
    });
    const std::vector<glm::dvec3> points = grid_points(grid);
    Random random(1);
    for (int n = 0; n < 200; ++n) {
      const auto i = static_cast<std::size_t>(random(0, static_cast<double>(points.size())));
      const double expected = periodic_density(atoms, cell, options, points[i]);
      ASSERT_NEAR(values[i], expected, 1e-4) << i;
    }
  }
}

TEST_P(PeriodicSurface, TheFirstAndTheLastLayersAreTheSame) {
  // Along a vector that has no other parts, faces lie opposite each other.
  const Cell cell = cells()[0];
  const std::vector<DensityAtom> images = with_periodic_images(scattered_atoms(cell, 60), cell, 2.5, 0);
  const Grid grid = period_grid(cell, 0.7);
  Job job;
  const std::vector<float> values = on_device<float>(
      GetParam(), grid.size(), [&](Span<float> out) { gaussian_density(images, grid, {}, out, Colours{}, job); });
  const glm::ivec3 last = grid.counts - 1;
  for (int a = 0; a < 3; ++a) {
    for (int i = 0; i <= last[(a + 1) % 3]; ++i) {
      for (int j = 0; j <= last[(a + 2) % 3]; ++j) {
        glm::ivec3 at(0);
        at[(a + 1) % 3] = i;
        at[(a + 2) % 3] = j;
        const float lower = values[grid.index(at.x, at.y, at.z)];
        at[a] = last[a];
        ASSERT_NEAR(values[grid.index(at.x, at.y, at.z)], lower, 1e-4) << a;
      }
    }
  }
}

// One atom at a corner of the cell: eight pieces of its sphere, which come to one sphere.
TEST_P(PeriodicSurface, APieceAtEachCornerMakesAWholeSphere) {
  constexpr double pi = 3.14159265358979323846;
  Job job;
  for (const Cell& cell : {cells()[0], cells()[1], cells()[2]}) {
    const std::vector<DensityAtom> atom{{glm::vec3(cell.vectors * glm::dvec3(1, -2, 3)), 2.0f, {}}};
    const Grid grid = period_grid(cell, 0.25);
    const MolecularSurfaceOptions options{SolventSurface::accessible, 1.4f};
    const std::vector<DensityAtom> images = with_periodic_images(atom, cell, 1, 1.4 + 4 * 0.25);
    DeviceArray<float> depth(grid.size(), GetParam());
    molecular_surface(images, grid, options, depth.span(), {}, job);
    const Mesh mesh = marching_cubes(depth.span(), grid, {0.0f, true}, {}, job);
    EXPECT_NEAR(surface_area(mesh), 4 * pi * 3.4 * 3.4, 0.01 * 4 * pi * 3.4 * 3.4);
  }
}

TEST(PeriodicImages, name_their_atoms_and_stay_near) {
  for (const Cell& cell : cells()) {
    const std::vector<DensityAtom> atoms = scattered_atoms(cell, 30);
    std::vector<std::uint32_t> sources;
    const std::vector<DensityAtom> images = with_periodic_images(atoms, cell, 1.5, 0.5, &sources);
    ASSERT_EQ(sources.size(), images.size());
    const glm::dvec3 box = period_box(cell);
    std::vector<int> inside(atoms.size(), 0);
    for (std::size_t n = 0; n < images.size(); ++n) {
      const DensityAtom& atom = atoms[sources[n]];
      EXPECT_EQ(images[n].radius, atom.radius);
      const glm::dvec3 at(images[n].position);
      // Whole vectors away.
      const glm::dvec3 moved = glm::inverse(cell.vectors) * (at - glm::dvec3(atom.position));
      EXPECT_LT(glm::length(moved - glm::round(moved)), 1e-5);
      const glm::dvec3 gap = glm::max(glm::max(-at, at - box), glm::dvec3(0));
      EXPECT_LE(glm::length(gap), 1.5 * double{atom.radius} + 0.5 + 1e-4);
      inside[sources[n]] += glm::length(gap) == 0;
    }
    for (const int count : inside) EXPECT_EQ(count, 1);
  }
}

TEST(PeriodicImages, refuse_what_is_no_cell) {
  EXPECT_THROW(period_box({}), Error);
  Cell turned;
  turned.vectors = glm::dmat3(glm::dvec3(0, 10, 0), glm::dvec3(10, 0, 0), glm::dvec3(0, 0, -10));
  EXPECT_THROW(period_box(turned), Error);
  const std::vector<DensityAtom> nowhere{{{NAN, 0, 0}, 1.0f, {}}};
  EXPECT_THROW(with_periodic_images(nowhere, cells()[0], 1, 1), Error);
}

}  // namespace
}  // namespace isolume
