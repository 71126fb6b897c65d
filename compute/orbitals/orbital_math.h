// Bounds of one term of an orbital, a polynomial times a Gaussian: small functions that both devices use.
#pragma once

#include <cmath>
#include <limits>

#include "compute/base/host_device.h"
#include "compute/orbitals/orbital_terms.h"

namespace isolume {

/// x^i y^j z^k is at most r^l sqrt(i^i j^j k^k / l^l) on a sphere, i + j + k = l: part[l][i] = sqrt((i/l)^i).
struct MonomialBounds {
  double part[max_degree + 1][max_degree + 1] = {};

  MonomialBounds() {
    for (int l = 0; l <= max_degree; ++l) {
      for (int i = 0; i <= l; ++i) part[l][i] = i == 0 ? 1.0 : std::sqrt(std::pow(static_cast<double>(i) / l, i));
    }
  }
};

/// bounds[l] r^l bounds the part of degree l of a polynomial (coefficients as in OrbitalTerm) at distance r.
ISOLUME_HOST_DEVICE inline void bounds_by_degree(const MonomialBounds& monomials, const double* coefficients,
                                                 int degree, double (&bounds)[max_degree + 1]) {
  for (double& bound : bounds) bound = 0;
  for (int i = 0; i <= degree; ++i) {
    for (int j = 0; i + j <= degree; ++j) {
      for (int k = 0; i + j + k <= degree; ++k) {
        const double(&part)[max_degree + 1] = monomials.part[i + j + k];
        bounds[i + j + k] += fabs(*coefficients++) * part[i] * part[j] * part[k];
      }
    }
  }
}

/// Largest value of r^degree exp(-a r^2) at `distance` or further.
ISOLUME_HOST_DEVICE inline double largest_radial(int degree, double a, double distance) {
  const double r = fmax(distance, sqrt(0.5 * degree / a));
  double value = exp(-a * r * r);
  for (int l = 0; l < degree; ++l) value *= r;
  return value;
}

/// The distance beyond which a term stays below `tolerance`: -1 where it is below it everywhere, infinity for a
/// tolerance of 0.
ISOLUME_HOST_DEVICE inline double cut_distance(const double (&bounds)[max_degree + 1], int degree, double a,
                                               double tolerance) {
  double peak = 0;
  for (int l = 0; l <= degree; ++l) {
    if (bounds[l] > 0) peak += bounds[l] * (l == 0 ? 1.0 : largest_radial(l, a, 0));
  }
  if (peak <= tolerance) return -1;
  if (!(tolerance > 0)) return HUGE_VAL;
  // Beyond the maxima of all its parts the bound is P(r) exp(-a r^2), with P the polynomial of the bounds. It is at the
  // tolerance where r = next(r) = sqrt(log(P(r) / tolerance) / a). As next() rises, what is beyond that r stays
  // beyond it and comes closer at every step.
  const auto next = [&](double r) {
    double value = bounds[degree];
    for (int l = degree - 1; l >= 0; --l) value = value * r + bounds[l];
    return sqrt(fmax(0.0, log(value / tolerance) / a));
  };
  const double maxima = sqrt(0.5 * degree / a);
  double r = fmax(maxima, sqrt(16 / a));
  while (next(r) > r && r < 1e6) r *= 1.5;
  for (int step = 0; step < 20; ++step) {
    const double closer = fmax(maxima, next(r));
    const bool done = closer > 0.999 * r;
    r = fmin(r, closer);
    if (done) break;
  }
  return r * (1 + 1e-12);
}

}  // namespace isolume
