// Density maps of models: the formula of a Gaussian, the double-precision reference, sums, and bad input.
#include "compute/density_maps/density_map.h"

#include <algorithm>
#include <numbers>

#include "compute/density_maps/map_series.h"
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

TEST_P(DensityMaps, WindowsCountEveryPointOnce) {
  const Device device = GetParam();
  const Grid grid = make_grid({0, 0, 0}, {1, 1, 1}, {9, 9, 9});
  const auto a = DeviceArray<float>::from_host(std::vector<float>(grid.size(), 2), device);
  const auto b = DeviceArray<float>::from_host(std::vector<float>(grid.size(), 3), device);
  const std::vector<glm::dvec3> positions{{4, 4, 4}, {4, 4, 5}, {40, 4, 4}};
  const std::vector<std::vector<std::uint32_t>> groups{{0}, {0, 1}, {2}, {}};
  Job job;
  const auto sums = window_sums(grid, {a.span(), b.span()}, positions, groups, 1, job);
  // A point and its six neighbours; two such stars share two points.
  EXPECT_EQ(sums[0].count, 7);
  EXPECT_EQ(sums[1].count, 12);
  EXPECT_EQ(sums[1].ab, 72);
  EXPECT_EQ(sums[2].count, 0);
  EXPECT_EQ(sums[3].count, 0);
  DeviceArray<std::uint8_t> mask(grid.size(), device);
  points_near(grid, std::span(positions).first(2), 1, mask.span(), job);
  const std::vector<std::uint8_t> marks = mask.copy_to_host();
  EXPECT_EQ(std::count(marks.begin(), marks.end(), 1), 12);
  EXPECT_EQ(masked_sums({a.span(), b.span()}, mask.span(), job).ab, 72);
  points_near(grid, {}, 1, mask.span(), job);
  EXPECT_EQ(masked_sums({a.span(), b.span()}, mask.span(), job).count, 0);
  EXPECT_THROW(window_sums(grid, {a.span(), b.span()}, positions, std::vector<std::vector<std::uint32_t>>{{3}}, 1, job),
               Error);
  EXPECT_THROW(points_near(make_skewed_grid({0, 0, 0}, 1, {9, 9, 9}), positions, 1, mask.span(), job), Error);
}

TEST_P(DensityMaps, MasksAndWindowsAreThoseOfAPlainLoop) {
  const Device device = GetParam();
  // Steps that are no binary fractions, one of them downwards; some positions are at a distance of 2 from points.
  const Grid grid = make_grid({-4.1, 5.3, -3.7}, {0.7, -0.9, 0.6}, {14, 13, 15});
  Random random(21);
  std::vector<glm::dvec3> positions;
  for (int n = 0; n < 60; ++n) positions.push_back(random.in_box(-7, 7));
  for (int n = 0; n < 20; ++n) positions.push_back(grid.point(n % 14, n % 13, n % 15) + glm::dvec3(2, 0, 0));
  std::vector<std::vector<std::uint32_t>> groups(9);
  for (std::uint32_t n = 0; n < positions.size(); ++n) groups[n % 8].push_back(n);
  std::vector<float> a(grid.size()), b(grid.size());
  for (float& v : a) v = static_cast<float>(random(-1, 4));
  for (float& v : b) v = static_cast<float>(random(0, 2));
  const auto there_a = DeviceArray<float>::from_host(a, device), there_b = DeviceArray<float>::from_host(b, device);
  const MapPair maps{there_a.span(), there_b.span()};
  const auto points = grid_points(grid);
  const auto near_any = [&](std::size_t p, std::span<const std::uint32_t> group) {
    return std::any_of(group.begin(), group.end(), [&](std::uint32_t n) {
      const glm::dvec3 d = points[p] - positions[n];
      return glm::dot(d, d) <= 4.0;
    });
  };
  Job job;
  const auto windows = window_sums(grid, maps, positions, groups, 2, job);
  std::vector<std::uint8_t> expected_mask(points.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    MapSums expected;
    for (std::size_t p = 0; p < points.size(); ++p) {
      if (!near_any(p, groups[g])) continue;
      expected_mask[p] = 1;
      const double x = static_cast<double>(a[p]), y = static_cast<double>(b[p]);
      expected += {1, x, y, x * x, y * y, x * y};
    }
    EXPECT_EQ(windows[g].count, expected.count) << g;
    EXPECT_NEAR(windows[g].ab, expected.ab, 1e-12 * expected.aa + 1e-12 * expected.bb) << g;
    EXPECT_NEAR(windows[g].a, expected.a, 1e-12 * expected.aa) << g;
    EXPECT_NEAR(windows[g].bb, expected.bb, 1e-12 * expected.bb) << g;
  }
  EXPECT_GT(windows[0].count, 300);
  DeviceArray<std::uint8_t> mask(grid.size(), device);
  points_near(grid, positions, 2, mask.span(), job);
  EXPECT_EQ(mask.copy_to_host(), expected_mask);
}

