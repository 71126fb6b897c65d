// Values of a volume at some points, their mean square and magnitude near a surface: checks, and the bodies of the CPU.
#include "compute/analysis/volume_samples.h"

#include <bit>
#include <cmath>
#include <mutex>
#include <numeric>

#include "compute/base/checks.h"
#include "compute/base/parallel_for.h"

namespace isolume {
namespace {

using Bins = std::vector<std::uint32_t>;

bool inside(float v, float isovalue, SurfaceSide side) {
  return (side == SurfaceSide::above ? v : side == SurfaceSide::below ? -v : std::abs(v)) > isovalue;
}

Bins magnitudes_at_surface_cpu(const Grid& grid, Span<const float> shape, float isovalue, SurfaceSide side,
                               Span<const float> values, Job& job) {
  Bins total(magnitude_bins);
  std::mutex mutex;
  const glm::ivec3 n = grid.counts;
  const std::size_t strides[3] = {1, static_cast<std::size_t>(n.x),
                                  static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y)};
  parallel_for(static_cast<std::size_t>(n.z), job, "values at the surface", [&](std::size_t k) {
    std::vector<std::uint32_t> found;
    for (int j = 0; j < n.y; ++j) {
      for (int i = 0; i < n.x; ++i) {
        const glm::ivec3 p(i, j, static_cast<int>(k));
        const std::size_t at = grid.index(p.x, p.y, p.z);
        const bool own = inside(shape.data[at], isovalue, side);
        for (int axis = 0; axis < 3; ++axis) {
          if (p[axis] + 1 >= n[axis]) continue;
          const std::size_t other = at + strides[axis];
          if (own == inside(shape.data[other], isovalue, side)) continue;
          const float size = std::abs(0.5f * (values.data[at] + values.data[other]));
          if (size == size) found.push_back(std::bit_cast<std::uint32_t>(size) >> magnitude_shift);
        }
      }
    }
    const std::lock_guard lock(mutex);
    for (const std::uint32_t bin : found) ++total[bin];
  });
  return total;
}

}  // namespace

std::vector<float> values_at(Span<const float> values, std::span<const std::size_t> points) {
  for (const std::size_t point : points) {
    if (point < values.size) continue;
    throw Error(fmt::format("point {} of a volume of {}", point, values.size), Error::Kind::usage);
  }
  if (values.device.is_cuda()) return points.empty() ? std::vector<float>() : values_at_cuda(values, points);
  std::vector<float> result;
  result.reserve(points.size());
  for (const std::size_t point : points) result.push_back(values.data[point]);
  return result;
}

double mean_square(Span<const float> values, Job& job) {
  if (values.empty()) return 0;
  constexpr std::size_t summed_at_once = std::size_t{1} << 15;
  std::vector<double> parts;
  if (values.device.is_cuda()) {
    parts = sums_of_squares_cuda(values);
  } else {
    parts.resize((values.size + summed_at_once - 1) / summed_at_once);
    parallel_for(parts.size(), job, "mean square", [&](std::size_t part) {
      double sum = 0;
      const std::size_t end = std::min(values.size, (part + 1) * summed_at_once);
      for (std::size_t i = part * summed_at_once; i < end; ++i)
        sum += static_cast<double>(values.data[i]) * static_cast<double>(values.data[i]);
      parts[part] = sum;
    });
  }
  return std::accumulate(parts.begin(), parts.end(), 0.0) / static_cast<double>(values.size);
}

double magnitude_at_surface(const Grid& grid, Span<const float> shape, float isovalue, SurfaceSide side,
                            Span<const float> values, double part, Job& job) {
  check_grid(grid, "values at a surface");
  check_values(grid, shape, "values at a surface");
  check_values(grid, values, "values at a surface");
  check_same_device(shape, values, "values at a surface");
  job.check();
  if (values.empty()) return 0;
  const Bins bins = values.device.is_cuda() ? magnitudes_at_surface_cuda(grid, shape, isovalue, side, values)
                                            : magnitudes_at_surface_cpu(grid, shape, isovalue, side, values, job);
  std::uint64_t count = 0;
  for (const std::uint32_t bin : bins) count += bin;
  if (count == 0) return 0;
  const auto place = std::min(static_cast<std::uint64_t>(part * static_cast<double>(count)), count - 1);
  std::uint64_t before = 0;
  for (std::uint32_t bin = 0; bin < bins.size(); ++bin) {
    before += bins[bin];
    if (before <= place) continue;
    // The middle of the bin; zero stays zero.
    const std::uint32_t low = bin << magnitude_shift;
    return bin == 0 ? 0.0 : static_cast<double>(std::bit_cast<float>(low | (1u << (magnitude_shift - 1))));
  }
  return 0;
}

}  // namespace isolume
