// The B-splines by which a mesh's potential is read between its points.
#pragma once

#include <array>

namespace isolume {

inline constexpr int spline_order = 12;  ///< points along an axis
using SplineWeights = std::array<double, spline_order>;

/// Weights of the points spline_first(i) ... of a place `fraction` (0 to 1) beyond point i.
inline SplineWeights spline_weights(double fraction) {
  SplineWeights w{};
  w[0] = 1 - fraction;
  w[1] = fraction;
  for (int k = 3; k <= spline_order; ++k) {
    const double each = 1.0 / (k - 1);
    const auto at = [&w](int n) -> double& { return w[static_cast<std::size_t>(n)]; };
    at(k - 1) = each * fraction * at(k - 2);
    for (int j = 1; j <= k - 2; ++j)
      at(k - j - 1) = each * ((fraction + j) * at(k - j - 2) + (k - j - fraction) * at(k - j - 1));
    at(0) = each * (1 - fraction) * at(0);
  }
  return w;
}
inline int spline_first(int i) {
  return i - spline_order / 2 + 1;
}

}  // namespace isolume
