// What the bodies of SPME share: splines, and the influence function in Fourier space.
#pragma once

#include <cmath>
#include <glm/glm.hpp>
#include <vector>

#include "compute/base/host_device.h"

namespace isolume {

/// Weights of order n - 1 into those of order n.
template <int n, class Real>
ISOLUME_HOST_DEVICE inline void raise_bspline(Real w, Real* m) {
  const Real divide = Real(1) / static_cast<Real>(n - 1);
  m[n - 1] = divide * w * m[n - 2];
  for (int j = 1; j < n - 1; ++j) {
    m[n - 1 - j] = divide * ((w + static_cast<Real>(j)) * m[n - 2 - j] + (static_cast<Real>(n - j) - w) * m[n - 1 - j]);
  }
  m[0] = divide * (1 - w) * m[0];
}
/// Orders from, from + 1, ..., to; the bounds are constants so that the weights stay in registers.
template <int from, int to, class Real>
ISOLUME_HOST_DEVICE inline void raise_bsplines(Real w, Real* m) {
  if constexpr (from <= to) {
    raise_bspline<from>(w, m);
    raise_bsplines<from + 1, to>(w, m);
  }
}

/// Cardinal B-splines M_n (eqs. 4.1 and 4.2 of Essmann et al.) for a point at i + w, i an integer and 0 <= w <= 1: the
/// weight of mesh point i + m is m_n[m] = M_n(w + n - 1 - m), m = 0 ... n - 1 (the mesh is shifted by n - 1 points
/// against the paper, which nothing depends on), and slope[m] its derivative by w.
template <int order, class Real>
ISOLUME_HOST_DEVICE inline void bspline(Real w, Real* m, Real* slope) {
  m[0] = 1 - w;
  m[1] = w;
  raise_bsplines<3, order - 1>(w, m);
  slope[0] = -m[0];
  for (int j = 1; j < order - 1; ++j) slope[j] = m[j - 1] - m[j];
  slope[order - 1] = m[order - 2];
  raise_bspline<order>(w, m);
}

/// Calls use(std::integral_constant<int, order>) for a run-time order of 4 to 8.
template <class Use>
decltype(auto) with_order(int order, const Use& use) {
  switch (order) {
    case 5:
      return use(std::integral_constant<int, 5>{});
    case 6:
      return use(std::integral_constant<int, 6>{});
    case 7:
      return use(std::integral_constant<int, 7>{});
    case 8:
      return use(std::integral_constant<int, 8>{});
    default:
      return use(std::integral_constant<int, 4>{});
  }
}

/// |b(m)|^2 of eq. 4.4 for m = 0 ... n - 1. At m = n/2 it is set to 0: the highest wave of an even mesh has no definite
/// sign (in a triclinic cell not even a definite length), and for odd orders b is infinite there.
std::vector<double> spline_moduli(int order, int n);

/// What turns the transform of the charges Q into that of the potential, kcal/(mol e): at the wave with indices m,
/// C / (pi V k^2) exp(-pi^2 k^2 / alpha^2) |b|^2 with k = sum_a m_a a*_a in 1/angstrom (eq. 3.9), 0 for m = 0.
struct SpmeInfluence {
  double factor = 0;    ///< C / (pi V)
  double exponent = 0;  ///< pi^2 / alpha^2
  double dual[9] = {};  ///< the dual basis, a* first
  int n[3] = {};        ///< mesh
  const double* moduli[3] = {};

  /// Wave vector of an index triple.
  ISOLUME_HOST_DEVICE void wave(int i, int j, int l, double* k) const {
    const double a = 2 * i > n[0] ? i - n[0] : i;
    const double b = 2 * j > n[1] ? j - n[1] : j;
    const double c = 2 * l > n[2] ? l - n[2] : l;
    for (int axis = 0; axis < 3; ++axis) k[axis] = a * dual[axis] + b * dual[3 + axis] + c * dual[6 + axis];
  }
  ISOLUME_HOST_DEVICE double value(int i, int j, int l) const {
    if (i == 0 && j == 0 && l == 0) return 0;
    double k[3];
    wave(i, j, l, k);
    const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    return factor * exp(-exponent * k2) / k2 * moduli[0][i] * moduli[1][j] * moduli[2][l];
  }
};

}  // namespace isolume
