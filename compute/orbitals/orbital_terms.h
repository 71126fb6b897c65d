// An orbital as a sum of polynomials times Gaussians, which is what the bodies evaluate.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/host_device.h"
#include "molecule/grid.h"
#include "molecule/quantum/orbitals.h"

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

/// How large a term is away from its centre: by degree l, what r^l exp(-exponent r^2) is multiplied by at most.
struct TermBound {
  double by_degree[max_degree + 1] = {};
  double exponent = 1;
  int degree = 0;

  /// Largest value that |term| takes at `distance` (bohr) from its centre or further.
  double beyond(double distance) const;
};

/// All terms of one orbital, ordered by centre, then exponent.
struct OrbitalTerms {
  std::vector<OrbitalTerm> terms;
  std::vector<double> coefficients;

  TermBound bound(const OrbitalTerm& term) const;
  /// One for each term.
  std::vector<TermBound> bounds() const;
  /// Value at a point (bohr), all terms.
  double at(glm::dvec3 point) const;
  /// Sets the cutoffs so that what a term leaves out is below `tolerance`, and drops terms that are below it
  /// everywhere.
  void cut(double tolerance);
};

/// The terms of an orbital, nothing cut. Throws Error (usage) where there is no such orbital, (failed) where the basis
/// does not fit together.
OrbitalTerms orbital_terms(const Orbitals& orbitals, std::size_t which);

/// Points of the grid (in bohr) at which max |psi| is sampled: a coarse lattice, and those nearest to centres (bohr).
std::vector<glm::dvec3> sample_points(std::span<const glm::dvec3> centres, const Grid& grid);

/// A lower bound of max |psi|, from points (bohr).
double sampled_maximum(const OrbitalTerms& terms, std::span<const glm::dvec3> points);

}  // namespace isolume
