// Bader's basins on a grid by the weight method.
#include "compute/electron_density/topology/bader.h"

#include <fmt/core.h>
#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "compute/base/checks.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr double near_nucleus = 0.5;    // angstrom
constexpr double least_maximum = 1e-3;  // bohr^-3
constexpr float least_part = 1e-6f;

void check_right_angles(const Grid& grid) {
  check_grid(grid, "Bader's basins");
  for (int a = 0; a < 3; ++a) {
    const glm::dvec3 u = grid.step[a], v = grid.step[(a + 1) % 3];
    if (std::abs(glm::dot(u, v)) > 1e-9 * glm::length(u) * glm::length(v))
      throw Error("Bader's basins need a grid with right angles", Error::Kind::usage);
  }
  if (grid.size() > std::numeric_limits<std::uint32_t>::max())
    throw Error(fmt::format("Bader's basins: {} points are more than 2^32", grid.size()), Error::Kind::usage);
}

}  // namespace

BaderBasins::BaderBasins(std::span<const float> density, const Grid& grid, std::span<const glm::dvec3> nuclei, Job& job)
    : grid_(grid),
      to_grid_(glm::inverse(grid.step)),
      maxima_(nuclei.begin(), nuclei.end()),
      has_maximum_(nuclei.size(), false) {
  check_right_angles(grid);
  if (density.size() != grid.size())
    throw Error(fmt::format("Bader's basins: {} values for a grid of {} points", density.size(), grid.size()),
                Error::Kind::usage);
  if (nuclei.empty()) throw Error("Bader's basins need nuclei", Error::Kind::usage);
  std::vector<std::uint32_t> order(grid.size());
  std::iota(order.begin(), order.end(), 0u);
  oneapi::tbb::parallel_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return density[a] != density[b] ? density[a] > density[b] : a < b;
  });
  job.check();
  owners_.assign(grid.size(),
                 std::numeric_limits<std::int32_t>::min());  // not yet known
  const auto counts = glm::u64vec3(grid.counts);
  const std::size_t strides[3] = {1, counts.x, counts.x * counts.y};
  double faces[3];  // over the distance
  for (int axis = 0; axis < 3; ++axis) faces[axis] = 1 / glm::dot(grid.step[axis], grid.step[axis]);
  std::vector<Share> sums;
  for (std::size_t n = 0; n < order.size(); ++n) {
    if (n % 65536 == 0) {
      job.check();
      job.progress(static_cast<double>(n) / static_cast<double>(order.size()), "basins");
    }
    const std::size_t point = order[n];
    const std::size_t at[3] = {point % counts.x, point / counts.x % counts.y, point / counts.x / counts.y};
    std::array<std::size_t, 6> higher;
    std::array<double, 6> flows;
    std::size_t count = 0;
    double all = 0;
    for (int axis = 0; axis < 3; ++axis) {
      for (const bool up : {false, true}) {
        if (up ? at[axis] + 1 >= counts[axis] : at[axis] == 0) continue;
        const std::size_t other = up ? point + strides[axis] : point - strides[axis];
        if (owners_[other] == std::numeric_limits<std::int32_t>::min()) continue;
        higher[count] = other;
        flows[count] = faces[axis] * (double{density[other]} - double{density[point]});
        all += flows[count++];
      }
    }
    if (count == 0) {
      const glm::dvec3 place =
          units::angstrom_in_bohr *
          grid.point(static_cast<double>(at[0]), static_cast<double>(at[1]), static_cast<double>(at[2]));
      owners_[point] = static_cast<std::int32_t>(basin_of_maximum(place, density[point], nuclei));
      continue;
    }
    if (!(all > 0)) {  // as large as its neighbours
      owners_[point] = owners_[higher[0]];
      continue;
    }
    const std::int32_t first = owners_[higher[0]];
    const bool same = first >= 0 && std::all_of(higher.begin(), higher.begin() + count,
                                                [&](std::size_t h) { return owners_[h] == first; });
    if (same) {
      owners_[point] = first;
      continue;
    }
    sums.clear();
    for (std::size_t h = 0; h < count; ++h) {
      Share own{};
      for (const Share& share : shares(higher[h], own)) {
        const auto found = std::ranges::find(sums, share.basin, &Share::basin);
        const auto part = static_cast<float>(flows[h] / all) * share.part;
        if (found == sums.end()) {
          sums.push_back({share.basin, part});
        } else {
          found->part += part;
        }
      }
    }
    std::erase_if(sums, [](const Share& share) { return share.part < least_part; });
    float whole = 0;
    for (const Share& share : sums) whole += share.part;
    for (Share& share : sums) share.part /= whole;
    if (sums.size() == 1) {
      owners_[point] = static_cast<std::int32_t>(sums[0].basin);
      continue;
    }
    owners_[point] = -1 - static_cast<std::int32_t>(firsts_.size());
    firsts_.push_back(static_cast<std::uint32_t>(shares_.size()));
    shares_.insert(shares_.end(), sums.begin(), sums.end());
  }
  firsts_.push_back(static_cast<std::uint32_t>(shares_.size()));
  set_certain(job);
}

