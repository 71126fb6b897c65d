// Ewald's sum in double precision, to convergence: what periodic potentials are measured against.
#pragma once

#include <array>
#include <span>

#include "compute/electrostatics/direct/direct.h"
#include "molecule/cell.h"

namespace isolume {

/// The potential, in e/angstrom, at difference vector `d` of a unit charge that repeats along the periodic cell
/// vectors.
///
/// * Three axes: with a neutralising background and zero mean (Ewald 1921, doi:10.1002/andp.19213690304).
/// * Two axes: Parry's sum (Surf. Sci. 49, 433 (1975), doi:10.1016/0039-6028(75)90362-3), without an infinite constant.
/// * One axis: the line sum in the same manner (Porto, J. Phys. A 33, 6211 (2000), doi:10.1088/0305-4470/33/35/308).
///
/// At d = 0 (to 1e-4 angstrom, modulo the cell) the charge itself is left out and its images stay: for three axes of a
/// cube of side L that is -2.837297.../L. Converged to about 1e-12 of 1/L.
class EwaldKernel {
 public:
  /// Throws Error (usage) where an axis is periodic and the cell has no volume.
  EwaldKernel(const Cell& cell, std::array<bool, 3> periodic);
  double operator()(glm::dvec3 d) const;

  /// The smooth remainder: the same less sum over images of (1/r - gamma(r/a)/a) within a, gamma by Taylor to
  /// `smoothing` (0: none is subtracted). What the top lattice of a periodic multilevel summation holds.
  double smooth(glm::dvec3 d, double a, int smoothing) const;

 private:
  double three(glm::dvec3 d, bool leave_out_zero) const;
  double two(glm::dvec3 d, bool leave_out_zero) const;
  double one(glm::dvec3 d, bool leave_out_zero) const;
  double real_space(glm::dvec3 d, bool leave_out_zero) const;

  glm::dmat3 vectors_{1.0};     // periodic vectors first
  glm::dmat3 reciprocal_{1.0};  // 2 pi times the dual basis of the periodic vectors
  int axes_ = 0;
  double alpha_ = 0;    // 1/angstrom
  double measure_ = 0;  // volume, area or length
  glm::ivec3 images_{0};
  glm::ivec3 waves_{0};
};

/// The potential in volts at points, of charges and all their images. O(points x charges); for tests and for the
/// measured error of periodic maps.
void ewald_potential_reference(std::span<const PointCharge> charges, const Cell& cell, std::array<bool, 3> periodic,
                               std::span<const glm::dvec3> points, std::span<double> potential);

}  // namespace isolume
