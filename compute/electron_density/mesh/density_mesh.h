// The potential of a quantum density on a whole grid, by tables about its nuclei and a mesh.
#pragma once

#include <memory>

#include "compute/base/span.h"
#include "compute/electron_density/mesh/density_mesh_plan.h"

namespace isolume {

class DensityMeshBody;

/// V(r) as DensityPotential has it, with errors of about plan.accuracy.
///
/// Method: the Hermite Gaussians of the density and the nuclei are each replaced by Gaussians of the plan's exponent
/// with the same moments where they are sharper. The potential of what is left is convolved on a mesh, in free space by
/// a mesh of twice the size, and read by splines. The difference, which ends where erfc(sqrt(exponent) r) does, is
/// exact but for tables about the nuclei and the middles of overlaps.
class DensityPotentialMesh {
 public:
  /// Takes plan.memory(device) bytes at most, on the CPU's threads or on a CUDA device. Throws Error.
  DensityPotentialMesh(const HermiteDensity& density, DensityMeshPlan plan, Job& job, Device device = Device::cpu());
  ~DensityPotentialMesh();
  DensityPotentialMesh(DensityPotentialMesh&&) noexcept;
  DensityPotentialMesh& operator=(DensityPotentialMesh&&) noexcept;

  /// `factor` times the potential on a grid (angstrom) that is within that of the plan, x fastest, in memory of the
  /// mesh's device. Values above 1e30 become 1e30.
  void on_grid(const Grid& grid, double factor, Span<float> values, Job& job) const;

  const DensityMeshPlan& plan() const { return *plan_; }
  Device device() const { return device_; }

 private:
  std::unique_ptr<DensityMeshPlan> plan_;  ///< which the body refers to
  Device device_;
  std::unique_ptr<DensityMeshBody> body_;
};

}  // namespace isolume
