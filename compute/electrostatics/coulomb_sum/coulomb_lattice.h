// The lattices of a Coulomb sum, and its bodies; only the dispatcher, the bodies and kernels that read lattices include
// this.
#pragma once

#include <memory>
#include <span>

#include "compute/electrostatics/coulomb_sum/coulomb_sum.h"
#include "compute/electrostatics/msm/msm_bodies.h"
#include "compute/electrostatics/msm/msm_plan.h"

namespace isolume {

/// Where the lattices are, and how they are made.
struct CoulombLatticePlan {
  static constexpr int degree = 5, taps = degree + 1, below = (degree - 1) / 2, smoothing = 4;
  static constexpr double ratio = 8;    ///< cutoff over spacing
  static constexpr double least = 1.5;  ///< spacing, angstrom
  static constexpr double nodes = 8;    ///< most nodes for a charge

  /// Of so many charges. The box is that of charges and points, on multiples of some angstrom: small moves change
  /// nothing.
  CoulombLatticePlan(std::size_t charges, glm::dvec3 lower, glm::dvec3 upper);
  bool holds(glm::dvec3 lower, glm::dvec3 upper) const;

  Grid box;  ///< two points along each axis: its corners
  MsmOptions options;
  double side() const { return options.cutoff / 3; }  ///< of the cells that charges are sorted into
};

/// Weights of a point among the taps along an axis: [tap][power of t].
struct CoulombTaps {
  float weight[CoulombLatticePlan::taps][CoulombLatticePlan::taps];
  explicit CoulombTaps(const MsmBasis& basis);
};

/// A Coulomb sum's lattices, done, and its charges sorted into cells.
class CoulombLattice {
 public:
  explicit CoulombLattice(const CoulombLatticePlan& plan) : plan_(plan) {}
  virtual ~CoulombLattice() = default;
  CoulombLattice(const CoulombLattice&) = delete;
  CoulombLattice& operator=(const CoulombLattice&) = delete;
  bool holds(glm::dvec3 lower, glm::dvec3 upper) const { return plan_.holds(lower, upper); }
  /// All points are within the box.
  virtual void at(std::span<const glm::dvec3> points, std::span<double> potential, std::span<glm::dvec3> gradients,
                  Job& job) = 0;

 protected:
  const CoulombLatticePlan plan_;
};

/// `charges` must live as long as what is returned.
std::unique_ptr<CoulombLattice> coulomb_lattice_cpu(std::span<const PointCharge> charges,
                                                    const CoulombLatticePlan& plan, Job& job);
std::unique_ptr<CoulombLattice> coulomb_lattice_cuda(std::span<const PointCharge> charges,
                                                     const CoulombLatticePlan& plan, Device device, Job& job);

/// The sum over all pairs, totals in double precision from short runs of single.
void coulomb_direct_cpu(std::span<const PointCharge> charges, std::span<const glm::dvec3> points,
                        std::span<double> potential, std::span<glm::dvec3> gradients, Job& job);
void coulomb_direct_cuda(std::span<const PointCharge> charges, std::span<const glm::dvec3> points,
                         std::span<double> potential, std::span<glm::dvec3> gradients, Device device, Job& job);
/// The mean of the charges' places: coordinates relative to it keep more digits.
glm::dvec3 coulomb_middle(std::span<const PointCharge> charges);

}  // namespace isolume