void BaderBasins::set_certain(Job& job) {
  // Points that are not like their neighbours, then what is within three points
  // of those, axis by axis.
  constexpr int reach = 3;
  const glm::ivec3 n = grid_.counts;
  std::vector<std::uint8_t> near(grid_.size(), 0);
  const std::size_t strides[3] = {1, static_cast<std::size_t>(n.x),
                                  static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y)};
  for (int k = 0; k < n.z; ++k) {
    for (int j = 0; j < n.y; ++j) {
      for (int i = 0; i < n.x; ++i) {
        const std::size_t at = grid_.index(i, j, k);
        const int place[3] = {i, j, k};
        bool unlike = owners_[at] < 0;
        for (int axis = 0; axis < 3 && !unlike; ++axis)
          unlike = place[axis] + 1 < n[axis] && owners_[at + strides[axis]] != owners_[at];
        near[at] = unlike;
      }
    }
  }
  std::vector<std::uint8_t> wider(near.size());
  for (int axis = 0; axis < 3; ++axis) {
    job.check();
    for (int k = 0; k < n.z; ++k) {
      for (int j = 0; j < n.y; ++j) {
        for (int i = 0; i < n.x; ++i) {
          const int place[3] = {i, j, k};
          const std::size_t at = grid_.index(i, j, k);
          std::uint8_t any = 0;
          for (int d = std::max(-reach, -place[axis]); d <= std::min(reach, n[axis] - 1 - place[axis]); ++d)
            any |= near[at + static_cast<std::size_t>(d) * strides[axis]];
          wider[at] = any;
        }
      }
    }
    near.swap(wider);
  }
  certain_.resize(near.size());
  for (std::size_t i = 0; i < near.size(); ++i) certain_[i] = near[i] == 0;
}

std::int32_t BaderBasins::certain(glm::dvec3 point) const {
  const glm::dvec3 at = glm::round(to_grid_ * (units::bohr_in_angstrom * point - grid_.origin));
  for (int axis = 0; axis < 3; ++axis) {
    if (!(at[axis] >= 0 && at[axis] <= grid_.counts[axis] - 1)) return -1;
  }
  const std::size_t index = grid_.index(static_cast<int>(at.x), static_cast<int>(at.y), static_cast<int>(at.z));
  return certain_[index] ? owners_[index] : -1;
}

std::size_t BaderBasins::basin_of_maximum(glm::dvec3 place, float density, std::span<const glm::dvec3> nuclei) {
  std::size_t nearest = 0;
  for (std::size_t a = 1; a < nuclei.size(); ++a) {
    if (glm::distance(place, nuclei[a]) < glm::distance(place, nuclei[nearest])) nearest = a;
  }
  double step = 0;
  for (int axis = 0; axis < 3; ++axis) step = std::max(step, glm::length(grid_.step[axis]));
  const double near = units::angstrom_in_bohr * std::max(near_nucleus, 2 * step);
  if (glm::distance(place, nuclei[nearest]) <= near) {
    has_maximum_[nearest] = true;
    return nearest;
  }
  if (double{density} < least_maximum) return nearest;
  maxima_.push_back(place);
  return maxima_.size() - 1;
}

std::span<const BaderBasins::Share> BaderBasins::shares(std::size_t point, Share& own) const {
  const std::int32_t owner = owners_[point];
  if (owner >= 0) {
    own = {static_cast<std::uint32_t>(owner), 1};
    return {&own, 1};
  }
  const auto list = static_cast<std::size_t>(-1 - owner);
  const std::size_t end = list + 1 < firsts_.size() ? firsts_[list + 1] : shares_.size();
  return {shares_.data() + firsts_[list], end - firsts_[list]};
}

std::vector<std::size_t> BaderBasins::without_maximum() const {
  std::vector<std::size_t> atoms;
  for (std::size_t a = 0; a < has_maximum_.size(); ++a) {
    if (!has_maximum_[a]) atoms.push_back(a);
  }
  return atoms;
}

void BaderBasins::add(glm::dvec3 point, double amount, std::span<double> sums) const {
  const glm::dvec3 inside = glm::clamp(to_grid_ * (units::bohr_in_angstrom * point - grid_.origin), glm::dvec3(0),
                                       glm::dvec3(grid_.counts - 1));
  const glm::ivec3 first = glm::min(glm::ivec3(inside), glm::max(grid_.counts - 2, 0));
  const glm::dvec3 part = inside - glm::dvec3(first);
  for (int corner = 0; corner < 8; ++corner) {
    double weight = amount;
    glm::ivec3 at = first;
    for (int axis = 0; axis < 3; ++axis) {
      const bool up = corner >> axis & 1;
      weight *= up ? part[axis] : 1 - part[axis];
      at[axis] = std::min(at[axis] + up, grid_.counts[axis] - 1);
    }
    if (weight == 0) continue;
    Share own{};
    for (const Share& share : shares(grid_.index(at.x, at.y, at.z), own))
      sums[share.basin] += weight * double{share.part};
  }
}

std::vector<double> BaderBasins::volumes(std::span<const float> density, double least) const {
  std::vector<double> sums(size(), 0.0);
  for (std::size_t i = 0; i < density.size(); ++i) {
    if (double{density[i]} < least) continue;
    Share own{};
    for (const Share& share : shares(i, own)) sums[share.basin] += double{share.part};
  }
  const double cell = std::abs(glm::determinant(grid_.step)) * std::pow(units::angstrom_in_bohr, 3);
  for (double& sum : sums) sum *= cell;
  return sums;
}

std::size_t bader_memory(const Grid& grid) {
  // The density twice while it comes back, the order, the owners; a tenth of
  // the points with four parts.
  return grid.size() * (2 * sizeof(float) + sizeof(std::uint32_t) + sizeof(std::int32_t) + 6);
}

}  // namespace isolume
