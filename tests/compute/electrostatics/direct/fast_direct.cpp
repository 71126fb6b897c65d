// The fast direct sum on every device: its promise of accuracy, against the double-precision sum.
#include "compute/electrostatics/direct/fast_direct.h"

#include "compute/electrostatics/direct/fast_direct_plan.h"
#include "tests/compute/electrostatics/potential_systems.h"

namespace isolume {
namespace {

using test::make_grid;

class FastDirect : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(FastDirect);

std::vector<float> map_on(Device device, std::span<const PointCharge> charges, const Grid& grid, double accuracy) {
  return test::on_device<float>(device, grid.size(), [&](Span<float> out) {
    Job job;
    fast_direct_potential(charges, grid, {accuracy}, out, job);
  });
}

/// Compares every `step`-th value with the reference.
test::Deviation error_of(std::span<const PointCharge> charges, const Grid& grid, const std::vector<float>& values,
                         std::size_t step) {
  const std::vector<glm::dvec3> points = test::grid_points(grid);
  std::vector<glm::dvec3> some;
  std::vector<float> found;
  for (std::size_t i = 0; i < points.size(); i += step) {
    some.push_back(points[i]);
    found.push_back(values[i]);
  }
  std::vector<double> expected(some.size());
  direct_potential_reference(charges, some, expected);
  return test::deviation(found, expected);
}

TEST(ChebyshevWeights, InterpolatePolynomialsExactly) {
  for (const int p : {4, 7, 10}) {
    for (const double t : {-1.0, -0.37, 0.0, 0.91, 1.0}) {
      for (int degree = 0; degree < p; ++degree) {
        double sum = 0;
        for (int k = 0; k < p; ++k) sum += chebyshev_weight(k, p, t) * std::pow(chebyshev_node(k, p), degree);
        EXPECT_NEAR(sum, std::pow(t, degree), 1e-12);
      }
    }
  }
}

TEST(FastDirectPlan, CountsEveryChargeOnceForEveryPoint) {
  const auto charges = test::random_charges(3000, 30);
  const Grid grid = make_grid({-3, 2, 1}, {0.7, 0.6, 0.8}, {53, 37, 70});
  const RowFrame frame(grid);
  const ChargeCells cells = cells_for(frame, glm::dvec3(-40), glm::dvec3(40), charges.size());
  std::vector<std::uint32_t> offsets(cells.count() + 1, 0);
  for (const PointCharge& c : charges) ++offsets[cells.cell_of(frame.to_frame(c.position)) + 1];
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) offsets[i + 1] += offsets[i];
  Job job;
  const FastDirectPlan plan(grid, frame, cells, offsets, job);
  const std::size_t leaves = plan.level_first[plan.level_first.size() - 2];
  for (std::size_t t = leaves; t < plan.tiles.size(); ++t) {
    std::vector<int> met(charges.size(), 0);
    const auto meet = [&](const std::vector<ChargeRange>& list, std::uint32_t first, std::uint32_t ranges,
                          std::uint32_t count) {
      for (std::uint32_t r = 0; r < ranges; ++r) {
        const ChargeRange range = list[first + r];
        const std::uint32_t after = r + 1 < ranges ? list[first + r + 1].before : count;
        for (std::uint32_t n = 0; n < after - range.before; ++n) ++met[range.begin + n];
      }
    };
    meet(plan.near, plan.tiles[t].near_first, plan.tiles[t].near_ranges, plan.tiles[t].near_count);
    for (int up = static_cast<int>(t); up >= 0; up = plan.tiles[static_cast<std::size_t>(up)].parent) {
      const FastTile& tile = plan.tiles[static_cast<std::size_t>(up)];
      meet(plan.far, tile.far_first, tile.far_ranges, tile.far_count);
    }
    for (const int count : met) ASSERT_EQ(count, 1);
  }
}

TEST_P(FastDirect, KeepsItsAccuracyOnWater) {
  const auto charges = test::water_charges(40);
  const Grid grid = make_grid({-2, -2, -2}, {0.5, 0.5, 0.5}, {89, 88, 87});
  for (const double accuracy : {1e-2, 1e-3, 1e-4, 1e-5}) {
    EXPECT_LE(error_of(charges, grid, map_on(GetParam(), charges, grid, accuracy), 397).rms, accuracy) << accuracy;
  }
}

TEST_P(FastDirect, KeepsItsAccuracyOnAnyGrid) {
  const auto charges = test::random_charges(4000, 35, 3);
  const Grid grids[] = {
      test::make_skewed_grid({5, -8, 3}, 0.7, {50, 45, 40}),
      make_grid({-30, 10, 10}, {0.4, 0.9, 0.5}, {200, 33, 1}),   // one layer
      make_grid({60, 60, 60}, {1, 1, 1}, {40, 40, 40}),          // away from the charges
      make_grid({-100, -100, -100}, {5, 5, 5}, {47, 47, 47}),    // coarse, far larger than the charges
      make_grid({17, 17, 17}, {0.05, 0.05, 0.05}, {33, 33, 33})  // within a few of them
  };
  for (const Grid& grid : grids) {
    EXPECT_LE(error_of(charges, grid, map_on(GetParam(), charges, grid, 1e-4), 211).rms, 1e-4) << grid.counts.z;
  }
}

TEST_P(FastDirect, OfFewChargesIsTheDirectSum) {
  const Grid grid = make_grid({-4, -3, -5}, {0.51, 0.52, 0.53}, {17, 13, 19});
  const std::vector<PointCharge> two{{{0.1f, -0.2f, 0.3f}, -0.7f}, {{2.1f, 1.2f, -1.3f}, 0.4f}};
  EXPECT_LE(error_of(two, grid, map_on(GetParam(), two, grid, 1e-4), 1).rms, 1e-4);
  const std::vector<PointCharge> on_point{{{-4, -3, -5}, 1.0f}};
  EXPECT_EQ(map_on(GetParam(), on_point, grid, 1e-4)[0], 0.0f);
  EXPECT_EQ(map_on(GetParam(), {}, grid, 1e-4)[5], 0.0f);
  EXPECT_TRUE(map_on(GetParam(), two, make_grid({0, 0, 0}, {1, 1, 1}, {0, 3, 3}), 1e-4).empty());
}

TEST_P(FastDirect, SaysWhatIsWrong) {
  const auto charges = test::random_charges(10, 5);
  const Grid grid = make_grid({0, 0, 0}, {1, 1, 1}, {4, 4, 4});
  EXPECT_THROW(map_on(GetParam(), charges, grid, 1e-9), Error);
  EXPECT_THROW(map_on(GetParam(), charges, grid, NAN), Error);
  const std::vector<PointCharge> broken{{{0, INFINITY, 0}, 1}};
  EXPECT_THROW(map_on(GetParam(), broken, grid, 1e-4), Error);
}

TEST_P(FastDirect, StopsWhenCancelled) {
  const auto charges = test::random_charges(3000, 30);
  const Grid grid = make_grid({0, 0, 0}, {0.3, 0.3, 0.3}, {96, 96, 96});
  DeviceArray<float> out(grid.size(), GetParam());
  test::expect_cancelled(GetParam(), [&](Job& job) { fast_direct_potential(charges, grid, {1e-3}, out.span(), job); });
}

}  // namespace
}  // namespace isolume
