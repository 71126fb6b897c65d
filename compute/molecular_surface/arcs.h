// The arcs in which a union of balls has its creases: which parts of the circle of two balls no third one covers.
#pragma once

#include <cmath>

#include "compute/base/host_device.h"

namespace isolume {

template <class Real>
inline constexpr Real full_turn = static_cast<Real>(6.283185307179586476925);

/// The circle in which the surfaces of two balls meet. In single precision places should be relative to one of the
/// balls: consumer GPUs have little else, and 1e-6 of a radius is far below the samples' spacing.
template <class Real>
struct CreaseCircle {
  Real centre[3];
  Real radius;
  Real e1[3], e2[3];  ///< unit vectors of its plane
};

/// False where the surfaces of the balls at a and b do not meet.
template <class Real>
ISOLUME_HOST_DEVICE inline bool crease_circle(const Real a[3], Real ra, const Real b[3], Real rb,
                                              CreaseCircle<Real>& circle) {
  Real u[3];
  Real d2 = 0;
  for (int c = 0; c < 3; ++c) {
    u[c] = b[c] - a[c];
    d2 += u[c] * u[c];
  }
  const Real d = sqrt(d2);
  if (!(d < ra + rb) || !(d > fabs(ra - rb))) return false;
  const Real along = (d2 + ra * ra - rb * rb) / (2 * d);
  const Real r2 = ra * ra - along * along;
  if (!(r2 > 0)) return false;
  circle.radius = sqrt(r2);
  for (int c = 0; c < 3; ++c) {
    u[c] /= d;
    circle.centre[c] = a[c] + along * u[c];
  }
  // Any vector that is not along u, made perpendicular.
  const int least = fabs(u[0]) <= fabs(u[1]) && fabs(u[0]) <= fabs(u[2]) ? 0 : fabs(u[1]) <= fabs(u[2]) ? 1 : 2;
  Real v[3] = {-u[0] * u[least], -u[1] * u[least], -u[2] * u[least]};
  v[least] += 1;
  const Real length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int c = 0; c < 3; ++c) circle.e1[c] = v[c] / length;
  for (int c = 0; c < 3; ++c) {
    const int i = (c + 1) % 3;
    const int j = (c + 2) % 3;
    circle.e2[c] = u[i] * circle.e1[j] - u[j] * circle.e1[i];
  }
  return true;
}

/// Which angles of the circle a ball covers: none, all, or the open interval (middle - half, middle + half).
enum class Cover : int { none, all, part };
template <class Real>
ISOLUME_HOST_DEVICE inline Cover covered(const CreaseCircle<Real>& circle, const Real ball[3], Real radius,
                                         Real& middle, Real& half) {
  Real a = 0;
  Real b = 0;
  Real v2 = 0;
  for (int c = 0; c < 3; ++c) {
    const Real v = ball[c] - circle.centre[c];
    a += v * circle.e1[c];
    b += v * circle.e2[c];
    v2 += v * v;
  }
  const Real m = sqrt(a * a + b * b);
  const Real limit = (v2 + circle.radius * circle.radius - radius * radius) / (2 * circle.radius);
  // A ball through the whole circle: the same as one of the two (atoms given twice).
  constexpr Real same = sizeof(Real) == sizeof(double) ? static_cast<Real>(1e-9) : static_cast<Real>(1e-5);
  if (m + fabs(limit) < same * radius) return Cover::none;
  if (limit >= m) return Cover::none;
  if (limit <= -m) return Cover::all;
  middle = atan2(b, a);
  half = acos(limit / m);
  return Cover::part;
}

/// The exposed angles of a circle as intervals within [0, 2 pi].
template <class Real>
struct ExposedAngles {
  static constexpr int capacity = 24;  ///< beyond it an arc that a ball cuts in two keeps its longer part only
  Real begin[capacity];
  Real end[capacity];
  int count = 1;

  ISOLUME_HOST_DEVICE ExposedAngles() {
    begin[0] = 0;
    end[0] = full_turn<Real>;
  }
  ISOLUME_HOST_DEVICE bool whole() const { return count == 1 && begin[0] == 0 && end[0] == full_turn<Real>; }

  /// Takes the open interval away.
  ISOLUME_HOST_DEVICE void cover(Real middle, Real half) {
    Real from = middle - half;
    Real to = middle + half;
    if (from < 0) {
      from += full_turn<Real>;
      to += full_turn<Real>;
    }
    if (from >= full_turn<Real>) {
      from -= full_turn<Real>;
      to -= full_turn<Real>;
    }
    if (to > full_turn<Real>) {
      subtract(from, full_turn<Real>);
      subtract(0, to - full_turn<Real>);
    } else {
      subtract(from, to);
    }
  }

 private:
  ISOLUME_HOST_DEVICE void subtract(Real from, Real to) {
    int kept = count;
    for (int i = 0; i < kept;) {
      if (to <= begin[i] || from >= end[i]) {
        ++i;
      } else if (from <= begin[i] && to >= end[i]) {
        begin[i] = begin[kept - 1];
        end[i] = end[kept - 1];
        --kept;
      } else if (from > begin[i] && to < end[i]) {
        if (kept < capacity) {
          begin[kept] = to;
          end[kept] = end[i];
          ++kept;
          end[i] = from;
        } else if (from - begin[i] > end[i] - to) {
          end[i] = from;
        } else {
          begin[i] = to;
        }
        ++i;
      } else if (from > begin[i]) {
        end[i] = from;
        ++i;
      } else {
        begin[i] = to;
        ++i;
      }
    }
    count = kept;
  }
};

/// Points of an arc of this length, ends included, at most `spacing` apart; a whole circle has its ends once.
template <class Real>
ISOLUME_HOST_DEVICE inline int arc_points(Real length, Real spacing, bool whole) {
  const int steps = static_cast<int>(ceil(length / spacing));
  if (whole) return steps < 3 ? 3 : steps;
  return (steps < 1 ? 1 : steps) + 1;
}

template <class Real>
ISOLUME_HOST_DEVICE inline Real arc_angle(Real begin, Real end, int i, int points, bool whole) {
  return begin + (end - begin) * static_cast<Real>(i) / static_cast<Real>(whole ? points : points - 1);
}

template <class Real>
ISOLUME_HOST_DEVICE inline void circle_point(const CreaseCircle<Real>& circle, Real angle, Real point[3]) {
  const Real s = sin(angle) * circle.radius;
  const Real t = cos(angle) * circle.radius;
  for (int c = 0; c < 3; ++c) point[c] = circle.centre[c] + t * circle.e1[c] + s * circle.e2[c];
}

}  // namespace isolume
