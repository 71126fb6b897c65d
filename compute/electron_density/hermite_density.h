// A density as Hermite Gaussians: what its potential is summed over.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/host_device.h"
#include "compute/base/job.h"
#include "molecule/quantum/orbitals.h"

namespace isolume {

/// The Hermite functions of one pair of Gaussians: d^t/dP_x^t d^u/dP_y^u d^v/dP_z^v exp(-exponent |r - P|^2) for
/// t + u + v <= order, in the order of hermite_powers(). The coefficients are those of the potential: of the density
/// times -2 pi / exponent.
struct HermiteSource {
  glm::dvec3 centre;  ///< P, bohr
  double exponent = 0;
  std::uint32_t first = 0;  ///< of its coefficients
  std::int32_t order = 0;
};

/// (t, u, v) for t + u + v <= order by t + u + v, so that lower orders are the beginning of higher ones.
std::vector<glm::ivec3> hermite_powers(int order);
ISOLUME_HOST_DEVICE constexpr int hermite_count(int order) {
  return (order + 1) * (order + 2) * (order + 3) / 6;
}
/// Where (t, u, v) is in that order.
ISOLUME_HOST_DEVICE constexpr int hermite_place(int t, int u, int v) {
  const int n = t + u + v, m = u + v;
  return (n > 0 ? hermite_count(n - 1) : 0) + m * (m + 1) / 2 + v;
}

/// sum_i w_i psi_i^2 as Hermite Gaussians, ordered by `order`. McMurchie and Davidson, J. Comput. Phys. 26 (1978) 218.
/// Primitives of one centre and exponent are one; a pair is left out where all of it adds less than about 1e-12
/// hartree/e to the potential anywhere.
struct HermiteDensity {
  std::vector<HermiteSource> sources;
  std::vector<double> coefficients;

  std::size_t memory() const { return sources.size() * sizeof(HermiteSource) + coefficients.size() * sizeof(double); }
};

/// Throws Error (usage) for another number of weights than orbitals.
HermiteDensity hermite_density(const Orbitals& orbitals, std::span<const double> weights, Job& job);

/// Bytes that the sources of a basis can take at most, as if no pair were left out.
std::size_t hermite_memory(const Orbitals& orbitals);

}  // namespace isolume
