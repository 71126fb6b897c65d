// The bodies of energies and forces, one per kind of device; only the dispatchers and the bodies include this.
#pragma once

#include <memory>

#include "compute/electrostatics/energy/electrostatics.h"

namespace isolume {

std::unique_ptr<Electrostatics> direct_electrostatics_cuda(ElectrostaticProblem problem, Device device);

}  // namespace isolume
