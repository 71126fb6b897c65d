// An orbital as a sum of polynomials times Gaussians, which is what the bodies evaluate.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "compute/host_device.h"
#include "molecule/grid.h"
#include "molecule/orbitals.h"

namespace isolume {

inline constexpr int max_degree = 6;

/// Number of monomials x^i y^j z^k with i + j + k <= degree.
ISOLUME_HOST_DEVICE constexpr int monomial_count(int degree) {
  return (degree + 1) * (degree + 2) * (degree + 3) / 6;
}

/// P(r - centre) exp(-exponent |r - centre|^2): all that shells of one centre have with one exponent, S and P together.
/// Coefficients of P stand at `first` in the order: for i, for j <= degree - i, for k <= degree - i - j.
struct OrbitalTerm {
  double centre[3];  ///< bohr
  double exponent;   ///< bohr^-2
  double cutoff;     ///< bohr; the term is below the tolerance further out
  std::uint32_t first;
  std::int32_t degree;
};

/// All terms of one orbital, ordered by centre, then exponent.
struct OrbitalTerms {
  std::vector<OrbitalTerm> terms;
  std::vector<double> coefficients;

  /// Largest value that |term| takes at distance `distance` (bohr) from its centre or further.
  double bound(const OrbitalTerm& term, double distance) const;
  /// Value at a point (bohr), all terms.
  double at(glm::dvec3 point) const;
  /// Sets the cutoffs so that what a term leaves out is below `tolerance`, and drops terms that are below it
  /// everywhere.
  void cut(double tolerance);

 private:
  void bounds_by_degree(const OrbitalTerm& term, double (&bounds)[max_degree + 1]) const;
};

/// The terms of an orbital, nothing cut. Throws Error (usage) where there is no such orbital, (failed) where the basis
/// does not fit together.
OrbitalTerms orbital_terms(const Orbitals& orbitals, std::size_t which);

/// A lower bound of max |psi| over the grid's points, from a sample of them.
double sampled_maximum(const OrbitalTerms& terms, const Grid& grid);

}  // namespace isolume
