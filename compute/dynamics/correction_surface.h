// CorrectionSurface: the energy of two dihedral angles between the nodes of a correction map.
#pragma once

#include <vector>

#include "molecule/force_field.h"

namespace isolume {

/// A map of ForceField with its derivatives at the nodes: those of cubic splines that are periodic along each axis, so
/// that the surface is twice continuously differentiable (MacKerell, Feig, Brooks, J. Comput. Chem. 25, 1400 (2004),
/// doi:10.1002/jcc.20065; OpenMM has the same surface).
class CorrectionSurface {
 public:
  explicit CorrectionSurface(const CorrectionMap& map);

  struct Value {
    double energy = 0;              ///< kcal/mol
    double by_phi = 0, by_psi = 0;  ///< its derivatives, kcal/(mol rad)
  };
  /// At angles in radians, any turn.
  Value at(double phi, double psi) const;

 private:
  struct Node {
    double value, by_phi, by_psi, by_both;  ///< derivatives per step of the map
  };
  int size_ = 0;
  std::vector<Node> nodes_;  ///< psi runs fastest
};

/// The same energy in plain double precision from B-splines, whose coefficients come from the nodes by a Fourier sum;
/// for tests.
double correction_energy_reference(const CorrectionMap& map, double phi, double psi);

/// Slopes, per step, of the cubic spline through `values` on a ring of equal steps, with two continuous derivatives.
std::vector<double> periodic_slopes(const std::vector<double>& values);

}  // namespace isolume
