// Maps of a Poisson-Boltzmann solution that is in the memory of a CUDA device.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann.h"

namespace isolume {

/// Nodes of a solution, `first` in its box: of `counts`, each the next along the axes.
struct PbNodesOf {
  const PoissonBoltzmannStart& solution;
  glm::ivec3 first{0}, counts{0};
};

/// The reaction potential and the three components of the field at nodes, V and V/angstrom, in host memory; either may
/// be empty. `charges` are those whose Coulomb potential is the solute's.
void pb_fields_cuda(const PbNodesOf& nodes, std::span<const ChargedSphere> charges,
                    const PoissonBoltzmannOptions& options, std::span<float> reaction,
                    const std::array<std::span<float>, 3>& field, Job& job);

/// The charge of the ions at nodes, e/angstrom^3; not where there is a membrane.
std::vector<float> pb_ion_charge_cuda(const PbNodesOf& nodes, std::span<const ChargedSphere> atoms,
                                      const PoissonBoltzmannOptions& options, Job& job);

/// By how much the slopes of two solutions differ, kT/(e angstrom): at nodes of the one and at those of the other with
/// half the steps, which begin at twice the place.
std::vector<double> pb_slopes_apart_cuda(const PbNodesOf& coarse, const PoissonBoltzmannStart& fine);

}  // namespace isolume
