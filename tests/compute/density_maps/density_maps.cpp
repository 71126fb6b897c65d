// Density maps of models: the formula of a Gaussian, the double-precision reference, sums, and bad input.
#include "compute/density_maps/density_map.h"

#include <algorithm>
#include <numbers>

#include "compute/density_maps/map_windows.h"
#include "tests/compute/base/devices.h"

namespace isolume {
namespace {

using namespace test;
using DensityMaps = OnDevice;
ISOLUME_ON_EVERY_DEVICE(DensityMaps);

std::vector<MapAtom> random_map_atoms(std::size_t count, double half, std::uint64_t seed) {
  Random random(seed);
  std::vector<MapAtom> atoms;
  for (std::size_t i = 0; i < count; ++i) {
    const glm::vec3 at(random.in_box(-half, half));
    const double sigma = random(0.4, 1.9);
    atoms.push_back({at, static_cast<float>(sigma), static_cast<float>(random(0.1, 3.0))});
  }
  return atoms;
}

std::vector<float> map_on(Device device, const std::vector<MapAtom>& atoms, const Grid& grid) {
  Job job;
  return on_device<float>(device, grid.size(), [&](Span<float> to) { density_map(atoms, grid, to, job); });
}

TEST(DensityMapWidths, AreThoseOfTheConventions) {
  const double pi = std::numbers::pi;
  EXPECT_NEAR(map_sigma(MapConvention::chimerax, 6, 1.7), 6 / (pi * std::sqrt(2.0)), 1e-12);
  // Half of its height at half of the resolution.
  const double sigma = map_sigma(MapConvention::fwhm, 6, 1.7);
  EXPECT_NEAR(std::exp(-9 / (2 * sigma * sigma)), 0.5, 1e-12);
  EXPECT_NEAR(map_sigma(MapConvention::vmd, 6, 1.7), 0.2 * 6 * 1.7, 1e-12);
  Topology topology;
  Atom atom;
  atom.element = 8;
  atom.mass = 15.999f;
  atom.radius = 1.5f;
  topology.atoms = {atom};
  const std::vector<glm::vec3> positions{{1, 2, 3}};
  const std::vector<std::uint32_t> all{0};
  const auto of = [&](MapConvention c, MapWeights w) { return map_atoms(topology, positions, all, 6, c, w).front(); };
  const MapAtom electrons = of(MapConvention::chimerax, MapWeights::electrons);
  const double volume = std::pow(2 * pi, 1.5) * std::pow(static_cast<double>(electrons.sigma), 3);
  EXPECT_NEAR(static_cast<double>(electrons.height) * volume, 8, 1e-5);
  EXPECT_NEAR(static_cast<double>(of(MapConvention::vmd, MapWeights::mass).height), 15.999, 1e-5);
  EXPECT_EQ(of(MapConvention::vmd, MapWeights::one).height, 1.0f);
  EXPECT_THROW(map_atoms(topology, positions, all, 0, MapConvention::fwhm, MapWeights::one), Error);
  topology.atoms.change(0, [](Atom& atom) { atom.element = 0; });
  EXPECT_THROW(map_atoms(topology, positions, all, 6, MapConvention::fwhm, MapWeights::electrons), Error);
}

TEST_P(DensityMaps, AgreeWithTheReferenceAtRaggedSizes) {
  for (const std::size_t count : {0, 1, 31, 33, 700}) {
    for (const Grid& grid :
         {make_grid({0.2, 0.1, -0.3}, {1, 1, 1}, {1, 1, 1}), make_grid({-15, 0.1, 0.2}, {0.5, 1, 1}, {67, 1, 1}),
          make_grid({0.3, -9, 0.2}, {1, 0.55, 1}, {1, 33, 1}), make_grid({-9, -9, -9}, {1.0, 0.9, 0.8}, {19, 21, 23}),
          make_grid({5, 5, -5}, {-0.3, -0.35, 0.4}, {33, 31, 17}),
          make_grid({-11, -11, -11}, {3.3, 3.3, 3.3}, {8, 7, 9})}) {
      const std::vector<MapAtom> atoms = random_map_atoms(count, 8, 3 + count);
      const std::vector<glm::dvec3> points = grid_points(grid);
      std::vector<double> expected(points.size());
      density_map_reference(atoms, points, expected);
      const Difference d = compare(map_on(GetParam(), atoms, grid), expected);
      // What is beyond the boxes of five sigmas, and single precision.
      double scale = 1e-30;
      for (const MapAtom& atom : atoms) scale = std::max(scale, static_cast<double>(atom.height));
      EXPECT_LT(d.largest, 1e-5 * std::max(d.scale, scale)) << count << " atoms, " << grid.size() << " points";
    }
  }
}

TEST_P(DensityMaps, SumsAreThoseOfTheirValues) {
  const Device device = GetParam();
  const std::vector<MapAtom> atoms = random_map_atoms(400, 8, 11);
  const Grid grid = make_grid({-9, -9, -9}, {0.9, 0.8, 1.0}, {21, 23, 19});
  Random random(5);
  std::vector<float> map(grid.size());
  for (float& v : map) v = static_cast<float>(random(-1, 4));
  Job job;
  const auto on_it = DeviceArray<float>::from_host(map, device, "map");
  DeviceArray<float> kept(grid.size(), device, "kept");
  const MapComparison comparison{on_it.span(), 1.5f, 2.5f};
  const ComparedSums sums = compared_density_map(atoms, grid, comparison, kept.span(), job);
  const std::vector<float> model = kept.copy_to_host();
  EXPECT_EQ(model, map_on(device, atoms, grid));
  const auto check = [&](const MapSums& found, const auto& keep) {
    std::vector<std::uint8_t> mask(map.size());
    for (std::size_t i = 0; i < map.size(); ++i) mask[i] = keep(i);
    const MapSums expected = masked_sums(map, model, mask, job);
    EXPECT_EQ(found.count, expected.count);
    EXPECT_GT(found.count, 100);
    EXPECT_NEAR(found.a, expected.a, 1e-9 * std::abs(expected.aa));
    EXPECT_NEAR(found.b, expected.b, 1e-9 * std::abs(expected.bb));
    EXPECT_NEAR(found.aa, expected.aa, 1e-9 * expected.aa);
    EXPECT_NEAR(found.bb, expected.bb, 1e-9 * expected.bb);
    EXPECT_NEAR(found.ab, expected.ab, 1e-9 * expected.bb);
    EXPECT_NEAR(found.correlation(), expected.correlation(), 1e-9);
  };
  check(sums.all, [](std::size_t) { return true; });
  check(sums.map_above, [&](std::size_t i) { return map[i] > 1.5f; });
  check(sums.model_above, [&](std::size_t i) { return model[i] > 2.5f; });
  // The same sums without a map that is kept.
  const ComparedSums again = compared_density_map(atoms, grid, comparison, Span<float>(nullptr, 0, device), job);
  EXPECT_EQ(again.all.ab, sums.all.ab);
  EXPECT_EQ(again.model_above.bb, sums.model_above.bb);
}

TEST_P(DensityMaps, RefuseWhatIsNoMap) {
  Job job;
  const Device device = GetParam();
  DeviceArray<float> values(8, device, "test");
  const std::vector<MapAtom> atoms = random_map_atoms(3, 1, 1);
  EXPECT_THROW(density_map(atoms, make_skewed_grid({0, 0, 0}, 1, {2, 2, 2}), values.span(), job), Error);
  EXPECT_THROW(density_map(atoms, make_grid({0, 0, 0}, {1, 1, 1}, {2, 2, 3}), values.span(), job), Error);
  std::vector<MapAtom> bad = atoms;
  bad[1].position.x = NAN;
  EXPECT_THROW(density_map(bad, make_grid({0, 0, 0}, {1, 1, 1}, {2, 2, 2}), values.span(), job), Error);
  bad = atoms;
  bad[2].sigma = 0;
  EXPECT_THROW(density_map(bad, make_grid({0, 0, 0}, {1, 1, 1}, {2, 2, 2}), values.span(), job), Error);
}

TEST_P(DensityMaps, AreCancelled) {
  const std::vector<MapAtom> atoms = random_map_atoms(2000, 8, 3);
  const Grid grid = make_grid({-30, -30, -30}, {0.5, 0.5, 0.5}, {120, 120, 120});
  DeviceArray<float> values(grid.size(), GetParam(), "test");
  expect_cancelled(GetParam(), [&](Job& job) { density_map(atoms, grid, values.span(), job); });
}

TEST(MapSums, FollowTheFormulaOfPearson) {
  // b = 2 a + 1 agrees in everything but the scale; a constant agrees with nothing.
  std::vector<float> a{1, 2, 4, 8}, b{3, 5, 9, 17}, c{7, 7, 7, 7};
  const std::vector<std::uint8_t> all(4, 1);
  Job job;
  EXPECT_NEAR(masked_sums(a, b, all, job).correlation(), 1, 1e-12);
  EXPECT_NEAR(masked_sums(a, b, all, job).about_zero(), 185 / std::sqrt(85.0 * 404.0), 1e-12);
  EXPECT_TRUE(std::isnan(masked_sums(a, c, all, job).correlation()));
  EXPECT_TRUE(std::isnan(MapSums().about_zero()));
}

TEST(MapWindows, CountEveryPointOnce) {
  const Grid grid = make_grid({0, 0, 0}, {1, 1, 1}, {9, 9, 9});
  const std::vector<float> a(grid.size(), 2), b(grid.size(), 3);
  const std::vector<glm::dvec3> positions{{4, 4, 4}, {4, 4, 5}, {40, 4, 4}};
  const std::vector<std::vector<std::uint32_t>> groups{{0}, {0, 1}, {2}, {}};
  Job job;
  const auto sums = window_sums(grid, a, b, positions, groups, 1, job);
  // A point and its six neighbours; two such stars share two points.
  EXPECT_EQ(sums[0].count, 7);
  EXPECT_EQ(sums[1].count, 12);
  EXPECT_EQ(sums[1].ab, 72);
  EXPECT_EQ(sums[2].count, 0);
  EXPECT_EQ(sums[3].count, 0);
  const auto mask = points_near(grid, std::span(positions).first(2), 1, job);
  EXPECT_EQ(std::count(mask.begin(), mask.end(), 1), 12);
  const std::vector<glm::vec3> meeting{{4, 4, 4}, {8, 8, 8}, {8.01f, 0, 0}};
  EXPECT_EQ(meeting_of(grid, meeting).inside, 2u);
}

}  // namespace
}  // namespace isolume
