// The Cartesian functions of a basis and the occupied orbitals over them, as the density's bodies evaluate them.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "molecule/quantum/orbitals.h"

namespace isolume {

/// One shell: x^i y^j z^k sum_p coefficient_p exp(-exponent_p r^2) for all i + j + k = l.
struct DensityShell {
  glm::dvec3 centre;  ///< bohr
  int l = 0;
  double cutoff = 0;                  ///< bohr; below the tolerance further out
  std::uint32_t first_primitive = 0;  ///< in the two lists below
  std::uint32_t primitives = 0;
  std::uint32_t first_function = 0;  ///< in the order of cartesian_powers
};

/// A density ready to be evaluated. Spherical functions and norms are folded into the coefficients.
struct DensityFunctions {
  std::vector<DensityShell> shells;
  std::vector<double> exponents, factors;  ///< by primitive
  std::size_t functions = 0;
  std::size_t orbitals = 0;          ///< those of weight other than 0, padded by zeros to a multiple of 4
  std::vector<double> coefficients;  ///< functions rows of `orbitals` values
  std::vector<double> weights;       ///< one per orbital

  /// Sets every shell's cutoff such that its functions are below `value` further out.
  void cut_below(double value);

  /// Sets every shell's cutoff such that all that is left out of the density together stays below `tolerance` where the
  /// density of |weights| is at most `largest`.
  void cut(double tolerance, double largest);
};

/// The functions with the orbitals whose weight (one for each) is not 0.
DensityFunctions density_functions(const Orbitals& orbitals, std::span<const double> weights);

/// The functions with the orbitals `which`, in that order, each of weight 1.
DensityFunctions density_functions(const Orbitals& orbitals, std::span<const std::size_t> which);

inline constexpr int density_side = 4;
inline constexpr int density_points = density_side * density_side * density_side;

/// One batch of points (bohr), and its sums.
struct FunctionTile {
  alignas(64) double points[3][density_points];
  alignas(64) double density[density_points];   ///< with the weights
  alignas(64) double absolute[density_points];  ///< with |weights|
  std::vector<std::uint32_t> shells;            ///< those that reach it
  std::vector<double> values;                   ///< functions of those shells, density_points each
  std::vector<const double*> rows;              ///< their coefficients
  std::vector<double>
      psi;  ///< where it is not empty: room for the orbitals, density_points each, which are stored there
};

/// Adds what tile.shells of `functions` have at a batch of points to its sums, with SIMD.
void add_density(const DensityFunctions& functions, FunctionTile& tile);

}  // namespace isolume
