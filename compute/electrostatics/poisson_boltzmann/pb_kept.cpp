// A solution of the Poisson-Boltzmann equation in host memory, and its slopes.
#include "compute/electrostatics/poisson_boltzmann/pb_kept.h"

#include "compute/electrostatics/poisson_boltzmann/pb_slope_fit.h"
#include "compute/electrostatics/poisson_boltzmann/pb_stage.h"

namespace isolume {

PbKept::PbKept(PoissonBoltzmannStart& start) : origin(start.origin), step(start.step), counts(start.counts) {
  solution = start.device_solution.size() > 0 ? start.device_solution.copy_to_host() : std::move(start.solution);
  inside = start.device_inside.size() > 0 ? start.device_inside.copy_to_host() : std::move(start.inside);
}

PbNodes PbKept::nodes() const {
  PbBox box;
  box.origin = origin;
  box.step = step;
  box.counts = counts;
  return pb_nodes(box);
}

glm::dvec3 PbKept::fitted_slope(glm::dvec3 where, bool within) const {
  glm::dvec3 slope;
  pb_slope_fit(nodes(), solution.data(), inside.data(), &where.x, within, &slope.x);
  return slope;
}

glm::dvec3 PbKept::slope(glm::ivec3 place) const {
  glm::dvec3 slope;
  pb_slope(nodes(), solution.data(), inside.data(), &place.x, &slope.x);
  return slope;
}

}  // namespace isolume
