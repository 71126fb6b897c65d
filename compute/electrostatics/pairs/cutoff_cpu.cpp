// Cutoff summation on the CPU.
#include "compute/base/job_part.h"
#include "compute/electrostatics/pairs/cutoff_bodies.h"
#include "compute/electrostatics/pairs/near_sum_cpu.h"

namespace isolume {

void cutoff_potential_cpu(std::span<const PointCharge> charges, const Grid& grid, const CutoffOptions& options,
                          Span<float> potential, Job& job) {
  const PairFunction function = PairFunction::cutoff_sum(options);
  const RowFrame frame(grid);
  const ChargeBins bins = bin_charges(charges, grid, frame, options.cutoff, std::min(4.0, options.cutoff),
                                      function.scale, {}, JobPart(job, 0, 0.05));
  near_sum_cpu(bins, grid, frame, function, 0, grid.counts.z, potential, nullptr, JobPart(job, 0.05, 1), "cutoff sum");
}

}  // namespace isolume
