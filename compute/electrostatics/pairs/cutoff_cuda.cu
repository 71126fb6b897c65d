// Cutoff summation on CUDA.
#include <algorithm>

#include "compute/electrostatics/pairs/cutoff_bodies.h"
#include "compute/electrostatics/pairs/near_sum_cuda.h"

namespace isolume {

void cutoff_potential_cuda(std::span<const PointCharge> charges, const Grid& grid, const CutoffOptions& options,
                           Span<float> potential, Job& job) {
  const PairFunction function = PairFunction::cutoff_sum(options);
  const RowFrame frame(grid);
  Stream stream(potential.device);
  job.check();
  const auto raw = DeviceArray<RawCharge>::from_host(
      {reinterpret_cast<const RawCharge*>(charges.data()), charges.size()}, stream, "cutoff sum: charges");
  const DeviceBins bins =
      bin_charges_cuda(raw, grid, frame, options.cutoff, std::min(options.cutoff, 4.0), function.scale, {}, stream);
  job.check();
  near_sum_cuda(bins, grid, frame, function, {}, potential.data, stream, "cutoff sum");
  stream.synchronize("cutoff sum");
  job.progress(1, "cutoff sum");
}

}  // namespace isolume
