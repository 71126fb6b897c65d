// What the level sets of a field say at points of its grid: their curvature, and a map along their normals.
#include "compute/analysis/level_sets.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "compute/base/parallel_for.h"

namespace isolume {

std::vector<float> level_set_curvature(const Grid& grid, std::span<const float> values, Job& job) {
  std::vector<float> result(grid.size(), 0.0f);
  const glm::ivec3 n = grid.counts;
  if (n.x < 3 || n.y < 3 || n.z < 3) return result;
  const double hx = grid.step[0][0], hy = grid.step[1][1], hz = grid.step[2][2];
  parallel_for(static_cast<std::size_t>(n.z - 2), job, "curvature", [&](std::size_t layer) {
    const int k = static_cast<int>(layer) + 1;
    for (int j = 1; j < n.y - 1; ++j)
      for (int i = 1; i < n.x - 1; ++i) {
        const auto f = [&](int a, int b, int c) {
          return static_cast<double>(values[grid.index(i + a, j + b, k + c)]);
        };
        const double here = f(0, 0, 0);
        const double x = (f(1, 0, 0) - f(-1, 0, 0)) / (2 * hx), y = (f(0, 1, 0) - f(0, -1, 0)) / (2 * hy),
                     z = (f(0, 0, 1) - f(0, 0, -1)) / (2 * hz);
        const double square = x * x + y * y + z * z;
        if (!(square > 1e-20)) continue;
        const double xx = (f(1, 0, 0) - 2 * here + f(-1, 0, 0)) / (hx * hx),
                     yy = (f(0, 1, 0) - 2 * here + f(0, -1, 0)) / (hy * hy),
                     zz = (f(0, 0, 1) - 2 * here + f(0, 0, -1)) / (hz * hz);
        const double xy = (f(1, 1, 0) - f(1, -1, 0) - f(-1, 1, 0) + f(-1, -1, 0)) / (4 * hx * hy),
                     xz = (f(1, 0, 1) - f(1, 0, -1) - f(-1, 0, 1) + f(-1, 0, -1)) / (4 * hx * hz),
                     yz = (f(0, 1, 1) - f(0, 1, -1) - f(0, -1, 1) + f(0, -1, -1)) / (4 * hy * hz);
        // The divergence of grad f / |grad f|; the outward normal is its opposite.
        const double divergence = (square * (xx + yy + zz) - (x * x * xx + y * y * yy + z * z * zz) -
                                   2 * (x * y * xy + x * z * xz + y * z * yz)) /
                                  (square * std::sqrt(square));
        result[grid.index(i, j, k)] = static_cast<float>(-0.5 * divergence);
      }
  });
  return result;
}

namespace {

/// The cell that a point of a grid reads from along its normal, and where in it.
struct Moved {
  bool moves = false;  ///< the field has a slope there
  glm::ivec3 cell{0};
  glm::dvec3 part{0.0};
};

class Normals {
 public:
  Normals(const Grid& grid, std::span<const float> field, double offset)
      : grid_(grid), field_(field), offset_(offset), to_space_(glm::transpose(glm::inverse(grid.step))) {}

  Moved from(glm::ivec3 at) const {
    const glm::ivec3 n = grid_.counts;
    glm::dvec3 by_step;
    for (int axis = 0; axis < 3; ++axis) {
      glm::ivec3 low = at, high = at;
      low[axis] = std::max(at[axis] - 1, 0);
      high[axis] = std::min(at[axis] + 1, n[axis] - 1);
      by_step[axis] = (static_cast<double>(field_[grid_.index(high.x, high.y, high.z)]) -
                       static_cast<double>(field_[grid_.index(low.x, low.y, low.z)])) /
                      (high[axis] - low[axis]);
    }
    Moved moved;
    const glm::dvec3 inwards = to_space_ * by_step;
    const double length = glm::length(inwards);
    if (!(length > 1e-12)) return moved;
    moved.moves = true;
    const glm::dvec3 place = grid_.point(at.x, at.y, at.z) - offset_ / length * inwards;
    const glm::dvec3 inside = glm::clamp(grid_.coordinates(place), glm::dvec3(0), glm::dvec3(n - 1));
    moved.cell = glm::min(glm::ivec3(inside), n - 2);
    moved.part = inside - glm::dvec3(moved.cell);
    return moved;
  }

