// The density of orbitals with its gradient, Hessian and kinetic-energy density at points.
#pragma once

#include <array>
#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <vector>

#include "compute/base/device.h"
#include "compute/base/job.h"
#include "molecule/quantum/orbitals.h"

namespace isolume {

/// What one point has. Atomic units: bohr^-3 and its derivatives by bohr, hartree bohr^-3.
struct DensityDerivatives {
  double density = 0;               ///< sum_i w_i psi_i^2
  glm::dvec3 gradient{0};           ///< d/dx, d/dy, d/dz
  std::array<double, 6> hessian{};  ///< xx, xy, xz, yy, yz, zz
  double tau = 0;                   ///< sum_i w_i |grad psi_i|^2 / 2, the positive kinetic-energy density

  double laplacian() const { return hessian[0] + hessian[3] + hessian[5]; }
  DensityDerivatives& operator+=(const DensityDerivatives& other);
};

/// How much is computed; the rest stays 0.
enum class DensityOrder {
  value,     ///< density
  gradient,  ///< and gradient and tau
  hessian,   ///< and Hessian
};

struct DensityFunctions;

/// The density and its derivatives y, z, yz, x, xy, xz, xyz at one point (bohr): from these, grids are interpolated.
using MixedDensity = std::array<double, 8>;

/// sum_i w_i |psi_i|^2 and its derivatives for one set of orbitals and weights, ready to be evaluated; any thread may.
/// Shells s to i, Cartesian or spherical, any weights.
///
/// Accuracy: double precision; functions are left out where they are below 1e-13 of their norm. At points near a
/// nucleus and far from it the relative error of every quantity is below 1e-10 (tested against reference()).
/// Method: per batch of points the functions and their first derivatives, orbitals and their gradients as matrix
/// products; of the Hessian sum_i w_i psi_i d2 psi_i as a product of the functions' second derivatives with the
/// back-transformed orbitals.
class DensityEvaluator {
 public:
  /// Throws Error (usage) for another number of weights than orbitals, (failed) for a basis that does not fit together.
  DensityEvaluator(const Orbitals& orbitals, std::span<const double> weights);
  ~DensityEvaluator();
  DensityEvaluator(DensityEvaluator&&) noexcept;

  static constexpr std::size_t batch = 64;  ///< points that are computed at once; nearby ones share their screening

  /// At most `batch` points (bohr), on this thread.
  void evaluate(std::span<const glm::dvec3> points, DensityOrder order, std::span<DensityDerivatives> values) const;
  /// The same of mixed derivatives.
  void mixed(std::span<const glm::dvec3> points, std::span<MixedDensity> values) const;
  /// Any number of points (bohr), on all threads or on a CUDA device.
  std::vector<DensityDerivatives> at(std::span<const glm::dvec3> points, DensityOrder order, Job& job,
                                     Device device = Device::cpu()) const;
  /// The same straight from the formula, one thread, nothing left out: the reference of the tests.
  std::vector<DensityDerivatives> reference(std::span<const glm::dvec3> points) const;
  /// Bytes of the functions and coefficients, and of one thread's batch.
  std::size_t memory() const;
  /// What the bodies read.
  const DensityFunctions& functions() const { return *functions_; }

 private:
  std::unique_ptr<DensityFunctions> functions_;
};

/// The evaluators of both spins: of closed shells one, whose halves are the spins.
class SpinEvaluator {
 public:
  /// By the orbitals' occupations; `unpaired` false takes all for closed shells (the total is the same).
  explicit SpinEvaluator(const Orbitals& orbitals, bool unpaired = true);

  /// Alpha and beta at most DensityEvaluator::batch points (bohr).
  void evaluate(std::span<const glm::dvec3> points, DensityOrder order, std::span<DensityDerivatives> alpha,
                std::span<DensityDerivatives> beta) const;
  /// The same for any number of points, on all threads or on a CUDA device.
  void at(std::span<const glm::dvec3> points, DensityOrder order, std::span<DensityDerivatives> alpha,
          std::span<DensityDerivatives> beta, Job& job, Device device = Device::cpu()) const;
  /// The same straight from the formula, one thread; any number of points.
  void reference(std::span<const glm::dvec3> points, std::span<DensityDerivatives> alpha,
                 std::span<DensityDerivatives> beta) const;
  /// Mixed derivatives of a set of functions() at most DensityEvaluator::batch points (bohr).
  void mixed(std::size_t set, std::span<const glm::dvec3> points, std::span<MixedDensity> values) const {
    evaluators_[set].mixed(points, values);
  }
  bool closed() const { return evaluators_.size() == 1; }
  std::size_t memory() const;
  /// One set of functions of a closed shell, else those of alpha and of beta.
  std::vector<const DensityFunctions*> functions() const;

 private:
  std::vector<DensityEvaluator> evaluators_;
};

}  // namespace isolume
