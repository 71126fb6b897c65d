// The bodies of a density's potential by a mesh, one per kind of device; only the dispatcher and the bodies include
// this.
#pragma once

#include <memory>

#include "compute/base/device.h"
#include "compute/base/job.h"
#include "compute/base/span.h"
#include "compute/electron_density/hermite_density.h"
#include "compute/electron_density/mesh/density_mesh_plan.h"
#include "molecule/grid.h"

namespace isolume {

/// Tables and a mesh that are done.
class DensityMeshBody {
 public:
  virtual ~DensityMeshBody() = default;
  /// On a grid that has points and is within that of the plan, in memory of the body's device.
  virtual void on_grid(const Grid& grid, double factor, Span<float> values, Job& job) const = 0;
};

/// The plan gets the sources of its sites, and stays where it is as long as the body.
std::unique_ptr<DensityMeshBody> density_mesh_cpu(const HermiteDensity& density, DensityMeshPlan& plan, Job& job);
std::unique_ptr<DensityMeshBody> density_mesh_cuda(const HermiteDensity& density, DensityMeshPlan& plan, Device device,
                                                   Job& job);

}  // namespace isolume
