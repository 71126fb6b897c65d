// The bodies of masks and windows, one per kind of device; only the dispatcher and the bodies include this.
#pragma once

#include "compute/density_maps/map_windows.h"

namespace isolume {

/// A box of grid points: its lowest, and how many along each axis (0: none).
struct PointBox {
  glm::ivec3 lower{0}, size{0};
  std::size_t points() const {
    return static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y) * static_cast<std::size_t>(size.z);
  }
};

/// Groups as they are copied: members of group g are numbers[starts[g]] to numbers[starts[g + 1] - 1].
struct WindowTask {
  const Grid& grid;
  MapPair maps;
  std::span<const glm::dvec3> positions;
  std::span<const std::uint32_t> starts, numbers;
  std::span<const PointBox> boxes;  ///< of each group: all points that can be near it
  double distance;
};
std::vector<MapSums> window_sums_cuda(const WindowTask& task, Device device, Job& job);
void points_near_cuda(const Grid& grid, std::span<const glm::dvec3> positions, double distance, Span<std::uint8_t> mask,
                      Job& job);
MapSums masked_sums_cuda(const MapPair& maps, Span<const std::uint8_t> mask, Job& job);

/// Bytes of marks that groups use at a time, unless one needs more.
constexpr std::size_t window_marks = std::size_t{1} << 28;

}  // namespace isolume
