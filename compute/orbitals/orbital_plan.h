// How the coefficients over a basis become those of an orbital's terms: a sparse matrix, the same for all orbitals.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "molecule/grid.h"
#include "molecule/quantum/orbitals.h"

namespace isolume {

/// All that shells of one centre have with one exponent: a polynomial times a Gaussian, without its coefficients.
struct PlanTerm {
  double exponent = 0;       ///< bohr^-2
  std::uint32_t centre = 0;  ///< index of the atom
  std::uint32_t first = 0;   ///< of the polynomial's coefficients, in the order of OrbitalTerm
  std::uint32_t row = 0;     ///< sum of (degree + 1) of the terms before: of rows in tables of powers
  std::int32_t degree = 0;
};

/// The terms of a basis, ordered by centre, then exponent, and the matrix from coefficients over functions to those of
/// the polynomials, row by row. Norms, contractions and solid harmonics are in the matrix.
struct OrbitalPlan {
  std::vector<PlanTerm> terms;
  std::vector<std::uint32_t> begin;    ///< of each polynomial coefficient in the two lists below, and the end
  std::vector<std::uint32_t> columns;  ///< functions of the basis
  std::vector<double> values;
  /// Where each coefficient is once those of a term are ordered for j, for k <= degree - j, for i <= degree - j -
  /// k, as the CUDA body sums over x first.
  std::vector<std::uint32_t> yzx;
  std::uint32_t rows = 0;  ///< sum of (degree + 1)
  int max_degree = 0;

  std::size_t coefficient_count() const { return begin.size() - 1; }
  /// The polynomials' coefficients of one orbital.
  void multiply(std::span<const double> orbital, double* coefficients) const;
};

/// Bytes of the tables that a CUDA device keeps for a grid: the powers and exponentials of every term along each axis,
/// in both precisions. 0 where there are none: where the grid does not lie along the axes, or they would be too many.
std::size_t orbital_table_bytes(const OrbitalPlan& plan, const Grid& grid);

/// The plan of a basis; the last few are kept, and bases that are equal share one. Throws Error where shells do not fit
/// together.
std::shared_ptr<const OrbitalPlan> orbital_plan(const std::shared_ptr<const Basis>& basis);

/// Throws Error (usage) where there is no such orbital, (failed) where basis, centres and coefficients do not fit
/// together.
void check_orbital(const Orbitals& orbitals, std::size_t which);

}  // namespace isolume
