// The Lennard-Jones energy of a pair, switched off smoothly towards the cutoff; the same on the CPU and CUDA.
#pragma once

#include "compute/base/host_device.h"

namespace isolume {

/// Where pairs stop to act. Between `switching` and `cutoff` the energy is multiplied by S(x) = 1 - 10 x^3 + 15 x^4 -
/// 6 x^5, x = (r - switching)/(cutoff - switching): twice continuously differentiable. Nothing is added for what is
/// beyond the cutoff.
struct LennardJonesOptions {
  double cutoff = 12;     ///< angstrom
  double switching = 10;  ///< angstrom, 0 to cutoff (equal: cut off abruptly)
  double margin = 1.5;    ///< angstrom, of the neighbour list
  bool operator==(const LennardJonesOptions&) const = default;
};

/// The same as plain numbers in the precision of a body.
template <class Real>
struct SwitchedCutoff {
  Real cutoff2, switching, per_width;  ///< 1/(cutoff - switching), 0 where it is abrupt

  explicit SwitchedCutoff(const LennardJonesOptions& o)
      : cutoff2(static_cast<Real>(o.cutoff * o.cutoff)),
        switching(static_cast<Real>(o.switching)),
        per_width(o.switching < o.cutoff ? static_cast<Real>(1 / (o.cutoff - o.switching)) : Real(0)) {}
};

/// Pairs nearer than this (angstrom, squared) count as at this distance: energies of atoms that overlap at the start
/// stay finite in single precision.
inline constexpr double lennard_jones_least2 = 0.04;

/// A/r^12 - B/r^6 times the switch, and minus its derivative over r. `root` is the square root of r2.
template <class Real>
ISOLUME_HOST_DEVICE inline Real lennard_jones(Real r2, Real root, Real a, Real b, const SwitchedCutoff<Real>& c,
                                              Real* force_over_r) {
  const Real inverse2 = Real(1) / r2;
  const Real inverse6 = inverse2 * inverse2 * inverse2;
  const Real repulsion = a * inverse6 * inverse6;
  const Real attraction = b * inverse6;
  const Real energy = repulsion - attraction;
  const Real slope = (Real(12) * repulsion - Real(6) * attraction) * inverse2;
  const Real x = (root - c.switching) * c.per_width;
  if (!(x > 0)) {
    *force_over_r = slope;
    return energy;
  }
  const Real s = Real(1) - x * x * x * (Real(10) - x * (Real(15) - Real(6) * x));
  const Real ds = -Real(30) * x * x * (Real(1) - x) * (Real(1) - x) * c.per_width;
  *force_over_r = s * slope - energy * ds / root;
  return s * energy;
}

}  // namespace isolume
