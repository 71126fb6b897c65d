// The volume within a solvent-accessible surface.
#pragma once

#include <span>

#include "compute/molecular_surface/molecular_surface.h"

namespace isolume {

/// Angstrom^3 within the balls of radius + probe, by the nodes of an axis-aligned grid that holds them: a node near the
/// surface counts by its depth below it, over a step. On the CPU.
double accessible_volume(std::span<const DensityAtom> atoms, double probe_radius, const Grid& nodes, Job& job);

}  // namespace isolume
