// A volume of a periodic system, shown beyond its period.
#include "app/fields/inputs/repeated_volume.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "molecule/base/error.h"

namespace isolume {
namespace {

/// Whether the last layer along an axis has the values of the first, to a thousandth of the largest.
bool closes(const Volume& volume, int axis) {
  const Grid& grid = volume.grid;
  glm::ivec3 last = grid.counts - 1, first(0);
  if (last[axis] < 1) return false;
  double largest = 0, apart = 0;
  glm::ivec3 ends = grid.counts;
  ends[axis] = 1;
  for (int k = 0; k < ends.z; ++k)
    for (int j = 0; j < ends.y; ++j)
      for (int i = 0; i < ends.x; ++i) {
        glm::ivec3 near(i, j, k), far(i, j, k);
        near[axis] = first[axis];
        far[axis] = last[axis];
        const double a = volume.values[grid.index(near.x, near.y, near.z)];
        const double b = volume.values[grid.index(far.x, far.y, far.z)];
        largest = std::max({largest, std::abs(a), std::abs(b)});
        apart = std::max(apart, std::abs(a - b));
      }
  return apart <= 1e-3 * largest;
}

}  // namespace

RepeatedGrid repeated_grid(const Volume& volume, const Cell& cell, glm::ivec3 repeat) {
  RepeatedGrid result{volume.grid, volume.grid.counts, repeat};
  for (int axis = 0; axis < 3; ++axis) {
    if (repeat[axis] < 1) continue;
    const int count = volume.grid.counts[axis];
    const glm::dvec3 step = volume.grid.step[axis];
    if (cell.exists()) {
      const glm::dvec3 vector = cell.vectors[axis];
      const auto spans = [&](int points) {
        return glm::length(step * double(points) - vector) <= 2e-3 * glm::length(vector);
      };
      if (!spans(count) && !spans(count - 1))
        throw Error(fmt::format("the map does not repeat along {}: it covers {:.3f} angstrom there, and the cell has "
                                "{:.3f}; copies need a map of one period",
                                "abc"[axis], glm::length(step) * count, glm::length(vector)),
                    Error::Kind::usage);
      result.period[axis] = spans(count) ? count : count - 1;
    } else if (closes(volume, axis)) {
      result.period[axis] = count - 1;
    }
    if (result.period[axis] < 1) throw Error("a map of one layer cannot be repeated across it", Error::Kind::usage);
    result.grid.counts[axis] = result.period[axis] * (2 * repeat[axis] + 1) + 1;
    result.grid.origin -= step * double(result.period[axis] * repeat[axis]);
  }
  constexpr std::size_t most = std::size_t{1} << 31;
  if (result.grid.size() > most)
    throw Error(fmt::format("the copies of the map have {} x {} x {} points, more than {}: show fewer",
                            result.grid.counts.x, result.grid.counts.y, result.grid.counts.z, most),
                Error::Kind::usage);
  return result;
}

void copy_repeated(const Volume& volume, const RepeatedGrid& repeated, int first, std::span<float> values, Job& job) {
  const glm::ivec3 counts = repeated.grid.counts;
  const std::size_t layer = repeated.grid.index(0, 0, 1);
  for (std::size_t at = 0; at + layer <= values.size(); at += layer, ++first) {
    job.check();
    float* to = &values[at];
    for (int j = 0; j < counts.y; ++j) {
      const float* row = &volume.values[volume.grid.index(0, repeated.source_of(1, j), repeated.source_of(2, first))];
      for (int i = 0; i < counts.x;) {
        const int from = repeated.source_of(0, i);
        const int here = std::min(counts.x - i, repeated.repeat.x > 0 ? repeated.period.x - from : counts.x);
        std::copy_n(row + from, here, to);
        to += here;
        i += here;
      }
    }
  }
}

}  // namespace isolume
