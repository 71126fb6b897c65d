// Becke's fuzzy cells, as the CPU and the CUDA bodies compute them.
#pragma once

#include <cmath>
#include <cstddef>

#include "compute/base/host_device.h"

namespace isolume {
namespace becke_math {

inline constexpr double least_share = 1e-12;  ///< points whose share is less are left out

ISOLUME_HOST_DEVICE inline double step(double mu) {
  for (int i = 0; i < 3; ++i) mu = 1.5 * mu - 0.5 * mu * mu * mu;
  return 0.5 * (1 - mu);
}

/// The part of `centre` in a point.
/// @param distances  of the point from each centre, `stride` apart
/// @param inverse    1 / distances of the centres from each other, `count` by `count`
ISOLUME_HOST_DEVICE inline double share(const double* distances, std::size_t stride, const double* inverse,
                                        std::size_t count, std::size_t centre) {
  double sum = 0, own = 0;
  for (std::size_t a = 0; a < count; ++a) {
    double cell = 1;
    for (std::size_t b = 0; b < count && cell > 1e-14; ++b) {
      if (a != b) cell *= step((distances[a * stride] - distances[b * stride]) * inverse[a * count + b]);
    }
    sum += cell;
    if (a == centre) own = cell;
  }
  return sum > 0 ? own / sum : 0;
}

}  // namespace becke_math
}  // namespace isolume
