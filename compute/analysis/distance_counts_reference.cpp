// Counts of distances in plain double precision.
#include <algorithm>

#include "compute/analysis/distance_counts.h"

namespace isolume {

void count_distances_reference(const DistancePoints& a, const DistancePoints& b, bool within, const Cell& cell,
                               const DistanceBins& bins, std::span<std::uint64_t> counts) {
  std::fill(counts.begin(), counts.end(), 0);
  const bool groups = !a.groups.empty() && !b.groups.empty();
  for (std::size_t i = 0; i < a.positions.size; ++i)
    for (std::size_t j = within ? i + 1 : 0; j < b.positions.size; ++j) {
      if (groups && a.groups[i] == b.groups[j]) continue;
      glm::dvec3 d = glm::dvec3(b.positions.data[j]) - glm::dvec3(a.positions.data[i]);
      if (cell.exists()) d = cell.minimum_image(d);
      const double at = glm::length(d) / bins.maximum * static_cast<double>(bins.count);
      if (at < static_cast<double>(bins.count)) ++counts[static_cast<std::size_t>(at)];
    }
}

}  // namespace isolume
