// What the bodies of multilevel summation share: the interpolant's weights.
#pragma once

#include <cmath>
#include <cstdlib>

#include "compute/electrostatics/msm/msm.h"
#include "compute/electrostatics/pairs/pair_function.h"

namespace isolume {

/// The piecewise polynomial of degree p that interpolates in multilevel summation (see MsmOptions). A point at
/// t = u - floor(u) between nodes floor(u) and floor(u) + 1 takes node floor(u) - (p - 1)/2 + m, m = 0 ... p, with the
/// weight
///     nodal:    w_m(t) = (1 - t) l_m(t) + t l'_(m-1)(t),
/// l and l' the Lagrange polynomials of degree p - 1 on the p nodes around floor(u) and floor(u) + 1;
///     B-spline: w_m(t) = M_(p+1)(t + p - m),   M_n(x) = sum_i (-1)^i binomial(n, i) max(x - i, 0)^(n-1) / (n-1)!.
struct MsmBasis {
  static constexpr int most = 8;  ///< weights for the highest degree, 7
  int degree = 0;
  MsmBasisKind kind = MsmBasisKind::nodal;
  int below = 0;                     ///< (p - 1)/2: nodes before floor(u)
  double coefficient[most][most]{};  ///< w_m(t) = sum_k coefficient[m][k] t^k

  explicit MsmBasis(int p, MsmBasisKind kind_ = MsmBasisKind::nodal) : degree(p), kind(kind_), below((p - 1) / 2) {
    kind == MsmBasisKind::nodal ? fill_nodal() : fill_bspline();
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
  /// What a node of a lattice gives to (eq. 13), and takes from (eq. 16), that of the next lattice `t` of its spacings
  /// away: Phi(t/2), which is 0 for even t but 0; of B-splines 2^-p binomial(p + 1, t + (p + 1)/2), as a B-spline is a
  /// sum of those half as wide.
  double refine(int t) const {
    if (kind == MsmBasisKind::nodal) return t % 2 == 0 && t != 0 ? 0 : phi(0.5 * t);
    const int half = (degree + 1) / 2;
    return std::abs(t) > half ? 0 : std::ldexp(binomial(degree + 1, t + half), -degree);
  }
  /// The largest t whose refine() is not 0.
  int refine_reach() const { return kind == MsmBasisKind::nodal ? degree : (degree + 1) / 2; }

  /// sum_n Phi(n) exp(i n angle): 1 for the nodal basis.
  double transform(double angle) const {
    if (kind == MsmBasisKind::nodal) return 1;
    double sum = phi(0);
    for (int n = 1; n <= below; ++n) sum += 2 * phi(n) * std::cos(n * angle);
    return sum;
  }

 private:
  static double binomial(int n, int k) {
    double value = 1;
    for (int i = 1; i <= k; ++i) value = value * (n + 1 - i) / i;
    return value;
  }
  void fill_nodal() {
    const int p = degree;
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
  void fill_bspline() {
    double factorial = 1;
    for (int i = 2; i <= degree; ++i) factorial *= i;
    for (int m = 0; m <= degree; ++m) {
      for (int i = 0; i <= degree - m; ++i) {
        // (t + d)^p, binomially: whole numbers, so that nothing is lost where they cancel.
        const int d = degree - m - i;
        double power = (i % 2 ? -1 : 1) * binomial(degree + 1, i);
        for (int k = degree; k >= 0; --k) {
          coefficient[m][k] += power * binomial(degree, k);
          power *= d;
        }
      }
      for (double& c : coefficient[m]) c /= factorial;
    }
  }
};

}  // namespace isolume
