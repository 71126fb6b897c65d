// The bodies of dynamics, one per kind of device; only the dispatchers and the bodies include this.
#pragma once

#include <memory>

#include "compute/dynamics/integrator.h"
#include "compute/dynamics/molecular_forces.h"

namespace isolume {

std::unique_ptr<MolecularForces> molecular_forces_cpu(std::shared_ptr<const ForceField> field,
                                                      std::unique_ptr<Electrostatics> electrostatics, const Cell& cell,
                                                      const LennardJonesOptions& options);
std::unique_ptr<MolecularForces> molecular_forces_cuda(std::shared_ptr<const ForceField> field,
                                                       std::unique_ptr<Electrostatics> electrostatics, const Cell& cell,
                                                       const LennardJonesOptions& options);

void integrate_before_cuda(const IntegratorStep& step, Span<const double> masses, Span<const glm::dvec3> forces,
                           Span<glm::dvec3> positions, Span<glm::dvec3> velocities, Stream& stream);
void add_scaled_cuda(double weight, Span<const glm::dvec3> forces, Span<glm::dvec3> to, Stream& stream);
void integrate_after_cuda(const IntegratorStep& step, Span<const double> masses, Span<const glm::dvec3> forces,
                          Span<glm::dvec3> velocities, Stream& stream);

}  // namespace isolume