TEST_P(DensityMaps, SeriesOfFramesAreTheirMaps) {
  const Device device = GetParam();
  const Grid grid = make_grid({-9, -9, -9}, {0.9, 0.8, 1.0}, {21, 23, 19});
  const std::vector<MapAtom> all = random_map_atoms(500, 8, 17);
  Random random(6);
  std::vector<float> map(grid.size());
  for (float& v : map) v = static_cast<float>(random(-1, 4));
  // Every second atom, backwards.
  std::vector<MapAtom> model;
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 500; i-- > 0;) {
    if (i % 2 == 0) continue;
    numbers.push_back(i);
    model.push_back(all[i]);
  }
  const auto frame = [&](int f) {
    std::vector<glm::vec3> positions;
    for (const MapAtom& atom : all) positions.push_back(atom.position + 0.3f * static_cast<float>(f));
    return positions;
  };
  Job job;
  MapSeries series({model, numbers, grid, map, 1.5f, 2.5f, true}, device);
  EXPECT_THROW(series.take(job), Error);
  const auto there = DeviceArray<float>::from_host(map, device);
  EXPECT_EQ(copy_to_host(series.map()), map);
  constexpr int frames = 5;
  series.put(frame(0), job);
  for (int f = 0; f < frames; ++f) {
    if (f + 1 < frames) series.put(frame(f + 1), job);
    if (f == 0) {
      EXPECT_THROW(series.put(frame(1), job), Error);
    }
    const ComparedSums found = series.take(job);
    std::vector<MapAtom> moved = model;
    const auto positions = frame(f);
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i].position = positions[numbers[i]];
    DeviceArray<float> kept(grid.size(), device);
    const ComparedSums expected = compared_density_map(moved, grid, {there.span(), 1.5f, 2.5f}, kept.span(), job);
    EXPECT_EQ(copy_to_host(series.model()), kept.copy_to_host()) << f;
    EXPECT_EQ(found.all.ab, expected.all.ab) << f;
    EXPECT_EQ(found.map_above.bb, expected.map_above.bb) << f;
    EXPECT_EQ(found.model_above.count, expected.model_above.count) << f;
  }
  std::vector<glm::vec3> bad = frame(0);
  bad[numbers[3]].y = NAN;
  series.put(bad, job);
  EXPECT_THROW(series.take(job), Error);
  EXPECT_THROW(MapSeries({{}, {}, grid, map}, device), Error);
  EXPECT_THROW(MapSeries({model, numbers, make_skewed_grid({0, 0, 0}, 1, grid.counts), map}, device), Error);
}

TEST(MapMeeting, CountsPositionsWithinTheBox) {
  const Grid grid = make_grid({0, 0, 0}, {1, 1, 1}, {9, 9, 9});
  const std::vector<glm::vec3> meeting{{4, 4, 4}, {8, 8, 8}, {8.01f, 0, 0}};
  EXPECT_EQ(meeting_of(grid, meeting).inside, 2u);
}

}  // namespace
}  // namespace isolume
