// A solution of the Poisson-Boltzmann equation in host memory, and its slopes.
#include "compute/electrostatics/poisson_boltzmann/pb_kept.h"

#include <algorithm>
#include <cmath>

namespace isolume {

PbKept::PbKept(PoissonBoltzmannStart& start) : origin(start.origin), step(start.step), counts(start.counts) {
  solution = start.device_solution.size() > 0 ? start.device_solution.copy_to_host() : std::move(start.solution);
  inside = start.device_inside.size() > 0 ? start.device_inside.copy_to_host() : std::move(start.inside);
}

glm::dvec3 PbKept::fitted_slope(glm::dvec3 where, bool within) const {
  constexpr int terms = 10;
  const glm::ivec3 at(glm::floor((where - origin) / step + 1e-9));
  const glm::ivec3 low = glm::max(at - 1, glm::ivec3(0)), high = glm::min(at + 2, counts - 1);
  double m[terms][terms] = {}, right[terms] = {}, total = 0, mean = 0;
  for (const bool fit : {false, true}) {
    if (fit && total == 0) return glm::dvec3(0);
    if (fit) mean /= total;
    for (int k = low.z; k <= high.z; ++k) {
      for (int j = low.y; j <= high.y; ++j) {
        for (int i = low.x; i <= high.x; ++i) {
          const std::size_t node = index({i, j, k});
          if ((inside[node] != 0) != within) continue;
          const glm::dvec3 d = (origin + step * glm::dvec3(i, j, k) - where) / step;
          const double weight = std::exp(-glm::dot(d, d)), value = solution[node];
          if (!fit) {
            mean += weight * value;
            total += weight;
            continue;
          }
          const double f[terms] = {1, d.x, d.y, d.z, d.x * d.x, d.y * d.y, d.z * d.z, d.x * d.y, d.x * d.z, d.y * d.z};
          for (int a = 0; a < terms; ++a) {
            right[a] += weight * f[a] * (value - mean);
            for (int b = 0; b <= a; ++b) m[a][b] += weight * f[a] * f[b];
          }
        }
      }
    }
  }
  // Held towards a plane, and towards the mean, where nodes are few.
  for (int a = 1; a < terms; ++a) m[a][a] += (a < 4 ? 1e-6 : 1e-4) * total;
  // Cholesky's factors, and both substitutions.
  for (int a = 0; a < terms; ++a) {
    for (int b = 0; b <= a; ++b) {
      double sum = m[a][b];
      for (int c = 0; c < b; ++c) sum -= m[a][c] * m[b][c];
      m[a][b] = a == b ? std::sqrt(std::max(sum, 1e-300)) : sum / m[b][b];
    }
    for (int c = 0; c < a; ++c) right[a] -= m[a][c] * right[c];
    right[a] /= m[a][a];
  }
  for (int a = terms; a-- > 0;) {
    for (int c = a + 1; c < terms; ++c) right[a] -= m[c][a] * right[c];
    right[a] /= m[a][a];
  }
  return glm::dvec3(right[1], right[2], right[3]) / step;
}

glm::dvec3 PbKept::slope(glm::ivec3 place) const {
  const std::size_t node = index(place);
  const std::array<std::size_t, 3> stride{1, static_cast<std::size_t>(counts.x),
                                          static_cast<std::size_t>(counts.x) * static_cast<std::size_t>(counts.y)};
  glm::dvec3 result(0.0);
  for (int axis = 0; axis < 3; ++axis) {
    const std::size_t next = stride[static_cast<std::size_t>(axis)];
    const int from_low = place[axis], from_high = counts[axis] - 1 - place[axis];
    const auto alike = [&](std::size_t other) { return inside[other] == inside[node]; };
    if (from_low > 0 && from_high > 0) {
      if (!alike(node - next) || !alike(node + next)) return fitted_slope(point(place), inside[node] != 0);
      result[axis] = (solution[node + next] - solution[node - next]) / (2 * step[axis]);
    } else if (from_high > 1) {  // on a face of the box, by the parabola through three nodes
      if (!alike(node + next) || !alike(node + 2 * next)) return fitted_slope(point(place), inside[node] != 0);
      result[axis] = (4 * solution[node + next] - 3 * solution[node] - solution[node + 2 * next]) / (2 * step[axis]);
    } else {
      if (!alike(node - next) || !alike(node - 2 * next)) return fitted_slope(point(place), inside[node] != 0);
      result[axis] = (3 * solution[node] - 4 * solution[node - next] + solution[node - 2 * next]) / (2 * step[axis]);
    }
  }
  return result;
}

}  // namespace isolume
