// Which points of a map count: near atoms, and windows around parts of a model.
#include "compute/density_maps/map_windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "compute/base/checks.h"
#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "compute/density_maps/map_windows_body.h"
#include "molecule/base/error.h"

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

template <class T>
Span<T> on_host(std::span<T> values) {
  return {values.data(), values.size(), Device::cpu()};
}

/// All points that can be near the members of a group.
PointBox box_of(const Grid& grid, std::span<const glm::dvec3> positions, std::span<const std::uint32_t> group,
                double distance) {
  glm::ivec3 lower(std::numeric_limits<int>::max()), upper(-1);
  for (const std::uint32_t n : group) {
    const Sphere sphere(grid, positions[n], distance);
    if (glm::any(glm::lessThan(sphere.upper, sphere.lower))) continue;
    lower = glm::min(lower, sphere.lower);
    upper = glm::max(upper, sphere.upper);
  }
  if (glm::any(glm::lessThan(upper, lower))) return {};
  return {lower, upper - lower + 1};
}

MapSums window_on_cpu(const Grid& grid, const MapPair& maps, std::span<const glm::dvec3> positions,
                      std::span<const std::uint32_t> group, const PointBox& box, double distance) {
  MapSums sums;
  // Each point once, however many of the group's atoms are near it.
  std::vector<std::uint8_t> taken(box.points());
  if (taken.empty()) return sums;
  for (const std::uint32_t n : group) {
    Sphere(grid, positions[n], distance).each([&](int i, int j, int k) {
      const auto at = static_cast<std::size_t>(i - box.lower.x) +
                      static_cast<std::size_t>(box.size.x) *
                          (static_cast<std::size_t>(j - box.lower.y) +
                           static_cast<std::size_t>(box.size.y) * static_cast<std::size_t>(k - box.lower.z));
      if (taken[at]++ != 0) {
        taken[at] = 1;
        return;
      }
      const std::size_t point = grid.index(i, j, k);
      add_point(sums, maps.a.data[point], maps.b.data[point]);
    });
  }
  return sums;
}

/// Calls body(g) for all groups: many at a time, since most are small.
template <class Body>
void for_groups(std::size_t count, Job& job, const Body& body) {
  constexpr std::size_t few = 64;
  parallel_for((count + few - 1) / few, job, "local correlation", [&](std::size_t part) {
    for (std::size_t g = part * few; g < std::min(count, (part + 1) * few); ++g) body(g);
  });
}

std::vector<MapSums> windows_on_cuda(const Grid& grid, const MapPair& maps, std::span<const glm::dvec3> positions,
                                     std::span<const std::vector<std::uint32_t>> groups,
                                     std::span<const PointBox> boxes, double distance, Job& job) {
  std::vector<std::uint32_t> starts(groups.size() + 1, 0);
  std::size_t marks = 0, largest = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    starts[g + 1] = starts[g] + static_cast<std::uint32_t>(groups[g].size());
    marks += boxes[g].points();
    largest = std::max(largest, boxes[g].points());
  }
  std::vector<std::uint32_t> numbers(starts.back());
  for_groups(groups.size(), job,
             [&](std::size_t g) { std::copy(groups[g].begin(), groups[g].end(), numbers.begin() + starts[g]); });
  const Device device = maps.a.device;
  require_memory(std::min(marks, std::max(largest, window_marks)) + positions.size_bytes() + numbers.size() * 4 +
                     groups.size() * (sizeof(PointBox) + 60),
                 device, "local correlation");
  return window_sums_cuda({grid, maps, positions, starts, numbers, boxes, distance}, device, job);
}

}  // namespace

void points_near(const Grid& grid, std::span<const glm::dvec3> positions, double distance, Span<std::uint8_t> mask,
                 Job& job) {
  check_aligned(grid, "points near atoms");
  check_values(grid, mask, "points near atoms");
  if (mask.empty()) return;
  if (mask.device.is_cuda()) {
    require_memory(positions.size_bytes(), mask.device, "points near atoms");
    points_near_cuda(grid, positions, distance, mask, job);
    return;
  }
  std::fill_n(mask.data, mask.size, std::uint8_t{0});
  constexpr std::size_t few = 256;
  parallel_for((positions.size() + few - 1) / few, job, "points near atoms", [&](std::size_t b) {
    const std::size_t end = std::min(positions.size(), (b + 1) * few);
    for (std::size_t n = b * few; n < end; ++n) {
      Sphere(grid, positions[n], distance).each([&](int i, int j, int k) {
        // Several threads may write the same 1.
        std::atomic_ref<std::uint8_t>(mask.data[grid.index(i, j, k)]).store(1, std::memory_order_relaxed);
      });
    }
  });
}

