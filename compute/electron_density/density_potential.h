// The electrostatic potential and field of a quantum density with its nuclei, exactly.
#pragma once

#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "compute/electron_density/hermite_density.h"
#include "molecule/grid.h"
#include "molecule/quantum/orbitals.h"

namespace isolume {

/// V(r) = sum_A Z_A / |r - R_A| - integral of rho(r') / |r - r'|, and E = -grad V; in hartree/e and hartree/(e bohr).
///
/// Method: the density as Hermite Gaussians, once; then at every point sum over them of coefficients times
/// R_tuv = d^tuv F_0(p |P - r|^2) by the recursion of McMurchie and Davidson (J. Comput. Phys. 26 (1978) 218), the Boys
/// function by a table. No grid, no fit. Accuracy: pairs of functions below 1e-12 hartree/e are left out; measured
/// against libcint below 1e-9 hartree/e. Both bodies sum in double precision. At a nucleus the potential is infinite.
class DensityPotential {
 public:
  /// @param weights  of the orbitals, as for DensityEvaluator: occupations
  /// @param charges  of the nuclei, less effective cores, one a centre; empty for the electrons alone
  DensityPotential(const Orbitals& orbitals, std::span<const double> weights, std::span<const double> charges,
                   Job& job);

  /// At points (bohr), on all threads or on a CUDA device. `field` is as long as `points`, or empty where it is not
  /// wanted.
  void at(std::span<const glm::dvec3> points, std::span<double> potential, std::span<glm::dvec3> field, Job& job,
          Device device = Device::cpu()) const;
  /// `factor` times the potential, or times the length of the field, on a grid (angstrom), x fastest, on the device of
  /// `values`. Values above 1e30 become 1e30.
  void on_grid(const Grid& grid, bool field, double factor, Span<float> values, Job& job) const;
  /// At most `batch` points on this thread.
  static constexpr std::size_t batch = 16;
  void evaluate(std::span<const glm::dvec3> points, std::span<double> potential, std::span<glm::dvec3> field) const;

  const HermiteDensity& density() const { return density_; }
  const std::vector<glm::dvec3>& centres() const { return centres_; }  ///< bohr
  const std::vector<double>& charges() const { return charges_; }      ///< of the nuclei, e
  std::size_t sources() const { return density_.sources.size(); }
  std::size_t memory() const { return density_.memory(); }

 private:
  HermiteDensity density_;
  std::vector<glm::dvec3> centres_;
  std::vector<double> charges_;
};

}  // namespace isolume
