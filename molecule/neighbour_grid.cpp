// A cell list: choosing the bins and sorting points into them.
#include "molecule/neighbour_grid.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace isolume {

namespace {

bool finite(const glm::vec3& p) {
  return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

double bins(const glm::dvec3& extent, double width) {
  return (std::floor(extent.x / width) + 1) * (std::floor(extent.y / width) + 1) * (std::floor(extent.z / width) + 1);
}

}  // namespace

NeighbourGrid::NeighbourGrid(std::span<const glm::vec3> points, double cutoff) : squared_cutoff_(cutoff * cutoff) {
  std::vector<std::uint32_t> kept;
  kept.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (finite(points[i])) kept.push_back(static_cast<std::uint32_t>(i));
  }
  glm::dvec3 low(0.0), high(0.0);
  if (!kept.empty()) low = high = glm::dvec3(points[kept.front()]);
  for (std::uint32_t i : kept) {
    low = glm::min(low, glm::dvec3(points[i]));
    high = glm::max(high, glm::dvec3(points[i]));
  }
  const double most = 2.0 * static_cast<double>(kept.size()) + 64;
  // A hair more than the cutoff: rounding of the bin numbers must not part two points at exactly that distance.
  double width = std::max(cutoff * 1.00001, 1e-3);
  if (bins(high - low, width) > most) {
    // Sparse: a few points far out must not make the bins of all the others coarse, so cover the middle 98 %.
    std::vector<float> values(kept.size());
    for (int axis = 0; axis < 3; ++axis) {
      std::transform(kept.begin(), kept.end(), values.begin(), [&](std::uint32_t i) { return points[i][axis]; });
      const auto hundredth = static_cast<std::ptrdiff_t>(values.size() / 100);
      std::nth_element(values.begin(), values.begin() + hundredth, values.end());
      low[axis] = static_cast<double>(values[static_cast<std::size_t>(hundredth)]);
      std::nth_element(values.begin(), values.end() - 1 - hundredth, values.end());
      high[axis] = static_cast<double>(values[values.size() - 1 - static_cast<std::size_t>(hundredth)]);
    }
    while (bins(high - low, width) > most) width *= 1.3;
  }
  // Single precision tells bins apart only while the coordinates are not huge next to them.
  const double largest = std::max(glm::length(low), glm::length(high));
  width = std::max(width, cutoff + 4e-7 * largest);
  origin_ = glm::vec3(low);
  per_bin_ = static_cast<float>(1 / width);
  counts_ = glm::ivec3(glm::floor((high - low) / width)) + 1;
  const std::size_t total =
      static_cast<std::size_t>(counts_.x) * static_cast<std::size_t>(counts_.y) * static_cast<std::size_t>(counts_.z);

  std::vector<std::uint32_t> bin_of(kept.size());
  starts_.assign(total + 1, 0);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const glm::ivec3 b = bin(points[kept[i]]);
    bin_of[i] = static_cast<std::uint32_t>(b.x + counts_.x * (b.y + counts_.y * b.z));
    ++starts_[bin_of[i]];
  }
  // The ends of the bins, which are filled from there down to their starts: no second list of as many numbers.
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  items_.resize(kept.size());
  points_.resize(kept.size());
  for (std::size_t i = kept.size(); i-- > 0;) {
    const std::uint32_t slot = --starts_[bin_of[i]];
    items_[slot] = kept[i];
    points_[slot] = points[kept[i]];
  }
}

std::uint64_t NeighbourGrid::pairs() const {
  const auto row_of = [&](int y, int z) {
    return static_cast<std::size_t>(counts_.x) *
           (static_cast<std::size_t>(y) + static_cast<std::size_t>(counts_.y) * static_cast<std::size_t>(z));
  };
  std::uint64_t sum = 0;
  for (int z = 0; z < counts_.z; ++z) {
    for (int y = 0; y < counts_.y; ++y) {
      for (int x = 0; x < counts_.x; ++x) {
        const std::size_t bin = row_of(y, z) + static_cast<std::size_t>(x);
        const std::uint64_t here = starts_[bin + 1] - starts_[bin];
        if (here == 0) continue;
        const auto low = static_cast<std::size_t>(std::max(x - 1, 0));
        const auto high = static_cast<std::size_t>(std::min(x + 1, counts_.x - 1));
        for (int dz = std::max(z - 1, 0); dz <= std::min(z + 1, counts_.z - 1); ++dz)
          for (int dy = std::max(y - 1, 0); dy <= std::min(y + 1, counts_.y - 1); ++dy)
            sum += here * (starts_[row_of(dy, dz) + high + 1] - starts_[row_of(dy, dz) + low]);
      }
    }
  }
  return sum;
}

}  // namespace isolume
