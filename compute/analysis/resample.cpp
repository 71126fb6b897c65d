// A volume's values at the points of another grid.
#include "compute/analysis/resample.h"

#include <limits>

#include "compute/base/checks.h"
#include "compute/base/parallel_for.h"

namespace isolume {

std::vector<float> resampled(const Volume& volume, const Grid& grid, Job& job) {
  check_grid(grid, "resampled map");
  std::vector<float> values(grid.size(), std::numeric_limits<float>::quiet_NaN());
  const glm::ivec3 n = volume.grid.counts;
  if (n.x < 1 || n.y < 1 || n.z < 1) return values;
  const glm::dmat3 to_indices = glm::inverse(volume.grid.step);
  const glm::dvec3 last(n - 1);
  constexpr double rounding = 1e-9;  // of a step: the last points belong to the volume
  parallel_for(static_cast<std::size_t>(grid.counts.z), job, "map at the surface", [&](std::size_t layer) {
    const int k = static_cast<int>(layer);
    for (int j = 0; j < grid.counts.y; ++j)
      for (int i = 0; i < grid.counts.x; ++i) {
        const glm::dvec3 at = to_indices * (grid.point(i, j, k) - volume.grid.origin);
        bool inside = true;
        for (int axis = 0; axis < 3; ++axis)
          inside = inside && at[axis] >= -rounding && at[axis] <= last[axis] + rounding;
        if (!inside) continue;
        const glm::dvec3 within = glm::clamp(at, glm::dvec3(0), last);
        const glm::ivec3 low = glm::clamp(glm::ivec3(within), glm::ivec3(0), glm::max(n - 2, glm::ivec3(0)));
        const glm::dvec3 part = within - glm::dvec3(low);
        double sum = 0;
        for (int corner = 0; corner < 8; ++corner) {
          const glm::ivec3 side(corner & 1, corner >> 1 & 1, corner >> 2);
          double weight = 1;
          for (int axis = 0; axis < 3; ++axis) weight *= side[axis] ? part[axis] : 1 - part[axis];
          if (weight == 0) continue;
          const glm::ivec3 point = low + side;
          sum += weight * static_cast<double>(volume.values[volume.grid.index(point.x, point.y, point.z)]);
        }
        values[grid.index(i, j, k)] = static_cast<float>(sum);
      }
  });
  return values;
}

}  // namespace isolume
