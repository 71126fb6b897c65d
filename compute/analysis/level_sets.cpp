// What the level sets of a field say at every point of its grid: their curvature, and a map along their normals.
#include "compute/analysis/level_sets.h"

#include <algorithm>
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

std::vector<float> along_normals(const Grid& grid, std::span<const float> field, std::span<const float> map,
                                 double offset, Job& job) {
  std::vector<float> result(map.begin(), map.end());
  const glm::ivec3 n = grid.counts;
  if (n.x < 2 || n.y < 2 || n.z < 2) return result;
  const glm::dmat3 to_space = glm::transpose(glm::inverse(grid.step));  // of gradients
  parallel_for(static_cast<std::size_t>(n.z), job, "map along the normals", [&](std::size_t layer) {
    const int k = static_cast<int>(layer);
    for (int j = 0; j < n.y; ++j)
      for (int i = 0; i < n.x; ++i) {
        const glm::ivec3 at(i, j, k);
        glm::dvec3 by_step;
        for (int axis = 0; axis < 3; ++axis) {
          glm::ivec3 low = at, high = at;
          low[axis] = std::max(at[axis] - 1, 0);
          high[axis] = std::min(at[axis] + 1, n[axis] - 1);
          by_step[axis] = (static_cast<double>(field[grid.index(high.x, high.y, high.z)]) -
                           static_cast<double>(field[grid.index(low.x, low.y, low.z)])) /
                          (high[axis] - low[axis]);
        }
        const glm::dvec3 inwards = to_space * by_step;
        const double length = glm::length(inwards);
        if (!(length > 1e-12)) continue;
        const glm::dvec3 place = grid.point(i, j, k) - offset / length * inwards;
        const glm::dvec3 inside = glm::clamp(grid.coordinates(place), glm::dvec3(0), glm::dvec3(n - 1));
        const glm::ivec3 cell = glm::min(glm::ivec3(inside), n - 2);
        const glm::dvec3 part = inside - glm::dvec3(cell);
        double value = 0;
        for (int corner = 0; corner < 8; ++corner) {
          const glm::ivec3 step(corner & 1, corner >> 1 & 1, corner >> 2);
          double weight = 1;
          for (int axis = 0; axis < 3; ++axis) weight *= step[axis] ? part[axis] : 1 - part[axis];
          value += weight * static_cast<double>(map[grid.index(cell.x + step.x, cell.y + step.y, cell.z + step.z)]);
        }
        result[grid.index(i, j, k)] = static_cast<float>(value);
      }
  });
  return result;
}

}  // namespace isolume
