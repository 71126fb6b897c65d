// The density of a free neutral atom in a given basis, for the weights of Hirshfeld.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "molecule/quantum/basis.h"

namespace isolume {

/// rho(r) of a spherical atom, bohr^-3.
class FreeAtom {
 public:
  /// Spin-restricted Hartree-Fock of the neutral atom with the ground-state configuration, whose open shell is spread
  /// evenly over its orbitals (fractional occupation), over the radial parts of `shells`; hydrogen with its one
  /// electron alone. Integrals over r on a logarithmic mesh of 4000 points, exchange by the sum over 3j symbols. Throws
  /// Error (failed) where the basis has not the shells that the electrons need or the field does not converge.
  FreeAtom(int element, std::span<const Shell> shells);

  double density(double r) const;            ///< r in bohr
  double energy() const { return energy_; }  ///< hartree
  double electrons() const;                  ///< by the mesh

 private:
  std::vector<double> logarithms_;  ///< of the density on the mesh
  double energy_ = 0;
};

/// Electrons in the shells s, p, d, f of a neutral atom's ground state.
std::vector<int> ground_state(int element);

}  // namespace isolume
