// Products of two Gaussians along an axis in Hermite functions. McMurchie and Davidson, J. Comput. Phys. 26 (1978) 218.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace isolume {

/// The expansion of x_A^i x_B^j exp(-a x_A^2 - b x_B^2), i and j below `most`, in Hermite functions about the centre of
/// both.
template <int most>
class HermiteExpansion {
 public:
  HermiteExpansion(int degree_a, int degree_b, double a, double b, double xa, double xb) {
    const double p = a + b, half = 0.5 / p, centre = (a * xa + b * xb) / p;
    const double pa = centre - xa, pb = centre - xb;
    at(0, 0, 0) = std::exp(-a * b / p * (xa - xb) * (xa - xb));
    for (int i = 0; i <= degree_a; ++i) {
      for (int j = 0; j <= degree_b; ++j) {
        if (i + j == 0) continue;
        const int from_i = i > 0 ? i - 1 : 0, from_j = i > 0 ? j : j - 1;
        const double shift = i > 0 ? pa : pb;
        for (int t = 0; t <= i + j; ++t) {
          double value = 0;
          if (t > 0) value += half * at(from_i, from_j, t - 1);
          if (t <= from_i + from_j) value += shift * at(from_i, from_j, t);
          if (t + 1 <= from_i + from_j) value += (t + 1) * at(from_i, from_j, t + 1);
          at(i, j, t) = value;
        }
      }
    }
  }
  /// For t <= i + j.
  double at(int i, int j, int t) const { return values_[index(i, j, t)]; }

 private:
  static std::size_t index(int i, int j, int t) { return static_cast<std::size_t>((i * most + j) * (2 * most) + t); }
  double& at(int i, int j, int t) { return values_[index(i, j, t)]; }

  std::array<double, most * most * 2 * most> values_;
};

}  // namespace isolume
