// The bodies of particle-mesh Ewald, one per kind of device; only the dispatcher and the bodies include this.
#pragma once

#include <memory>
#include <span>

#include "compute/electrostatics/energy/electrostatics.h"
#include "compute/electrostatics/ewald/spme.h"

namespace isolume {

/// `options` complete; `pairs`: with the sum over pairs, self energies and corrections, not the mesh alone.
std::unique_ptr<Electrostatics> spme_cpu(ElectrostaticProblem problem, const SpmeOptions& options, bool pairs);
std::unique_ptr<Electrostatics> spme_cuda(ElectrostaticProblem problem, const SpmeOptions& options, bool pairs,
                                          Device device);

/// A mesh that is done, and what the sum over pairs takes.
class SpmeMapBody {
 public:
  virtual ~SpmeMapBody() = default;
  /// As many other charges and another cell for the same options, as if it were newly made.
  virtual void renew(std::span<const glm::vec3> positions, std::span<const float> charges, const Cell& cell,
                     Job& job) = 0;
  /// On the device that the mesh is on.
  virtual void map(const Grid& grid, Span<float> potential, Job& job) = 0;
};
std::unique_ptr<SpmeMapBody> spme_map_body_cuda(std::span<const glm::vec3> positions, std::span<const float> charges,
                                                const Cell& cell, const SpmeOptions& options, SpmeMap map,
                                                Device device, Job& job);

}  // namespace isolume