std::vector<std::uint8_t> points_near(const Grid& grid, std::span<const glm::dvec3> positions, double distance,
                                      Job& job) {
  check_grid(grid, "points near atoms");
  std::vector<std::uint8_t> mask(grid.size());
  points_near(grid, positions, distance, Span<std::uint8_t>(mask), job);
  return mask;
}

MapSums masked_sums(const MapPair& maps, Span<const std::uint8_t> mask, Job& job) {
  const Span<const float>&a = maps.a, &b = maps.b;
  if (a.size != b.size || a.size != mask.size)
    throw Error(fmt::format("correlation: {} and {} values, and a mask of {}", a.size, b.size, mask.size),
                Error::Kind::usage);
  check_same_device(a, b, "correlation");
  check_same_device(a, mask, "correlation");
  if (mask.empty()) return {};
  if (mask.device.is_cuda()) return masked_sums_cuda(maps, mask, job);
  std::vector<MapSums> parts((a.size + block - 1) / block);
  parallel_for(parts.size(), job, "correlation", [&](std::size_t p) {
    const std::size_t end = std::min(a.size, (p + 1) * block);
    for (std::size_t i = p * block; i < end; ++i) {
      if (mask.data[i]) add_point(parts[p], a.data[i], b.data[i]);
    }
  });
  MapSums sums;
  for (const MapSums& part : parts) sums += part;
  return sums;
}

MapSums masked_sums(std::span<const float> a, std::span<const float> b, std::span<const std::uint8_t> mask, Job& job) {
  return masked_sums(MapPair{on_host(a), on_host(b)}, on_host(mask), job);
}

std::vector<MapSums> window_sums(const Grid& grid, const MapPair& maps, std::span<const glm::dvec3> positions,
                                 std::span<const std::vector<std::uint32_t>> groups, double distance, Job& job) {
  check_aligned(grid, "local correlation");
  check_values(grid, maps.a, "local correlation");
  check_values(grid, maps.b, "local correlation");
  check_same_device(maps.a, maps.b, "local correlation");
  const bool cuda = maps.a.device.is_cuda() && !maps.a.empty();
  std::vector<MapSums> sums(groups.size());
  std::vector<PointBox> boxes(groups.size());
  for_groups(groups.size(), job, [&](std::size_t g) {
    for (const std::uint32_t n : groups[g]) {
      if (n >= positions.size())
        throw Error(fmt::format("local correlation: position {} of {}", n + 1, positions.size()), Error::Kind::usage);
    }
    boxes[g] = box_of(grid, positions, groups[g], distance);
    if (!cuda) sums[g] = window_on_cpu(grid, maps, positions, groups[g], boxes[g], distance);
  });
  if (!cuda || groups.empty()) return sums;
  return windows_on_cuda(grid, maps, positions, groups, boxes, distance, job);
}

std::vector<MapSums> window_sums(const Grid& grid, std::span<const float> a, std::span<const float> b,
                                 std::span<const glm::dvec3> positions,
                                 std::span<const std::vector<std::uint32_t>> groups, double distance, Job& job) {
  return window_sums(grid, MapPair{on_host(a), on_host(b)}, positions, groups, distance, job);
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

MapMeeting check_meeting(const Grid& grid, std::span<const glm::vec3> positions, const std::string& name,
                         const std::string& remedy) {
  const MapMeeting meeting = meeting_of(grid, positions);
  if (meeting.inside > 0) return meeting;
  const auto box = [](glm::dvec3 low, glm::dvec3 high) {
    return fmt::format("{:.1f} to {:.1f}, {:.1f} to {:.1f}, {:.1f} to {:.1f}", low.x, high.x, low.y, high.y, low.z,
                       high.z);
  };
  throw Error(fmt::format("{} and the model do not meet: the map covers {} angstrom, the atoms {}; {}", name,
                          box(meeting.grid_lower, meeting.grid_upper), box(meeting.lower, meeting.upper), remedy),
              Error::Kind::usage);
}

void check_resolution(double resolution, const Grid& grid, const std::string& what, const std::string& name) {
  double coarsest = 0;
  for (int axis = 0; axis < 3; ++axis) coarsest = std::max(coarsest, std::abs(grid.step[axis][axis]));
  if (resolution >= 2 * coarsest * 0.99) return;
  throw Error(fmt::format("{} {:g}: {} has points every {:.4g} angstrom, which hold no more than {:.4g} angstrom "
                          "(Nyquist's limit, two steps)",
                          what, resolution, name, coarsest, 2 * coarsest),
              Error::Kind::usage);
}

}  // namespace isolume
