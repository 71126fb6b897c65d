// Critical points of the density and the bond paths between atoms.
#pragma once

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/electron_density/density_derivatives.h"

namespace isolume {

/// By the number of negative eigenvalues of the Hessian: 3, 2, 1, 0.
enum class CriticalKind : std::uint8_t { nucleus, bond, ring, cage };

/// Where the gradient of the density is zero. Atomic units.
struct CriticalPoint {
  CriticalKind kind = CriticalKind::nucleus;
  glm::dvec3 position{0};  ///< bohr
  DensityDerivatives values;
  std::array<double, 3> eigenvalues{};  ///< of the Hessian, ascending
  /// Of a maximum the nearest atom; of a bond the two at the ends of its path, the lower first; -1 for none.
  std::array<int, 2> atoms{-1, -1};
  double path = 0;                  ///< length of the bond path, bohr
  std::vector<glm::dvec3> trace{};  ///< the bond path from atoms[0] to atoms[1], bohr; empty unless asked for

  /// lambda1 / lambda2 - 1, of bonds.
  double ellipticity() const { return eigenvalues[0] / eigenvalues[1] - 1; }
};

struct CriticalPoints {
  std::vector<CriticalPoint> points;  ///< nuclei, bonds, rings, cages
  std::size_t starts = 0;             ///< of Newton's iteration

  std::size_t count(CriticalKind kind) const;
  /// nuclei - bonds + rings - cages: 1 where all points of a molecule were found.
  int poincare_hopf() const;
};

/// All critical points that Newton's iteration (steps of at most 0.25 bohr) finds from the nuclei, points along pairs,
/// and centroids of triples and of the whole. Points less than 0.02 bohr apart and of one kind are one; below
/// `least_density` (bohr^-3) none are kept, since tails of Gaussians have spurious ones. Bond paths follow the gradient
/// upwards both ways in steps of 0.1 bohr (Runge-Kutta of order 4). Bader, "Atoms in Molecules" (1990).
/// Accuracy: the last step is below 1e-10 bohr; each point says its residual gradient.
/// The density and its derivatives are evaluated on `device`. `traces`: bond paths with their points, which are
/// followed on the CPU on every device.
CriticalPoints critical_points(const DensityEvaluator& evaluator, std::span<const glm::dvec3> centres, Job& job,
                               double least_density = 1e-9, Device device = Device::cpu(), bool traces = false);

}  // namespace isolume
