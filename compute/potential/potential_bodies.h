// The bodies of the potential methods, one per kind of device; only the dispatchers and the bodies include this.
#pragma once

#include <span>

#include "compute/job.h"
#include "compute/potential/cutoff.h"
#include "compute/potential/debye_hueckel.h"
#include "compute/span.h"

namespace isolume {

struct MsmPlan;

void cutoff_potential_cpu(std::span<const PointCharge> charges, const Grid& grid, const CutoffOptions& options,
                          Span<float> potential, Job& job);
void cutoff_potential_cuda(std::span<const PointCharge> charges, const Grid& grid, const CutoffOptions& options,
                           Span<float> potential, Job& job);

void msm_potential_cpu(std::span<const PointCharge> charges, const Grid& grid, const MsmPlan& plan,
                       Span<float> potential, Job& job);
void msm_potential_cuda(std::span<const PointCharge> charges, const Grid& grid, const MsmPlan& plan,
                        Span<float> potential, Job& job);

/// Potentials on several grids at once, one after the other in `potential`.
void debye_hueckel_cpu(std::span<const ChargedSphere> spheres, std::span<const Grid> grids,
                       const DebyeHueckelOptions& options, Span<float> potential, Job& job);
void debye_hueckel_cuda(std::span<const ChargedSphere> spheres, std::span<const Grid> grids,
                        const DebyeHueckelOptions& options, Span<float> potential, Job& job);

}  // namespace isolume
