// The density of a free atom or ion in a given basis, for the weights of Hirshfeld.
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "compute/base/host_device.h"
#include "molecule/quantum/basis.h"

namespace isolume {

/// Logarithms of a spherical density on a mesh of log(r), as the CPU and the CUDA bodies read it. It owns nothing.
struct RadialTable {
  const double* logarithms = nullptr;
  int count = 0;
  double first = 0, step = 0;  ///< of log(r)

  /// bohr^-3, by Catmull and Rom's cubic; r in bohr. 0 beyond the mesh.
  ISOLUME_HOST_DEVICE double density(double r) const {
    const double at = (log(fmax(r, 1e-6)) - first) / step;
    if (at >= count - 2) return 0;
    const int i = static_cast<int>(fmax(1.0, floor(at)));
    const double t = at - i;
    const double a = logarithms[i - 1], b = logarithms[i], c = logarithms[i + 1], d = logarithms[i + 2];
    return exp(b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a))));
  }
};

/// rho(r) of a spherical atom, bohr^-3.
class FreeAtom {
 public:
  /// Spin-restricted Hartree-Fock of the neutral atom with the ground-state configuration, whose open shell is spread
  /// evenly over its orbitals (fractional occupation), over the radial parts of `shells`; hydrogen with its one
  /// electron alone. Integrals over r on a logarithmic mesh of 4000 points, exchange by the sum over 3j symbols. Throws
  /// Error (failed) where the basis has not the shells that the electrons need or the field does not converge.
  FreeAtom(int element, std::span<const Shell> shells);
  /// The same of an ion with `electrons` > 0, in configuration_of(). One electron has no other that it repels.
  FreeAtom(int element, int electrons, std::span<const Shell> shells);

  double density(double r) const { return table().density(r); }  ///< r in bohr
  RadialTable table() const;                                     ///< as long as the atom lives
  double energy() const { return energy_; }                      ///< hartree
  double electrons() const;                                      ///< by the mesh

 private:
  std::vector<double> logarithms_;  ///< of the density on the mesh
  double energy_ = 0;
};

/// Electrons in the shells s, p, d, f of a neutral atom's ground state.
std::vector<int> ground_state(int element);
/// The same of an ion: a cation has lost the outermost electrons of the atom, of one shell those of higher l first; an
/// anion has more of them in Madelung's order.
std::vector<int> configuration_of(int element, int electrons);

}  // namespace isolume
