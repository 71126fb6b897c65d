// Forces of a density map: checks and the choice of the body.
#include "compute/density_maps/map_forces.h"

#include <fmt/core.h>

#include "compute/base/memory.h"
#include "molecule/base/error.h"

namespace isolume {

MapForces::MapForces(std::shared_ptr<const MapPotential> potential, std::vector<double> weights, Device device)
    : potential_(std::move(potential)), weights_(std::move(weights)) {
  if (!device.is_cuda()) return;
  require_memory(memory(potential_->spline().grid(), weights_.size()), device, "map potential");
  cuda_ = map_forces_cuda(*potential_, weights_, device);
}

MapForces::~MapForces() = default;

double MapForces::add(Span<const glm::dvec3> positions, Span<glm::dvec3> forces, Stream& stream, Job& job) const {
  if (positions.size != weights_.size() || forces.size != weights_.size())
    throw Error(fmt::format("map potential: {} positions, {} weights and {} forces", positions.size, weights_.size(),
                            forces.size),
                Error::Kind::usage);
  job.check();
  if (cuda_) return cuda_->add(positions.data, forces.data, stream);
  return potential_->add_forces({positions.data, positions.size}, weights_, {forces.data, forces.size}, job);
}

}  // namespace isolume
