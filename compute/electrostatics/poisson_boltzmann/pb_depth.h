// Where the dielectric surface cuts an edge of the grid, for both kinds of device.
#pragma once

#include <cmath>
#include <cstddef>

#include "compute/base/host_device.h"

namespace isolume {

ISOLUME_HOST_DEVICE inline double pb_clamp(double value, double least, double most) {
  return value < least ? least : value > most ? most : value;
}

/// The share of the edge from `node` to the next along an axis up to where the depth is 0, by the parabola with the
/// lesser second difference of the two at the ends. `place` of `count` nodes along the axis, `stride` from one to the
/// next.
ISOLUME_HOST_DEVICE inline double pb_crossing(const float* depth, std::size_t node, std::size_t stride, int place,
                                              int count) {
  const double a = static_cast<double>(depth[node]), b = static_cast<double>(depth[node + stride]);
  double bend = 0;
  if (place > 0 && place + 2 < count) {
    const double first = static_cast<double>(depth[node - stride]) - 2 * a + b;
    const double second = a - 2 * b + static_cast<double>(depth[node + 2 * stride]);
    if (first * second > 0) bend = fabs(first) < fabs(second) ? first : second;
  }
  // a + (b - a) t - bend/2 t (1 - t) = 0, by Newton's steps from the straight line.
  double t = a / (a - b);
  for (int i = 0; i < 4; ++i) {
    const double value = a + (b - a) * t - 0.5 * bend * t * (1 - t);
    const double slope = (b - a) - 0.5 * bend * (1 - 2 * t);
    if (slope * (b - a) <= 0) break;
    t = pb_clamp(t - value / slope, 0.0, 1.0);
  }
  return pb_clamp(t, 1e-3, 1 - 1e-3);
}

/// The permittivity across a surface of a width. Its inverse goes over smoothly, so that an ion keeps its energy to
/// first order in the width.
ISOLUME_HOST_DEVICE inline double pb_smooth_permittivity(double depth, double width, double solute, double solvent) {
  const double t = pb_clamp(depth / width + 0.5, 0.0, 1.0);
  const double inside = t * t * (3 - 2 * t);
  return 1 / (inside / solute + (1 - inside) / solvent);
}

/// Their harmonic mean along an edge between depths a and b.
ISOLUME_HOST_DEVICE inline double pb_smooth_edge(double a, double b, double width, double solute, double solvent) {
  constexpr int parts = 8;
  double sum = 0;
  for (int m = 0; m < parts; ++m)
    sum += 1 / pb_smooth_permittivity(a + (b - a) * (m + 0.5) / parts, width, solute, solvent);
  return parts / sum;
}

/// What the nodes at the ends of a cut edge receive: `value` Coulomb's potential where the surface cuts, `jump` and
/// `through` e1 dG/da there and in the middle of the edge, a from the solute outwards.
struct PbJump {
  double coefficient, share, step, weight, value, jump, through;

  ISOLUME_HOST_DEVICE double to_inside(double solvent) const {
    return -coefficient * value - coefficient * (1 - share) * step / solvent * jump;
  }
  /// What leaves the solute through the faces between the nodes is exactly what the charges send.
  ISOLUME_HOST_DEVICE double to_outside(double solute) const {
    return coefficient * value - coefficient * share * step / solute * jump + step * weight * (jump - through);
  }
};

}  // namespace isolume
