// Frame pairs by plain loops.
#include <cmath>
#include <limits>

#include "compute/frames/frame_pairs.h"

namespace isolume {

// Between the nearest images where there is a cell.
double smallest_distance(std::span<const glm::dvec3> a, std::span<const glm::dvec3> b, const Cell& cell) {
  double least = std::numeric_limits<double>::infinity();
  const bool images = cell.exists();
  for (const glm::dvec3& p : a)
    for (const glm::dvec3& q : b) {
      const glm::dvec3 d = images ? cell.minimum_image(q - p) : q - p;
      least = std::min(least, glm::dot(d, d));
    }
  return std::sqrt(least);
}

std::uint64_t count_contacts_reference(std::span<const glm::dvec3> points_a, std::span<const glm::dvec3> points_b,
                                       std::span<const ContactPoint> a, std::span<const ContactPoint> b,
                                       const ContactRule& rule, const Cell& cell) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (a[i].atom == b[j].atom || (rule.within && a[i].atom > b[j].atom) || a[i].residue == b[j].residue) continue;
      if (a[i].chain == b[j].chain &&
          std::abs(static_cast<std::int64_t>(a[i].residue) - static_cast<std::int64_t>(b[j].residue)) < rule.apart)
        continue;
      if (glm::length(cell.minimum_image(points_b[j] - points_a[i])) <= rule.cutoff) ++count;
    }
  return count;
}

}  // namespace isolume
