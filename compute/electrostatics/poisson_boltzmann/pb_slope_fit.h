// The gradient of a solution on one side of the surface, for both kinds of device.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "compute/base/host_device.h"
#include "compute/electrostatics/poisson_boltzmann/pb_harmonic_fit.h"

namespace isolume {

/// At a point, of the ten polynomials up to degree 2 fitted to u at the nodes in the solute, or to those outside, among
/// the 4 x 4 x 4 about it; 0 where there is no such node.
ISOLUME_HOST_DEVICE inline void pb_slope_fit(const PbNodes& nodes, const double* u, const std::uint8_t* inside,
                                             const double* point, bool within, double* slope) {
  constexpr int terms = 10;
  int low[3], high[3];
  for (int axis = 0; axis < 3; ++axis) {
    slope[axis] = 0;
    const int at = static_cast<int>(floor((point[axis] - nodes.origin[axis]) / nodes.step[axis] + 1e-9));
    low[axis] = at - 1 < 0 ? 0 : at - 1;
    high[axis] = at + 2 > nodes.counts[axis] - 1 ? nodes.counts[axis] - 1 : at + 2;
  }
  double m[terms][terms] = {}, right[terms] = {}, total = 0, mean = 0;
  for (int pass = 0; pass < 2; ++pass) {
    if (pass == 1 && total == 0) return;
    if (pass == 1) mean /= total;
    for (int k = low[2]; k <= high[2]; ++k) {
      for (int j = low[1]; j <= high[1]; ++j) {
        for (int i = low[0]; i <= high[0]; ++i) {
          const std::size_t node = nodes.index(i, j, k);
          if ((inside[node] != 0) != within) continue;
          const double x = (nodes.along(0, i) - point[0]) / nodes.step[0];
          const double y = (nodes.along(1, j) - point[1]) / nodes.step[1];
          const double z = (nodes.along(2, k) - point[2]) / nodes.step[2];
          const double weight = exp(-(x * x + y * y + z * z));
          if (pass == 0) {
            mean += weight * u[node];
            total += weight;
            continue;
          }
          const double f[terms] = {1, x, y, z, x * x, y * y, z * z, x * y, x * z, y * z};
          for (int a = 0; a < terms; ++a) {
            right[a] += weight * f[a] * (u[node] - mean);
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
      m[a][b] = a == b ? sqrt(sum > 1e-300 ? sum : 1e-300) : sum / m[b][b];
    }
    for (int c = 0; c < a; ++c) right[a] -= m[a][c] * right[c];
    right[a] /= m[a][a];
  }
  for (int a = terms; a-- > 0;) {
    for (int c = a + 1; c < terms; ++c) right[a] -= m[c][a] * right[c];
    right[a] /= m[a][a];
  }
  for (int axis = 0; axis < 3; ++axis) slope[axis] = right[axis + 1] / nodes.step[axis];
}

/// At a node, on its side of the surface: by central differences, on a face of the box by the parabola through three
/// nodes, and next to the surface by pb_slope_fit().
ISOLUME_HOST_DEVICE inline void pb_slope(const PbNodes& nodes, const double* u, const std::uint8_t* inside,
                                         const int* place, double* slope) {
  const std::size_t node = nodes.index(place[0], place[1], place[2]);
  std::size_t next = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const int from_low = place[axis], from_high = nodes.counts[axis] - 1 - place[axis];
    // Of the nodes before and behind, or of both on the one side that there is.
    const bool middle = from_low > 0 && from_high > 0, up = from_high > 1;
    const std::size_t one = middle ? node - next : up ? node + next : node - next;
    const std::size_t two = middle ? node + next : up ? node + 2 * next : node - 2 * next;
    if (inside[one] != inside[node] || inside[two] != inside[node]) {
      const double point[3] = {nodes.along(0, place[0]), nodes.along(1, place[1]), nodes.along(2, place[2])};
      pb_slope_fit(nodes, u, inside, point, inside[node] != 0, slope);
      return;
    }
    const double rise = middle ? u[two] - u[one] : (4 * u[one] - 3 * u[node] - u[two]) * (up ? 1 : -1);
    slope[axis] = rise / (2 * nodes.step[axis]);
    next *= static_cast<std::size_t>(nodes.counts[axis]);
  }
}

}  // namespace isolume
