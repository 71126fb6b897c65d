// The real harmonics by which tables about sites are kept on CUDA: fewer numbers a row than powers of the direction.
#pragma once

#include <vector>

#include "compute/base/host_device.h"

namespace isolume {

/// Y_lm for 0 <= m <= l, by cos and, where m > 0, sin of m times the azimuth, with Schmidt's normalisation: the squares
/// of one l add up to 1 in every direction, so none is larger than 1. Of degree l in x, y and z:
///
///     Y_lm = Q_lm(z) (Re or Im) (x + i y)^m,   Q_00 = Q_11 = 1,   Q_mm = Q_(m-1)(m-1) sqrt((2m - 1) / 2m),
///     sqrt(l^2 - m^2) Q_lm = (2l - 1) z Q_(l-1)m - sqrt((l-1)^2 - m^2) r^2 Q_(l-2)m
///
/// Of one l they are counted m = 0, cos 1, sin 1, cos 2, ...: Y_l. has the places l^2 ... (l + 1)^2 - 1.
ISOLUME_HOST_DEVICE constexpr int harmonic_count(int order) {
  return (order + 1) * (order + 1);
}

/// Polynomials up to a degree are sums of r^(2n) Y_l. with l + 2n up to it, by n: where those of n begin.
ISOLUME_HOST_DEVICE constexpr int harmonic_first(int order, int n) {
  int first = 0;
  for (int i = 0; i < n; ++i) first += harmonic_count(order - 2 * i);
  return first;
}

/// The matrix that takes sums of powers of degree N to the harmonics: for sum_p a_p x^t y^u z^v the factor of
/// r^(2n) Y_lk, l = N - 2n, k = 0 ... 2l, is sum_p matrix[r (N + 1)(N + 2) / 2 + p] a_p, with the powers in the order
/// of hermite_powers() and r = (harmonics of smaller n) + k.
std::vector<double> harmonics_of_powers(int degree);

/// A row of a table: for each m the l = m, m + 1, ... in pairs, of each pair four numbers: cos and sin of the lower l,
/// cos and sin of the next. What is not there is 0.
ISOLUME_HOST_DEVICE constexpr int harmonic_pairs(int order, int m) {
  return (order - m) / 2 + 1;
}
/// Pairs of all m below `end`.
ISOLUME_HOST_DEVICE constexpr int harmonic_pairs_before(int order, int end) {
  int pairs = 0;
  for (int m = 0; m < end; ++m) pairs += harmonic_pairs(order, m);
  return pairs;
}
/// The number of a row that Y_lm has.
ISOLUME_HOST_DEVICE constexpr int harmonic_place(int order, int l, int m, bool sine) {
  return 4 * (harmonic_pairs_before(order, m) + (l - m) / 2) + 2 * ((l - m) % 2) + (sine ? 1 : 0);
}

}  // namespace isolume
