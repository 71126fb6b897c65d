// A cell list: which points lie near a place, in constant time each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

namespace isolume {

/// Points sorted into cubic bins of at least the cutoff, so that all within it stand in 27 bins. Memory is bounded by
/// the number of points however far apart they lie; points that are not finite are left out.
class NeighbourGrid {
 public:
  /// Cutoff in the unit of the points, not negative; the points are copied.
  NeighbourGrid(std::span<const glm::vec3> points, double cutoff);

  /// Pairs whose distance is looked at when every point is visited: 27 bins each. For points that are crowded without
  /// end this grows with the square of their number.
  std::uint64_t pairs() const;

  /// Calls visit(index, squared distance) for the points within the cutoff (inclusive) of `place`, in no particular
  /// order, until it returns true. Returns whether it did.
  template <class Visit>
  bool visit(glm::vec3 place, Visit&& visit) const {
    const glm::ivec3 centre = bin(place);
    const std::size_t low = static_cast<std::size_t>(std::max(centre.x - 1, 0));
    const std::size_t high = static_cast<std::size_t>(std::min(centre.x + 1, counts_.x - 1));
    const glm::dvec3 from(place);
    for (const int dz : {0, -1, 1}) {  // the nearest rows first: who looks for any neighbour finds one soon
      for (const int dy : {0, -1, 1}) {
        const int y = centre.y + dy;
        const int z = centre.z + dz;
        if (y < 0 || z < 0 || y >= counts_.y || z >= counts_.z) continue;
        const std::size_t row =
            static_cast<std::size_t>(counts_.x) *
            (static_cast<std::size_t>(y) + static_cast<std::size_t>(counts_.y) * static_cast<std::size_t>(z));
        const std::uint32_t end = starts_[row + high + 1];
        for (std::uint32_t i = starts_[row + low]; i < end; ++i) {
          const glm::dvec3 d = glm::dvec3(points_[i]) - from;
          const double squared = glm::dot(d, d);
          if (squared <= squared_cutoff_ && visit(items_[i], squared)) return true;
        }
      }
    }
    return false;
  }

 private:
  // Points outside the box go to the bins at its border: clamping never moves two bins apart, so neighbours stay so.
  glm::ivec3 bin(glm::vec3 point) const {
    const glm::vec3 scaled = (point - origin_) * per_bin_;
    glm::ivec3 result;
    for (int i = 0; i < 3; ++i) {
      result[i] = scaled[i] > 0 ? static_cast<int>(std::min(scaled[i], static_cast<float>(counts_[i] - 1))) : 0;
    }
    return result;
  }

  double squared_cutoff_;
  glm::vec3 origin_{0.0f};
  float per_bin_ = 0;
  glm::ivec3 counts_{1};
  std::vector<std::uint32_t> starts_;  // of every bin, and the end
  std::vector<std::uint32_t> items_;   // indices of the points, bin by bin
  std::vector<glm::vec3> points_;      // in the order of items_
};

}  // namespace isolume
