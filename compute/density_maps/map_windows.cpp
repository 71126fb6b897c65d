// Which points of a map count: near atoms, and windows around parts of a model.
#include "compute/density_maps/map_windows.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "compute/base/checks.h"
#include "compute/base/parallel_for.h"

namespace isolume {
namespace {

constexpr std::size_t block = std::size_t{1} << 16;

/// The points of a grid within a distance of a position, row by row.
class Sphere {
 public:
  Sphere(const Grid& grid, glm::dvec3 centre, double radius) : grid_(grid), centre_(centre), radius_(radius) {
    for (int axis = 0; axis < 3; ++axis) {
      const double step = grid.step[axis][axis];
      const double at = (centre[axis] - grid.origin[axis]) / step, reach = radius / std::abs(step);
      lower[axis] = static_cast<int>(std::clamp(std::ceil(at - reach - 1e-9), 0.0, 2e9));
      upper[axis] = static_cast<int>(std::clamp(std::floor(at + reach + 1e-9), -1.0, grid.counts[axis] - 1.0));
    }
  }

  /// Calls use(i, j, k) for each point.
  template <class Use>
  void each(const Use& use) const {
    const double limit = radius_ * radius_;
    for (int k = lower.z; k <= upper.z; ++k) {
      for (int j = lower.y; j <= upper.y; ++j) {
        for (int i = lower.x; i <= upper.x; ++i) {
          const glm::dvec3 d = grid_.point(i, j, k) - centre_;
          if (glm::dot(d, d) <= limit) use(i, j, k);
        }
      }
    }
  }

  glm::ivec3 lower{0}, upper{0};

 private:
  const Grid& grid_;
  glm::dvec3 centre_;
  double radius_;
};

void check_aligned(const Grid& grid, const char* what) {
  check_grid(grid, what);
  if (!grid.axis_aligned()) throw Error(fmt::format("{}: the grid must be along x, y and z", what), Error::Kind::usage);
}

void add_point(MapSums& sums, float a, float b) {
  const auto da = static_cast<double>(a), db = static_cast<double>(b);
  sums.count += 1;
  sums.a += da;
  sums.b += db;
  sums.aa += da * da;
  sums.bb += db * db;
  sums.ab += da * db;
}

}  // namespace

std::vector<std::uint8_t> points_near(const Grid& grid, std::span<const glm::dvec3> positions, double distance,
                                      Job& job) {
  check_aligned(grid, "points near atoms");
  std::vector<std::uint8_t> mask(grid.size(), 0);
  constexpr std::size_t few = 256;
  parallel_for((positions.size() + few - 1) / few, job, "points near atoms", [&](std::size_t b) {
    const std::size_t end = std::min(positions.size(), (b + 1) * few);
    for (std::size_t n = b * few; n < end; ++n) {
      Sphere(grid, positions[n], distance).each([&](int i, int j, int k) {
        // Several threads may write the same 1.
        std::atomic_ref<std::uint8_t>(mask[grid.index(i, j, k)]).store(1, std::memory_order_relaxed);
      });
    }
  });
  return mask;
}

MapSums masked_sums(std::span<const float> a, std::span<const float> b, std::span<const std::uint8_t> mask, Job& job) {
  if (a.size() != b.size() || a.size() != mask.size())
    throw Error(fmt::format("correlation: {} and {} values, and a mask of {}", a.size(), b.size(), mask.size()),
                Error::Kind::usage);
  std::vector<MapSums> parts((a.size() + block - 1) / block);
  parallel_for(parts.size(), job, "correlation", [&](std::size_t p) {
    const std::size_t end = std::min(a.size(), (p + 1) * block);
    for (std::size_t i = p * block; i < end; ++i) {
      if (mask[i]) add_point(parts[p], a[i], b[i]);
    }
  });
  MapSums sums;
  for (const MapSums& part : parts) sums += part;
  return sums;
}

std::vector<MapSums> window_sums(const Grid& grid, std::span<const float> a, std::span<const float> b,
                                 std::span<const glm::dvec3> positions,
                                 std::span<const std::vector<std::uint32_t>> groups, double distance, Job& job) {
  check_aligned(grid, "local correlation");
  if (a.size() != grid.size() || b.size() != grid.size())
    throw Error(fmt::format("local correlation: {} and {} values for {} points", a.size(), b.size(), grid.size()),
                Error::Kind::usage);
  std::vector<MapSums> sums(groups.size());
  parallel_for(groups.size(), job, "local correlation", [&](std::size_t g) {
    glm::ivec3 lower(std::numeric_limits<int>::max()), upper(-1);
    for (const std::uint32_t n : groups[g]) {
      const Sphere sphere(grid, positions[n], distance);
      if (glm::any(glm::lessThan(sphere.upper, sphere.lower))) continue;
      lower = glm::min(lower, sphere.lower);
      upper = glm::max(upper, sphere.upper);
    }
    if (glm::any(glm::lessThan(upper, lower))) return;
    // Each point once, however many of the group's atoms are near it.
    const glm::ivec3 size = upper - lower + 1;
    std::vector<std::uint8_t> taken(static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y) *
                                    static_cast<std::size_t>(size.z));
    for (const std::uint32_t n : groups[g]) {
      Sphere(grid, positions[n], distance).each([&](int i, int j, int k) {
        const auto at = static_cast<std::size_t>(i - lower.x) +
                        static_cast<std::size_t>(size.x) *
                            (static_cast<std::size_t>(j - lower.y) +
                             static_cast<std::size_t>(size.y) * static_cast<std::size_t>(k - lower.z));
        if (taken[at]++ != 0) {
          taken[at] = 1;
          return;
        }
        const std::size_t point = grid.index(i, j, k);
        add_point(sums[g], a[point], b[point]);
      });
    }
  });
  return sums;
}

MapMeeting meeting_of(const Grid& grid, std::span<const glm::vec3> positions) {
  MapMeeting result;
  result.grid_lower = glm::dvec3(std::numeric_limits<double>::max());
  result.grid_upper = glm::dvec3(std::numeric_limits<double>::lowest());
  for (int corner = 0; corner < 8; ++corner) {
    const glm::dvec3 p = grid.point((corner & 1) * (grid.counts.x - 1), (corner >> 1 & 1) * (grid.counts.y - 1),
                                    (corner >> 2) * (grid.counts.z - 1));
    result.grid_lower = glm::min(result.grid_lower, p);
    result.grid_upper = glm::max(result.grid_upper, p);
  }
  result.lower = glm::dvec3(std::numeric_limits<double>::max());
  result.upper = glm::dvec3(std::numeric_limits<double>::lowest());
  const glm::dvec3 last(grid.counts - 1);
  const glm::dmat3 to_indices = glm::inverse(grid.step);
  for (const glm::vec3& position : positions) {
    const glm::dvec3 p(position);
    result.lower = glm::min(result.lower, p);
    result.upper = glm::max(result.upper, p);
    const glm::dvec3 at = to_indices * (p - grid.origin);
    result.inside += glm::all(glm::greaterThanEqual(at, glm::dvec3(0))) && glm::all(glm::lessThanEqual(at, last));
  }
  return result;
}

}  // namespace isolume
