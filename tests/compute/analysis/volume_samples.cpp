// Values of a volume at points, and their magnitude near a surface, against sorted lists.
#include "compute/analysis/volume_samples.h"

#include <algorithm>

#include "molecule/base/error.h"
#include "tests/compute/base/devices.h"

namespace isolume {
namespace {

class VolumeSamples : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(VolumeSamples);

const Grid grid{glm::dvec3(0), glm::dmat3(1.0), {23, 19, 17}};

float shape_at(int i, int j, int k) {
  return std::sin(0.4f * static_cast<float>(i)) + std::cos(0.3f * static_cast<float>(j)) * 0.7f -
         0.05f * static_cast<float>(k);
}

std::vector<float> filled(float (*value)(int, int, int)) {
  std::vector<float> values;
  for (int k = 0; k < grid.counts.z; ++k)
    for (int j = 0; j < grid.counts.y; ++j)
      for (int i = 0; i < grid.counts.x; ++i) values.push_back(value(i, j, k));
  return values;
}

float potential_at(int i, int j, int k) {
  return 0.37f * static_cast<float>(i - 11) + 0.02f * static_cast<float>(j * k) - 0.9f;
}

TEST_P(VolumeSamples, AreTheValuesAtThePoints) {
  const std::vector<float> values = filled(potential_at);
  const auto on_device = DeviceArray<float>::from_host(values, GetParam());
  const std::vector<std::size_t> points{0, 5, values.size() - 1, 5, 77};
  const std::vector<float> found = values_at(on_device.span(), points);
  ASSERT_EQ(found.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) EXPECT_EQ(found[i], values[points[i]]);
  EXPECT_TRUE(values_at(on_device.span(), {}).empty());
  const std::vector<std::size_t> beyond{values.size()};
  EXPECT_THROW(values_at(on_device.span(), beyond), Error);
}

TEST_P(VolumeSamples, MeanSquareIsThatOfAllValues) {
  // Squares of 0, 1, ..., n - 1 in units of 1/64: n (n - 1) (2 n - 1) / 6, exact in double precision.
  for (const std::size_t count : {1u, 255u, 7429u, 200000u}) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i) / 64.0f;
    const auto n = static_cast<double>(count);
    const double expected = (n - 1) * (2 * n - 1) / 6 / 64 / 64;
    Job job;
    const double found = mean_square(DeviceArray<float>::from_host(values, GetParam()).span(), job);
    EXPECT_NEAR(found, expected, 1e-13 * expected) << count;
  }
  Job job;
  EXPECT_EQ(mean_square(DeviceArray<float>(0, GetParam()).span(), job), 0.0);
}

TEST_P(VolumeSamples, MagnitudesAreThoseOfTheEdgesThatCrossTheSurface) {
  const std::vector<float> shape = filled(shape_at);
  const std::vector<float> values = filled(potential_at);
  const auto shape_there = DeviceArray<float>::from_host(shape, GetParam());
  const auto values_there = DeviceArray<float>::from_host(values, GetParam());
  const float isovalue = 0.45f;
  for (const SurfaceSide side : {SurfaceSide::above, SurfaceSide::below, SurfaceSide::magnitude}) {
    const auto inside = [&](float v) {
      return (side == SurfaceSide::above ? v : side == SurfaceSide::below ? -v : std::abs(v)) > isovalue;
    };
    std::vector<double> sizes;
    for (int k = 0; k < grid.counts.z; ++k)
      for (int j = 0; j < grid.counts.y; ++j)
        for (int i = 0; i < grid.counts.x; ++i)
          for (int axis = 0; axis < 3; ++axis) {
            glm::ivec3 next(i, j, k);
            if (++next[axis] == grid.counts[axis]) continue;
            const std::size_t a = grid.index(i, j, k), b = grid.index(next.x, next.y, next.z);
            if (inside(shape[a]) != inside(shape[b]))
              sizes.push_back(std::abs(0.5 * (static_cast<double>(values[a]) + static_cast<double>(values[b]))));
          }
    ASSERT_GT(sizes.size(), 100u);
    std::sort(sizes.begin(), sizes.end());
    Job job;
    for (const double part : {0.0, 0.5, 0.95, 1.0}) {
      const double expected = sizes[std::min(sizes.size() - 1, static_cast<std::size_t>(part * double(sizes.size())))];
      const double found =
          magnitude_at_surface(grid, shape_there.span(), isovalue, side, values_there.span(), part, job);
      EXPECT_NEAR(found, expected, expected / 128 + 1e-6) << part;
    }
    EXPECT_EQ(magnitude_at_surface(grid, shape_there.span(), 100, side, values_there.span(), 0.95, job), 0);
  }
}

TEST_P(VolumeSamples, RefuseSizesThatDiffer) {
  const auto values = DeviceArray<float>::from_host(std::vector<float>(12), GetParam());
  Job job;
  EXPECT_THROW(magnitude_at_surface(grid, values.span(), 1, SurfaceSide::above, values.span(), 0.5, job), Error);
}

}  // namespace
}  // namespace isolume
