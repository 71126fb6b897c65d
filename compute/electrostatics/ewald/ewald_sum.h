// Ewald's sum of many charges at many points, in double precision: the structure factors are summed once.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "compute/base/job.h"
#include "compute/electrostatics/direct/direct.h"
#include "molecule/cell.h"

namespace isolume {

/// The potential of charges that repeat along all three vectors of a cell, with a neutralising background and zero
/// mean: what ewald_potential_reference() says for three axes, to about 1e-9 of its RMS, in a time that allows
/// thousands of points of a hundred thousand charges:
///
///     V(r) = C { sum_j q_j erfc(alpha d_j)/d_j  +  4 pi/V sum_(k != 0) exp(-k^2/4 alpha^2)/k^2 Re[S(k) exp(ikr)]
///                - pi/(alpha^2 V) sum_j q_j },    S(k) = sum_j q_j exp(-ik r_j)
///
/// alpha balances the two sums for the number of charges and points. A charge within 1e-4 angstrom of a point (modulo
/// the cell) is left out there, its images stay.
class EwaldSum {
 public:
  /// Sums the structure factors. `points` is how many are expected. Throws Error (usage) for a cell without volume.
  EwaldSum(std::span<const PointCharge> charges, const Cell& cell, std::size_t points, Job& job);
  ~EwaldSum();
  EwaldSum(EwaldSum&&) noexcept;
  EwaldSum& operator=(EwaldSum&&) noexcept;

  /// Volts at points. May be called from several threads at once.
  void operator()(std::span<const glm::dvec3> points, std::span<double> potential) const;

 private:
  struct Sums;
  std::unique_ptr<Sums> sums_;
};

}  // namespace isolume
