// Coulomb's potential at many points of many charges, wherever the points are.
#pragma once

#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <vector>

#include "compute/base/device.h"
#include "compute/base/job.h"
#include "compute/electrostatics/charges/point_charge.h"

namespace isolume {

class CoulombLattice;

/// V(r) = sum_j q_j / |r - r_j| (e/angstrom) and its gradient (e/angstrom^2) at points. A charge within 1e-4 angstrom
/// of a point is left out there.
///
/// Few pairs are summed one by one. Many are summed in two parts, as in multilevel summation (Hardy, Wolff, Xia,
/// Schulten, Skeel, J. Chem. Phys. 144, 114112 (2016), doi:10.1063/1.4943868): a short-ranged one over the charges
/// within a cutoff of a point, and a smooth one that is interpolated by B-splines of degree 5 from lattices, which are
/// summed once for all points. The cutoff is eight spacings. Which of both it is depends on the numbers of charges and
/// points alone (coulomb_sum_by_lattices()).
///
/// Accuracy, of the RMS at places next to the charges: one by one 1e-6 of the potential and 1e-5 of the gradient, by
/// lattices 2e-5 of both.
class CoulombSum {
 public:
  /// @param charges       copied
  /// @param lower, upper  corners of a box that most points will be in: lattices then serve several calls
  CoulombSum(std::vector<PointCharge> charges, glm::dvec3 lower, glm::dvec3 upper, Device device);
  ~CoulombSum();
  CoulombSum(const CoulombSum&) = delete;
  CoulombSum& operator=(const CoulombSum&) = delete;

  /// @param points     host memory
  /// @param potential  one value for each point, host memory
  /// @param gradients  likewise, or empty
  /// Throws Error (usage) where the numbers differ, Error (cancelled), and Error where the memory does not suffice.
  void at(std::span<const glm::dvec3> points, std::span<double> potential, std::span<glm::dvec3> gradients, Job& job);

  std::span<const PointCharge> charges() const { return charges_; }
  /// Points will be in this box too.
  void expect(glm::dvec3 lower, glm::dvec3 upper);
  /// The lattices, made when first asked for and again where they do not hold the box.
  CoulombLattice& lattices(glm::dvec3 lower, glm::dvec3 upper, Job& job);

 private:
  std::vector<PointCharge> charges_;
  glm::dvec3 lower_, upper_;
  Device device_;
  std::unique_ptr<CoulombLattice> lattice_;
};

/// Whether so many are summed by lattices.
bool coulomb_sum_by_lattices(std::size_t charges, std::size_t points);
/// Whether so many charges may be: for a prediction of memory.
bool coulomb_sum_may_have_lattices(std::size_t charges);

/// Bytes of lattices on a device: those that stay, and the most while they are made.
struct CoulombSumMemory {
  std::size_t kept = 0, most = 0;
};
/// The charges are in [lower, upper] too.
CoulombSumMemory coulomb_sum_memory(std::size_t charges, glm::dvec3 lower, glm::dvec3 upper, Device device);

/// The same in plain double precision, with one loop; for tests.
void coulomb_sum_reference(std::span<const PointCharge> charges, std::span<const glm::dvec3> points,
                           std::span<double> potential, std::span<glm::dvec3> gradients);

}  // namespace isolume
