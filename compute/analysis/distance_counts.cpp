// Counts of distances: checks, the lattice, and the choice of the body.
#include "compute/analysis/distance_counts.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "compute/analysis/distance_tiles.h"
#include "compute/base/checks.h"
#include "compute/base/memory.h"

namespace isolume {
namespace {

constexpr std::size_t most_points_cuda = (std::size_t{1} << 30) - 1;  // indices have 32 bits
constexpr std::size_t most_points_cpu = 0xffffffffu;

void check(const DistancePoints& points, Device device) {
  if (!points.groups.empty() && points.groups.size() != points.positions.size)
    throw Error(fmt::format("distances: {} groups for {} points", points.groups.size(), points.positions.size),
                Error::Kind::usage);
  const std::size_t most_points = device.is_cuda() ? most_points_cuda : most_points_cpu;
  if (points.positions.size > most_points)
    throw Error(fmt::format("distances: {} points; the most on {} are {}{}", points.positions.size, to_string(device),
                            most_points, device.is_cuda() ? "; --device cpu takes more" : ""),
                Error::Kind::usage);
  if (points.positions.device.is_cuda() && points.positions.device != device)
    throw Error(
        fmt::format("distances: points on {} and counts on {}", to_string(points.positions.device), to_string(device)),
        Error::Kind::usage);
}

void count(const DistancePoints& a, const DistancePoints& b, bool within, const Cell& cell, const DistanceBins& bins,
           Span<std::uint64_t> counts, Job& job) {
  if (!(bins.maximum > 0) || !std::isfinite(bins.maximum) || bins.count < 1 || bins.count > most_distance_bins)
    throw Error(fmt::format("distances: a maximum above 0 and 1 to {} bins are needed, not {} angstrom and {} bins",
                            most_distance_bins, bins.maximum, bins.count),
                Error::Kind::usage);
  if (counts.size != bins.count)
    throw Error(fmt::format("distances: {} counts for {} bins", counts.size, bins.count), Error::Kind::usage);
  check(a, counts.device);
  check(b, counts.device);
  if (const double most = largest_unique_distance(cell); bins.maximum > most * (1 + 1e-9))
    throw Error(fmt::format("distances up to {:.4g} angstrom: beyond {:.4g}, half the shortest vector of the periodic "
                            "lattice, a pair has more than one image",
                            bins.maximum, most),
                Error::Kind::usage);
  const std::size_t points = a.positions.size + (within ? 0 : b.positions.size);
  require_memory(distance_count_memory(points, bins.count, counts.device), counts.device, "distances");
  job.check();
  if (counts.device.is_cuda()) {
    count_distances_cuda(a, b, within, cell, bins, counts, job);
  } else {
    count_distances_cpu(a, b, within, cell, bins, counts, job);
  }
}

}  // namespace

std::size_t distance_count_memory(std::size_t points, std::uint32_t bins, Device device) {
  // The counters of each thread: four rows of 32 bits, and what they were before.
  const std::size_t own = (std::size_t{bins} + 1) * (4 * sizeof(std::uint32_t) + sizeof(std::uint64_t));
  return points * 48 + (device.is_cuda() ? 0 : own * static_cast<std::size_t>(thread_count()));
}

glm::dmat3 reduced_lattice(const Cell& cell) {
  glm::dmat3 m = cell.vectors;
  for (int round = 0; round < 200; ++round) {
    bool changed = false;
    // Each vector less what the others have of it, then the longest less the sums of the two others.
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        if (i == j || glm::dot(m[i], m[i]) < glm::dot(m[j], m[j])) continue;
        const double times = std::round(glm::dot(m[i], m[j]) / glm::dot(m[j], m[j]) * (1 - 1e-12));
        if (times == 0) continue;
        m[i] -= times * m[j];
        changed = true;
      }
    int longest = 0;
    for (int i = 1; i < 3; ++i)
      if (glm::dot(m[i], m[i]) > glm::dot(m[longest], m[longest])) longest = i;
    const glm::dvec3 one = m[(longest + 1) % 3], other = m[(longest + 2) % 3];
    for (const glm::dvec3& sum : {one + other, one - other, -one + other, -one - other})
      if (glm::dot(m[longest] + sum, m[longest] + sum) < glm::dot(m[longest], m[longest]) * (1 - 1e-12)) {
        m[longest] += sum;
        changed = true;
      }
    if (!changed) break;
  }
  return m;
}

