// The reaction potential at a charge: a harmonic polynomial through the nodes of the solute about it.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "compute/base/host_device.h"

namespace isolume {

/// A grid's nodes as both kinds of device see them.
struct PbNodes {
  int counts[3];
  double origin[3], step[3];

  ISOLUME_HOST_DEVICE std::size_t index(int i, int j, int k) const {
    return static_cast<std::size_t>(i) +
           static_cast<std::size_t>(counts[0]) *
               (static_cast<std::size_t>(j) + static_cast<std::size_t>(counts[1]) * static_cast<std::size_t>(k));
  }
  ISOLUME_HOST_DEVICE std::size_t size() const {
    return static_cast<std::size_t>(counts[0]) * static_cast<std::size_t>(counts[1]) *
           static_cast<std::size_t>(counts[2]);
  }
  ISOLUME_HOST_DEVICE double along(int axis, int place) const { return origin[axis] + step[axis] * place; }
  ISOLUME_HOST_DEVICE bool on_face(int i, int j, int k) const {
    return i == 0 || j == 0 || k == 0 || i == counts[0] - 1 || j == counts[1] - 1 || k == counts[2] - 1;
  }
};

/// The mean of u at the nodes of the solute among the 2 x 2 x 2 about a point, with the weights of a linear
/// interpolation: where u is not harmonic.
ISOLUME_HOST_DEVICE inline double pb_linear_fit(const PbNodes& nodes, const double* u, const std::uint8_t* inside,
                                                const double* point) {
  int low[3];
  double part[3];
  for (int axis = 0; axis < 3; ++axis) {
    const double at = (point[axis] - nodes.origin[axis]) / nodes.step[axis];
    const int first = static_cast<int>(floor(at));
    low[axis] = first < 0 ? 0 : first > nodes.counts[axis] - 2 ? nodes.counts[axis] - 2 : first;
    part[axis] = at - low[axis];
  }
  double sum = 0, total = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const std::size_t node = nodes.index(low[0] + (corner & 1), low[1] + (corner >> 1 & 1), low[2] + (corner >> 2));
    if (!inside[node]) continue;
    const double weight = (corner & 1 ? part[0] : 1 - part[0]) * (corner >> 1 & 1 ? part[1] : 1 - part[1]) *
                          (corner >> 2 ? part[2] : 1 - part[2]);
    sum += weight * u[node];
    total += weight;
  }
  return total > 0 ? sum / total : 0;
}

/// The value at a point of the nine harmonic polynomials up to degree 2, fitted to u at the nodes of the solute among
/// the 4 x 4 x 4 about it; 0 where there is no such node.
ISOLUME_HOST_DEVICE inline double pb_harmonic_fit(const PbNodes& nodes, const double* u, const std::uint8_t* inside,
                                                  const double* point) {
  constexpr int terms = 9;
  int low[3], high[3];
  for (int axis = 0; axis < 3; ++axis) {
    const int at = static_cast<int>(floor((point[axis] - nodes.origin[axis]) / nodes.step[axis]));
    low[axis] = at - 1 < 0 ? 0 : at - 1;
    high[axis] = at + 2 > nodes.counts[axis] - 1 ? nodes.counts[axis] - 1 : at + 2;
  }
  double m[terms][terms] = {};
  double right[terms] = {};
  double mean = 0, total = 0;
  for (int pass = 0; pass < 2; ++pass) {
    if (pass == 1 && total == 0) return 0;
    if (pass == 1) mean /= total;
    for (int k = low[2]; k <= high[2]; ++k) {
      for (int j = low[1]; j <= high[1]; ++j) {
        for (int i = low[0]; i <= high[0]; ++i) {
          const std::size_t node = nodes.index(i, j, k);
          if (!inside[node]) continue;
          const double x = (nodes.along(0, i) - point[0]) / nodes.step[0];
          const double y = (nodes.along(1, j) - point[1]) / nodes.step[0];
          const double z = (nodes.along(2, k) - point[2]) / nodes.step[0];
          const double weight = exp(-(x * x + y * y + z * z));
          if (pass == 0) {
            mean += weight * u[node];
            total += weight;
            continue;
          }
          const double f[terms] = {1, x, y, z, x * y, x * z, y * z, x * x - y * y, 2 * z * z - x * x - y * y};
          for (int a = 0; a < terms; ++a) {
            right[a] += weight * f[a] * (u[node] - mean);
            for (int b = 0; b <= a; ++b) m[a][b] += weight * f[a] * f[b];
          }
        }
      }
    }
  }
  // Held towards the mean where nodes are few.
  for (int a = 1; a < terms; ++a) m[a][a] += (a < 4 ? 1e-5 : 1e-3) * total;
  // Cholesky's factors, and both substitutions.
  for (int a = 0; a < terms; ++a) {
    for (int b = 0; b <= a; ++b) {
      double sum = m[a][b];
      for (int c = 0; c < b; ++c) sum -= m[a][c] * m[b][c];
      m[a][b] = a == b ? sqrt(sum > 1e-300 ? sum : 1e-300) : sum / m[b][b];
    }
  }
  for (int a = 0; a < terms; ++a) {
    for (int c = 0; c < a; ++c) right[a] -= m[a][c] * right[c];
    right[a] /= m[a][a];
  }
  for (int a = terms; a-- > 0;) {
    for (int c = a + 1; c < terms; ++c) right[a] -= m[c][a] * right[c];
    right[a] /= m[a][a];
  }
  return mean + right[0];
}

}  // namespace isolume
