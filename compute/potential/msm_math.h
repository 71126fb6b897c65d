// What the bodies of multilevel summation share: the interpolant's weights.
#pragma once

#include <cmath>

#include "compute/potential/pair_function.h"

namespace isolume {

/// The piecewise polynomial of degree p that interpolates in multilevel summation (see MsmOptions). A point at
/// t = u - floor(u) between nodes floor(u) and floor(u) + 1 takes node floor(u) - (p - 1)/2 + m with the weight
///     w_m(t) = (1 - t) l_m(t) + t l'_(m-1)(t),  m = 0 ... p,
/// l and l' the Lagrange polynomials of degree p - 1 on the p nodes around floor(u) and floor(u) + 1.
struct MsmBasis {
  static constexpr int most = 8;  ///< weights for the highest degree, 7
  int degree = 0;
  int below = 0;                     ///< (p - 1)/2: nodes before floor(u)
  double coefficient[most][most]{};  ///< w_m(t) = sum_k coefficient[m][k] t^k

  explicit MsmBasis(int p) : degree(p), below((p - 1) / 2) {
    for (int m = 0; m <= p; ++m) {
      for (int side = 0; side < 2; ++side) {
        // Nodes of the Lagrange polynomial on this side, relative to floor(u).
        const int first = side - below;
        const int own = m - below;
        if (own < first || own >= first + p) continue;
        double poly[most + 1] = {1};
        int order = 0;
        double denominator = 1;
        for (int node = first; node < first + p; ++node) {
          if (node == own) continue;
          for (int k = ++order; k >= 0; --k) poly[k] = (k > 0 ? poly[k - 1] : 0) - node * poly[k];
          denominator *= own - node;
        }
        for (int k = 0; k < p; ++k) {
          const double c = poly[k] / denominator;
          if (side == 0) {
            coefficient[m][k] += c;
            coefficient[m][k + 1] -= c;
          } else {
            coefficient[m][k + 1] += c;
          }
        }
      }
    }
  }
  int taps() const { return degree + 1; }

  double weight(int m, double t) const {
    double sum = 0;
    for (int k = degree; k >= 0; --k) sum = sum * t + coefficient[m][k];
    return sum;
  }
  /// Phi(x) of eq. 7: the weight of the node at distance x, in units of the spacing.
  double phi(double x) const {
    x = std::abs(x);
    if (x >= below + 1) return 0;
    const double base = std::floor(x);
    // The node at 0, seen from a point at x: m - below = -base.
    return weight(below - static_cast<int>(base), x - base);
  }
};

}  // namespace isolume