double largest_unique_distance(const Cell& cell) {
  if (!cell.exists()) return std::numeric_limits<double>::infinity();
  const glm::dmat3 m = reduced_lattice(cell);
  double shortest = std::numeric_limits<double>::infinity();
  for (int i = -2; i <= 2; ++i)
    for (int j = -2; j <= 2; ++j)
      for (int k = -2; k <= 2; ++k)
        if (i != 0 || j != 0 || k != 0)
          shortest = std::min(shortest, glm::length(double(i) * m[0] + double(j) * m[1] + double(k) * m[2]));
  return 0.5 * shortest;
}

DistanceOrder distance_order(std::size_t count, const Cell& cell, const DistanceBins& bins, glm::dvec3 lower,
                             glm::dvec3 upper) {
  DistanceOrder order{};
  order.scale = static_cast<double>(bins.count) / bins.maximum;
  order.periodic = cell.exists();
  double volume = 0;
  if (order.periodic) {
    const glm::dmat3 m = reduced_lattice(cell), inverse = glm::inverse(m);
    lower = upper = glm::dvec3(0);
    for (int v = 0; v < 3; ++v)
      for (int axis = 0; axis < 3; ++axis) {
        order.vectors[3 * v + axis] = m[v][axis];
        order.inverse[3 * v + axis] = inverse[v][axis];
        lower[axis] += std::min(0.0, m[v][axis]);
        upper[axis] += std::max(0.0, m[v][axis]);
      }
    volume = cell.volume();
  } else {
    volume = 1;
    for (int axis = 0; axis < 3; ++axis) volume *= std::max(upper[axis] - lower[axis], 1e-3);
  }
  const double side = std::cbrt(volume * distance_tile / static_cast<double>(std::max<std::size_t>(count, 1)));
  for (int axis = 0; axis < 3; ++axis) {
    const double extent = std::max(upper[axis] - lower[axis], 1e-3);
    // Some two points to a fine cell; of wide and empty boxes no more cells than a few per point.
    const double wish = extent / side * (axis == 2 ? distance_tile / 2.0 : 1.0);
    order.cells[axis] = static_cast<int>(std::clamp(std::round(wish), 1.0, axis == 2 ? 4096.0 : 512.0));
    order.origin[axis] = lower[axis];
    order.per_cell[axis] = order.cells[axis] / extent;
  }
  while (order.total() > 4 * count + 64 && order.cells[2] > 1) {
    order.cells[2] = (order.cells[2] + 1) / 2;
    order.per_cell[2] = order.cells[2] / std::max(upper.z - lower.z, 1e-3);
  }
  return order;
}

std::vector<DistancePlace> distance_shifts(const Cell& cell, const DistanceBins& bins) {
  std::vector<DistancePlace> shifts{{0, 0, 0}};
  if (!cell.exists()) return shifts;
  const glm::dmat3 m = reduced_lattice(cell);
  int most[3];
  for (int i = 0; i < 3; ++i) {
    const double width = cell.volume() / glm::length(glm::cross(m[(i + 1) % 3], m[(i + 2) % 3]));
    most[i] = static_cast<int>(std::ceil(bins.maximum / width * (1 + 1e-9)));
  }
  const double scale = static_cast<double>(bins.count) / bins.maximum;
  for (int i = -most[0]; i <= most[0]; ++i)
    for (int j = -most[1]; j <= most[1]; ++j)
      for (int k = -most[2]; k <= most[2]; ++k) {
        if (i == 0 && j == 0 && k == 0) continue;
        const glm::dvec3 s = scale * (double(i) * m[0] + double(j) * m[1] + double(k) * m[2]);
        shifts.push_back({static_cast<float>(s.x), static_cast<float>(s.y), static_cast<float>(s.z)});
      }
  return shifts;
}

void count_distances(const DistancePoints& a, const DistancePoints& b, const Cell& cell, const DistanceBins& bins,
                     Span<std::uint64_t> counts, Job& job) {
  count(a, b, false, cell, bins, counts, job);
}

void count_distances_within(const DistancePoints& points, const Cell& cell, const DistanceBins& bins,
                            Span<std::uint64_t> counts, Job& job) {
  count(points, points, true, cell, bins, counts, job);
}

}  // namespace isolume
