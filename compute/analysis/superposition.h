// Superposition: the rigid motion that brings points closest to others, by least squares.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/frames/point_sums.h"
#include "molecule/rigid_motion.h"

namespace isolume {

/// The root of the mean squared distance of points a[i] and b[i], weighted where `weights` is not empty. Angstrom.
/// Throws Error (usage) where the counts differ, there are none, or a weight is negative or all are 0.
double rmsd(std::span<const glm::dvec3> a, std::span<const glm::dvec3> b, std::span<const double> weights = {});

struct Superposition {
  RigidMotion motion;  ///< of the moving points, a turn without reflection
  double rmsd = 0;     ///< angstrom, after it
};

/// The motion of `moving` that makes rmsd(motion(moving), fixed) smallest: the eigenvector of the largest eigenvalue of
/// the 4 x 4 matrix of quaternions (B. K. P. Horn, J. Opt. Soc. Am. A 4 (1987) 629). In double precision; the rmsd is
/// summed over the moved points, so that it is 0 to rounding for copies. Of points on a line, a turn about the line is
/// arbitrary. Errors as rmsd().
Superposition superpose(std::span<const glm::dvec3> moving, std::span<const glm::dvec3> fixed,
                        std::span<const double> weights = {});

/// The motion of superpose(), of points whose covariance with fixed ones about `fixed_centre` is known.
RigidMotion motion_of(const PointCovariance& covariance, glm::dvec3 fixed_centre);

struct PrunedSuperposition {
  RigidMotion motion;
  double rmsd = 0;                 ///< angstrom, over the pairs that were kept
  double rmsd_all = 0;             ///< over all pairs, after the same motion
  std::vector<std::uint8_t> kept;  ///< one byte per pair
  std::size_t kept_count = 0;      ///< at least 3, or all where there are fewer
  int rounds = 0;                  ///< of leaving pairs out
  std::vector<double> distances;   ///< of every pair, angstrom, after the motion
};

/// Superposes, leaves out the pairs that are farthest apart, and again, until all that are kept are at most `cutoff`
/// (angstrom, 0: nothing is left out) apart: in every round a tenth of the pairs or half of those beyond the cutoff,
/// whichever are fewer (E. C. Meng et al., BMC Bioinformatics 7 (2006) 339). Ends with three pairs at the fewest.
PrunedSuperposition superpose_pruned(std::span<const glm::dvec3> moving, std::span<const glm::dvec3> fixed,
                                     double cutoff);

}  // namespace isolume
