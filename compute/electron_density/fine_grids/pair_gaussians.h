// The density, or the kinetic-energy density, as Gaussians of pairs of functions: what fields on fine grids are summed
// of on the CPU.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "compute/base/job.h"
#include "compute/orbitals/density_functions.h"

namespace isolume {

/// sum c_tuv d^t/dx^t d^u/dy^u d^v/dz^v exp(-exponent |r - centre|^2) for t + u + v <= order. Its coefficients follow
/// one another, v fastest, then u, then t.
struct PairGaussian {
  glm::dvec3 centre{0};  ///< bohr
  double exponent = 0;   ///< bohr^-2
  double reach = 0;      ///< bohr; what it adds further out is left out
  double sharpness = 0;  ///< its 16th derivative, over that of exp(-exponent x^2), at most
  std::uint32_t first = 0;
  std::int32_t order = 0;
};

constexpr int pair_coefficients(int order) {
  return (order + 1) * (order + 2) * (order + 3) / 6;
}

enum class PairQuantity {
  density,  ///< sum_i w_i psi_i^2
  tau,      ///< sum_i w_i |grad psi_i|^2 / 2
};

struct PairGaussians {
  std::vector<PairGaussian> gaussians;
  std::vector<double> coefficients;
};

/// Gaussians of all pairs of primitives; those of one centre and exponent are one. McMurchie and Davidson, J. Comput.
/// Phys. 26 (1978) 218. What one of them adds to the quantity or to its derivatives up to order `derivatives` is left
/// out where it is below `left_out`.
PairGaussians pair_gaussians(const DensityFunctions& functions, PairQuantity quantity, int derivatives, double left_out,
                             Job& job);

/// Bytes that they take at most.
std::size_t pair_memory(const DensityFunctions& functions, PairQuantity quantity);

}  // namespace isolume
