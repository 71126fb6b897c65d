// The points of a grid near charges, drawn at random with known probabilities.
#include "compute/electrostatics/error/near_points.h"

#include <algorithm>
#include <cmath>

#include "compute/base/parallel_for.h"

namespace isolume {
namespace {

constexpr double shell = 4.0;  // angstrom along every axis: how far from a charge is near it
constexpr std::uint32_t none = 0xffffffffu;

/// Whole numbers from `low` to `high` along three axes, within a grid.
struct IndexBox {
  glm::ivec3 low, high;
  IndexBox(glm::ivec3 first, glm::ivec3 last, glm::ivec3 counts)
      : low(glm::max(first, glm::ivec3(0))), high(glm::min(last, counts - 1)) {}
  double size() const {
    const glm::ivec3 n = high - low + 1;
    if (n.x <= 0 || n.y <= 0 || n.z <= 0) return 0;
    return static_cast<double>(n.x) * n.y * n.z;
  }
  bool has(glm::ivec3 p) const {
    for (int axis = 0; axis < 3; ++axis)
      if (p[axis] < low[axis] || p[axis] > high[axis]) return false;
    return true;
  }
  glm::ivec3 any(std::mt19937_64& random) const {
    glm::ivec3 p;
    for (int axis = 0; axis < 3; ++axis)
      p[axis] = low[axis] + static_cast<int>(draw(random, static_cast<std::size_t>(high[axis] - low[axis] + 1)));
    return p;
  }
};

IndexBox around(glm::ivec3 nearest, glm::ivec3 reach, const Grid& grid) {
  return {nearest - reach, nearest + reach, grid.counts};
}

IndexBox corners(glm::ivec3 below, const Grid& grid) {
  return {below, below + 1, grid.counts};
}

/// 1 where a whole number is above the value, along each axis.
glm::ivec3 above(glm::ivec3 whole, glm::dvec3 value) {
  return {whole.x > value.x, whole.y > value.y, whole.z > value.z};
}

/// Calls body(i) for each of many, on all threads.
template <class Body>
void for_all(std::size_t count, const Body& body) {
  constexpr std::size_t run = 4096;
  Job job;
  parallel_for((count + run - 1) / run, job, "points near charges", [&](std::size_t r) {
    const std::size_t end = std::min(count, (r + 1) * run);
    for (std::size_t i = r * run; i < end; ++i) body(i);
  });
}

std::size_t index_of(glm::ivec3 p, const Grid& grid) {
  return grid.index(p.x, p.y, p.z);
}

}  // namespace

NearPoints::NearPoints(std::span<const PointCharge> charges, const Grid& grid) : grid_(grid) {
  if (charges.empty() || !(std::abs(glm::determinant(grid.step)) > 0)) return;
  for (int axis = 0; axis < 3; ++axis)
    reach_[axis] = std::max(1, static_cast<int>(std::min(1e6, std::ceil(shell / glm::length(grid.step[axis])))));
  const glm::dmat3 to_indices = glm::inverse(grid.step);
  // Charges by the blocks of points around which they are near.
  blocks_ = (grid.counts - 1 + 2 * reach_) / width() + 1;
  const auto place_of = [&](std::size_t i) {
    const glm::dvec3 at = to_indices * (glm::dvec3(charges[i].position) - grid.origin);
    const glm::dvec3 bounded = glm::clamp(at, glm::dvec3(-1e9), glm::dvec3(1e9));
    glm::ivec3 nearest(bounded + 0.5);
    nearest -= above(nearest, bounded + 0.5);
    return Place{nearest, nearest - above(nearest, bounded)};
  };
  const glm::ivec3 first = -reach_, last = grid.counts - 1 + reach_;
  const auto near_grid = [&](glm::ivec3 p) {
    return p.x >= first.x && p.y >= first.y && p.z >= first.z && p.x <= last.x && p.y <= last.y && p.z <= last.z;
  };
  std::vector<std::uint32_t> slot(charges.size(), none);  // of every charge its block, then its place in places_
  for_all(charges.size(), [&](std::size_t i) {
    const Place place = place_of(i);
    if (near_grid(place.nearest)) slot[i] = static_cast<std::uint32_t>(block_index((place.nearest + reach_) / width()));
  });
  first_.assign(
      static_cast<std::size_t>(blocks_.x) * static_cast<std::size_t>(blocks_.y) * static_cast<std::size_t>(blocks_.z) +
          1,
      0);
  for (const std::uint32_t block : slot)
    if (block != none) ++first_[block + 1];
  for (std::size_t b = 1; b < first_.size(); ++b) first_[b] += first_[b - 1];
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t& at : slot)
    if (at != none) at = next[at]++;
  places_.resize(first_.back());
  for_all(charges.size(), [&](std::size_t i) {
    if (slot[i] != none) places_[slot[i]] = place_of(i);
  });
}

std::size_t NearPoints::block_index(glm::ivec3 b) const {
  return (static_cast<std::size_t>(b.z) * static_cast<std::size_t>(blocks_.y) + static_cast<std::size_t>(b.y)) *
             static_cast<std::size_t>(blocks_.x) +
         static_cast<std::size_t>(b.x);
}

std::size_t NearPoints::draw_near(std::mt19937_64& random) const {
  return index_of(around(any_place(random).nearest, reach_, grid_).any(random), grid_);
}

std::size_t NearPoints::draw_corner(std::mt19937_64& random) const {
  const Place& place = any_place(random);
  const IndexBox box = corners(place.below, grid_);
  return index_of((box.size() > 0 ? box : around(place.nearest, reach_, grid_)).any(random), grid_);
}

std::pair<double, double> NearPoints::probability(glm::ivec3 p) const {
  double near = 0, corner = 0;
  const glm::ivec3 low = p / width(), high = (p + 2 * reach_) / width();  // reach_ is added to all places
  for (int z = low.z; z <= high.z; ++z)
    for (int y = low.y; y <= high.y; ++y)
      for (int x = low.x; x <= high.x; ++x) {
        const std::size_t b = block_index({x, y, z});
        for (std::uint32_t n = first_[b]; n < first_[b + 1]; ++n) {
          const Place& place = places_[n];
          const glm::ivec3 away = glm::abs(p - place.nearest);
          if (away.x > reach_.x || away.y > reach_.y || away.z > reach_.z) continue;  // most of them
          const IndexBox box = around(place.nearest, reach_, grid_);
          near += 1 / box.size();
          const IndexBox cell = corners(place.below, grid_);
          if (cell.size() == 0) {
            corner += 1 / box.size();
          } else if (cell.has(p)) {
            corner += 1 / cell.size();
          }
        }
      }
  const auto count = static_cast<double>(places_.size());
  return {near / count, corner / count};
}

}  // namespace isolume
