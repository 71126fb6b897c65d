// The bodies of the direct sum, and of hierarchical charge partitioning, split by groups of charges.
#pragma once

#include <span>

#include "compute/base/job.h"
#include "compute/over_time/group_potential.h"

namespace isolume {

/// Charges nearer to a point than this are left out there; angstrom.
inline constexpr double group_nearest = 1e-4;

/// shares[point * groups + g] of the direct sum, `scale` being the potential of 1 e at 1 angstrom in volts; likewise
/// gradients of the fields where there is room for them.
void group_potentials_cpu(std::span<const ChargedSphere> charges, const ChargeGroups& groups, double scale,
                          std::span<const glm::dvec3> points, std::span<GroupShare> shares,
                          std::span<FieldGradient> gradients, Job& job);
void group_potentials_cuda(std::span<const ChargedSphere> charges, const ChargeGroups& groups, double scale,
                           std::span<const glm::dvec3> points, std::span<GroupShare> shares, Device device, Job& job);
/// Of hierarchical charge partitioning: what stands for a component at a point is the sum of its atoms' charges, and
/// each group's share is that of its atoms. They add up to hcp_reference().
void group_potentials_hcp(std::span<const ChargedSphere> charges, const ChargeGroups& groups, const HcpMethod& method,
                          std::span<const glm::dvec3> points, std::span<GroupShare> shares, Job& job);

}  // namespace isolume
