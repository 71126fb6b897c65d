// The CUDA bodies of dynamics in a build without CUDA.
#include "compute/dynamics/dynamics_bodies.h"
#include "molecule/base/error.h"

namespace isolume {

std::unique_ptr<MolecularForces> molecular_forces_cuda(std::shared_ptr<const ForceField>,
                                                       std::unique_ptr<Electrostatics>, const Cell&,
                                                       const LennardJonesOptions&) {
  throw Error("this build has no CUDA");
}

void add_scaled_cuda(double, Span<const glm::dvec3>, Span<glm::dvec3>, Stream&) {
  throw Error("this build has no CUDA");
}

void integrate_before_cuda(const IntegratorStep&, Span<const double>, Span<const glm::dvec3>, Span<glm::dvec3>,
                           Span<glm::dvec3>, Stream&) {
  throw Error("this build has no CUDA");
}

void integrate_after_cuda(const IntegratorStep&, Span<const double>, Span<const glm::dvec3>, Span<glm::dvec3>,
                          Stream&) {
  throw Error("this build has no CUDA");
}

}  // namespace isolume