 private:
  const Grid& grid_;
  std::span<const float> field_;
  const double offset_;
  const glm::dmat3 to_space_;  // of gradients
};

glm::ivec3 corner_of(glm::ivec3 cell, int corner) {
  return cell + glm::ivec3(corner & 1, corner >> 1 & 1, corner >> 2);
}

/// Calls body(place, index) for the points of a layer that are marked; for all where there are no marks.
template <class Body>
void for_marked(const Grid& grid, std::span<const std::uint8_t> marks, int k, const Body& body) {
  std::size_t index = grid.index(0, 0, k);
  for (int j = 0; j < grid.counts.y; ++j)
    for (int i = 0; i < grid.counts.x; ++i, ++index)
      if (marks.empty() || marks[index] != 0) body(glm::ivec3(i, j, k), index);
}

}  // namespace

std::vector<float> along_normals(const Grid& grid, std::span<const float> field, std::span<const float> map,
                                 double offset, std::span<const std::uint8_t> at, Job& job) {
  std::vector<float> result(map.begin(), map.end());
  const glm::ivec3 n = grid.counts;
  if (n.x < 2 || n.y < 2 || n.z < 2) return result;
  const Normals normals(grid, field, offset);
  parallel_for(static_cast<std::size_t>(n.z), job, "map along the normals", [&](std::size_t layer) {
    for_marked(grid, at, static_cast<int>(layer), [&](glm::ivec3 place, std::size_t index) {
      const Moved moved = normals.from(place);
      if (!moved.moves) return;
      double value = 0;
      for (int corner = 0; corner < 8; ++corner) {
        const glm::ivec3 there = corner_of(moved.cell, corner), step = there - moved.cell;
        double weight = 1;
        for (int axis = 0; axis < 3; ++axis) weight *= step[axis] ? moved.part[axis] : 1 - moved.part[axis];
        value += weight * static_cast<double>(map[grid.index(there.x, there.y, there.z)]);
      }
      result[index] = static_cast<float>(value);
    });
  });
  return result;
}

std::vector<std::uint8_t> read_along_normals(const Grid& grid, std::span<const float> field, double offset,
                                             std::span<const std::uint8_t> at, Job& job) {
  std::vector<std::uint8_t> read(grid.size(), 0);
  const glm::ivec3 n = grid.counts;
  if (n.x < 2 || n.y < 2 || n.z < 2) {
    std::fill(read.begin(), read.end(), std::uint8_t{1});
    return read;
  }
  const Normals normals(grid, field, offset);
  std::vector<std::vector<std::size_t>> found(static_cast<std::size_t>(n.z));
  parallel_for(found.size(), job, "points along the normals", [&](std::size_t layer) {
    for_marked(grid, at, static_cast<int>(layer), [&](glm::ivec3 place, std::size_t index) {
      const Moved moved = normals.from(place);
      if (!moved.moves) return found[layer].push_back(index);
      for (int corner = 0; corner < 8; ++corner) {
        const glm::ivec3 there = corner_of(moved.cell, corner);
        found[layer].push_back(grid.index(there.x, there.y, there.z));
      }
    });
  });
  for (const std::vector<std::size_t>& points : found)
    for (const std::size_t point : points) read[point] = 1;
  return read;
}

std::vector<std::uint8_t> corners_at_level(const Grid& grid, std::span<const float> field, float level, Job& job) {
  std::vector<std::uint8_t> corners(grid.size(), 0);
  const glm::ivec3 n = grid.counts;
  if (n.x < 2 || n.y < 2 || n.z < 2) return corners;
  std::array<std::size_t, 8> to{};
  for (int corner = 0; corner < 8; ++corner) {
    const glm::ivec3 step = corner_of(glm::ivec3(0), corner);
    to[static_cast<std::size_t>(corner)] = grid.index(step.x, step.y, step.z);
  }
  const auto count = static_cast<std::size_t>(n.x);
  // Cells that are cut, by their lowest corners.
  std::vector<std::vector<std::size_t>> cut(static_cast<std::size_t>(n.z - 1));
  parallel_for(cut.size(), job, "cells of the surface", [&](std::size_t layer) {
    std::vector<int> inside(count);  // of the four points with the same x
    for (int j = 0; j + 1 < n.y; ++j) {
      const std::size_t row = grid.index(0, j, static_cast<int>(layer));
      const float *a = &field[row], *b = &field[row + to[2]], *c = &field[row + to[4]], *d = &field[row + to[6]];
      for (std::size_t i = 0; i < count; ++i)
        inside[i] = int{a[i] > level} + int{b[i] > level} + int{c[i] > level} + int{d[i] > level};
      for (std::size_t i = 0; i + 1 < count; ++i)
        if ((inside[i] + inside[i + 1]) % 8 != 0) cut[layer].push_back(row + i);
    }
  });
  for (const std::vector<std::size_t>& cells : cut)
    for (const std::size_t cell : cells)
      for (const std::size_t step : to) corners[cell + step] = 1;
  return corners;
}

}  // namespace isolume
