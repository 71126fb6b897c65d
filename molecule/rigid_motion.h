// Rigid motions: turning and shifting, of points and of everything that a molecule has.
#pragma once

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <memory>

#include "molecule/frame.h"
#include "molecule/grid.h"
#include "molecule/quantum/orbitals.h"

namespace isolume {

struct Molecule;

/// A point p goes to rotation * p + translation.
struct RigidMotion {
  glm::dquat rotation{1.0, 0.0, 0.0, 0.0};  ///< of length 1
  glm::dvec3 translation{0.0};              ///< angstrom

  bool operator==(const RigidMotion&) const = default;
  bool none() const { return *this == RigidMotion{}; }
  glm::dvec3 operator()(glm::dvec3 point) const { return rotation * point + translation; }
};

/// First `first`, then `second`.
RigidMotion then(const RigidMotion& first, const RigidMotion& second);
/// What takes everything back.
RigidMotion inverse(const RigidMotion& motion);

/// Positions are moved; velocities, forces and the cell's vectors are turned.
Frame moved(Frame frame, const RigidMotion& motion);
/// The same points in the same order: origin moved, steps turned.
Grid moved(const Grid& grid, const RigidMotion& motion);
/// The orbitals of the moved molecule: centres moved, and the coefficients of every shell turned, so that the value at
/// a moved point is what it was at the point (to 1e-12 of the largest coefficient).
Orbitals moved(const Orbitals& orbitals, const RigidMotion& motion);

/// The molecule at another place: frames (as they are read), orbitals, anisotropic displacements and volumes. The
/// operators of assemblies stay, which are those of the file.
Molecule moved(const Molecule& molecule, const RigidMotion& motion);
/// Bytes of host memory that moved() takes beyond those of the molecule.
std::size_t moved_bytes(const Molecule& molecule);

}  // namespace isolume
