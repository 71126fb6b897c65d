// The B-splines by which a mesh's potential is read between its points.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "compute/base/host_device.h"
#include "molecule/base/units.h"

namespace isolume {

inline constexpr int spline_order = 12;  ///< points along an axis
using SplineWeights = std::array<double, spline_order>;

/// Weights of the points spline_first(i) ... of a place `fraction` (0 to 1) beyond point i.
template <class T>
ISOLUME_HOST_DEVICE inline void set_spline_weights(T fraction, T* w) {
  w[0] = 1 - fraction;
  w[1] = fraction;
  for (int k = 3; k <= spline_order; ++k) {
    const T each = T(1) / static_cast<T>(k - 1);
    w[k - 1] = each * fraction * w[k - 2];
    for (int j = 1; j <= k - 2; ++j) {
      w[k - j - 1] =
          each * ((fraction + static_cast<T>(j)) * w[k - j - 2] + (static_cast<T>(k - j) - fraction) * w[k - j - 1]);
    }
    w[0] = each * (1 - fraction) * w[0];
  }
}
inline SplineWeights spline_weights(double fraction) {
  SplineWeights w{};
  set_spline_weights(fraction, w.data());
  return w;
}
ISOLUME_HOST_DEVICE constexpr int spline_first(int i) {
  return i - spline_order / 2 + 1;
}

/// A place on the mesh, in steps from its first point: the first point that is read, and the weights.
struct SplinePlace {
  int start = 0;
  SplineWeights weights;

  explicit SplinePlace(double at)
      : start(spline_first(static_cast<int>(std::floor(at)))), weights(spline_weights(at - std::floor(at))) {}
};

/// The values at mesh points of coefficients 1, by wave, on a periodic axis of n points.
inline std::vector<double> spline_spectrum(int n) {
  const SplineWeights at = spline_weights(0);
  std::vector<double> spectrum(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int w = 0; w < spline_order; ++w)
      sum += at[static_cast<std::size_t>(w)] * std::cos(2 * units::pi * i * spline_first(w) / n);
    spectrum[static_cast<std::size_t>(i)] = sum;
  }
  return spectrum;
}

}  // namespace isolume
