// Energy and forces of one term over bonded atoms, the same on the CPU and CUDA.
#pragma once

#include <cstdint>

#include "compute/dynamics/vector3.h"
#include "molecule/base/units.h"

namespace isolume {

/// A term of any kind. Energies in kcal/mol as ForceField writes them.
struct BondedTerm {
  enum Kind : std::uint32_t { bond, angle, dihedral, improper, pair14 };
  static constexpr int kinds = 5;
  std::uint32_t atom[4];  ///< two atoms of a bond and a pair, three of an angle
  Kind kind;
  std::int32_t periodicity;  ///< of a dihedral
  double strength;           ///< k; A of a pair
  double rest;               ///< r0, theta0, delta, psi0; B of a pair
};

/// The angle phi of four atoms by IUPAC's sign, from the differences a - b, b - c and d - c; `out` gets its gradient
/// (Blondel, Karplus, J. Comput. Chem. 17, 1132 (1996), free of divisions by sin phi). Of atoms in a line the gradient
/// is 0.
ISOLUME_HOST_DEVICE inline double dihedral_angle(Vector3 f, Vector3 g, Vector3 h, Vector3 (&out)[4]) {
  const Vector3 a = cross(f, g);
  const Vector3 b = cross(h, g);
  const double aa = dot(a, a);
  const double bb = dot(b, b);
  const double length = sqrt(dot(g, g));
  if (aa < 1e-12 || bb < 1e-12 || length < 1e-6) {
    for (Vector3& v : out) v = {};
    return 0;
  }
  const double phi = atan2(dot(cross(b, a), g) / length, dot(a, b));
  const double along_f = dot(f, g) / (aa * length);
  const double along_h = dot(h, g) / (bb * length);
  out[0] = (-length / aa) * a;
  out[3] = (length / bb) * b;
  const Vector3 shared = along_f * a - along_h * b;
  out[1] = shared - out[0];
  out[2] = Vector3{} - shared - out[3];
  return phi;
}

/// The energy of a term; `force` gets the forces on its atoms. `at(k)` is the position of its k-th atom.
template <class At>
ISOLUME_HOST_DEVICE inline double bonded_energy(const BondedTerm& term, const ImageBox& box, const At& at,
                                                Vector3 (&force)[4]) {
  switch (term.kind) {
    case BondedTerm::bond: {
      const Vector3 d = box.nearest(at(0) - at(1));
      const double r = sqrt(dot(d, d));
      const double stretch = r - term.rest;
      force[0] = (r > 0 ? -2 * term.strength * stretch / r : 0.0) * d;
      force[1] = -1.0 * force[0];
      return term.strength * stretch * stretch;
    }
    case BondedTerm::pair14: {
      const Vector3 d = box.nearest(at(0) - at(1));
      const double inverse2 = 1 / dot(d, d);
      const double inverse6 = inverse2 * inverse2 * inverse2;
      const double repulsion = term.strength * inverse6 * inverse6;
      const double attraction = term.rest * inverse6;
      force[0] = ((12 * repulsion - 6 * attraction) * inverse2) * d;
      force[1] = -1.0 * force[0];
      return repulsion - attraction;
    }
    case BondedTerm::angle: {
      const Vector3 u = box.nearest(at(0) - at(1));
      const Vector3 v = box.nearest(at(2) - at(1));
      const Vector3 normal = cross(u, v);
      const double sine = sqrt(dot(normal, normal));
      const double bend = atan2(sine, dot(u, v)) - term.rest;
      const double slope = 2 * term.strength * bend;
      // In a line the plane is not defined, and there is no force.
      const double scale = sine > 1e-9 ? slope / sine : 0.0;
      force[0] = (scale / dot(u, u)) * cross(normal, u);
      force[2] = (scale / dot(v, v)) * cross(v, normal);
      force[1] = Vector3{} - force[0] - force[2];
      return term.strength * bend * bend;
    }
    default: {
      const double phi =
          dihedral_angle(box.nearest(at(0) - at(1)), box.nearest(at(1) - at(2)), box.nearest(at(3) - at(2)), force);
      double energy, slope;
      if (term.kind == BondedTerm::dihedral) {
        const double angle = term.periodicity * phi - term.rest;
        energy = term.strength * (1 + cos(angle));
        slope = -term.strength * term.periodicity * sin(angle);
      } else {
        double turn = phi - term.rest;
        turn -= 2 * units::pi * rint(turn / (2 * units::pi));
        energy = term.strength * turn * turn;
        slope = 2 * term.strength * turn;
      }
      for (Vector3& v : force) v = -slope * v;
      return energy;
    }
  }
}

}  // namespace isolume
