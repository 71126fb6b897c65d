// The bodies of hierarchical charge partitioning; only its dispatcher and the bodies include this.
#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "compute/electrostatics/energy/electrostatics.h"
#include "compute/electrostatics/hcp/hcp_components.h"

namespace isolume {

/// Where the potential is wanted: on a grid, at points, or (neither) on the atoms.
struct HcpTargets {
  const Grid* grid = nullptr;
  std::span<const glm::vec3> points;
};

void hcp_cpu(std::span<const PointCharge> charges, const std::vector<HcpLevel>& levels, const HcpTargets& targets,
             const HcpOptions& options, Span<float> potential, Job& job);
/// Without `potential` the last of the four values need not be set.
void hcp_cpu(std::span<const PointCharge> charges, const std::vector<HcpLevel>& levels, const HcpTargets& targets,
             const HcpOptions& options, bool potential, Span<glm::vec4> values, Job& job);
/// `charges` may be on the host or on the device of the result.
void hcp_cuda(Span<const PointCharge> charges, const std::vector<HcpLevel>& levels, const HcpTargets& targets,
              const HcpOptions& options, Span<float> potential, Job& job);
void hcp_cuda(Span<const PointCharge> charges, const std::vector<HcpLevel>& levels, const HcpTargets& targets,
              const HcpOptions& options, Span<glm::vec4> values, Job& job);

std::unique_ptr<Electrostatics> hcp_electrostatics_cuda(ElectrostaticProblem problem, HcpHierarchy hierarchy,
                                                        const HcpOptions& options, Device device);
/// "1 charge each for 30700 groups beyond 15 angstrom; dielectric 1", for reports.
std::string describe_hcp(const HcpHierarchy& hierarchy, const HcpOptions& options);

/// The neighbouring points that one tile of targets holds, along x, y and z of a grid.
inline constexpr int hcp_tile_x = 4, hcp_tile_y = 4, hcp_tile_z = 2;
inline constexpr int hcp_tile = hcp_tile_x * hcp_tile_y * hcp_tile_z;

}  // namespace isolume
