// The potential of a quantum density on a whole grid: which body, and whether the grid is that of the plan.
#include "compute/electron_density/mesh/density_mesh.h"

#include <fmt/core.h>

#include "compute/base/checks.h"
#include "compute/electron_density/mesh/density_mesh_bodies.h"
#include "compute/electron_density/mesh/density_mesh_spline.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {

DensityPotentialMesh::DensityPotentialMesh(const HermiteDensity& density, DensityMeshPlan plan, Job& job, Device device)
    : plan_(std::make_unique<DensityMeshPlan>(std::move(plan))), device_(device) {
  job.check();
  body_ = device.is_cuda() ? density_mesh_cuda(density, *plan_, device, job) : density_mesh_cpu(density, *plan_, job);
}
DensityPotentialMesh::~DensityPotentialMesh() = default;
DensityPotentialMesh::DensityPotentialMesh(DensityPotentialMesh&&) noexcept = default;
DensityPotentialMesh& DensityPotentialMesh::operator=(DensityPotentialMesh&&) noexcept = default;

void DensityPotentialMesh::on_grid(const Grid& grid, double factor, Span<float> values, Job& job) const {
  check_grid(grid, "potential of the density");
  check_values(grid, values, "potential of the density");
  if (!values.empty() && values.device != device_) {
    throw Error(fmt::format("potential of the density: a mesh on {} and values on {}", to_string(device_),
                            to_string(values.device)),
                Error::Kind::usage);
  }
  job.check();
  if (values.empty()) return;
  for (int corner = 0; corner < 8; ++corner) {
    const glm::dvec3 last = glm::dvec3(grid.counts) - 1.0;
    const glm::dvec3 point = grid.point(corner & 1 ? last.x : 0, corner & 2 ? last.y : 0, corner & 4 ? last.z : 0);
    const glm::dvec3 at = (units::angstrom_in_bohr * point - plan_->origin) / plan_->step;
    for (int axis = 0; axis < 3; ++axis) {
      if (at[axis] < spline_order / 2 || at[axis] > plan_->counts[axis] - spline_order / 2 - 1)
        throw Error("potential of the density: the grid is not that of the plan", Error::Kind::usage);
    }
  }
  body_->on_grid(grid, factor, values, job);
}

}  // namespace isolume
