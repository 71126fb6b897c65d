// CorrectionSurface: the energy of two dihedral angles between the nodes of a correction map.
#pragma once

#include <vector>

#include "compute/dynamics/correction_math.h"
#include "molecule/force_field/force_field.h"

namespace isolume {

/// A map of ForceField with its derivatives at the nodes: those of cubic splines that are periodic along each axis, so
/// that the surface is twice continuously differentiable (MacKerell, Feig, Brooks, J. Comput. Chem. 25, 1400 (2004),
/// doi:10.1002/jcc.20065; OpenMM has the same surface).
class CorrectionSurface {
 public:
  explicit CorrectionSurface(const CorrectionMap& map);

  /// At angles in radians, any turn.
  CorrectionValue at(double phi, double psi) const { return correction_value(nodes_.data(), size_, phi, psi); }
  /// size * size of them, psi fastest.
  const std::vector<CorrectionNode>& nodes() const { return nodes_; }

 private:
  std::uint32_t size_ = 0;
  std::vector<CorrectionNode> nodes_;
};

/// The same energy in plain double precision from B-splines, whose coefficients come from the nodes by a Fourier sum;
/// for tests.
double correction_energy_reference(const CorrectionMap& map, double phi, double psi);

/// Slopes, per step, of the cubic spline through `values` on a ring of equal steps, with two continuous derivatives.
std::vector<double> periodic_slopes(const std::vector<double>& values);

}  // namespace isolume
