// What the bodies of the molecular surface share.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "compute/molecular_surface/molecular_surface.h"
#include "compute/molecular_surface/sphere_cells.h"

namespace isolume {

/// Sizes that follow from grid and options.
struct SurfacePlan {
  double probe = 0;          ///< of the excluded surface; 0 for the accessible one
  double reach = 0;          ///< how far from the surface the depth is a distance
  double largest = 0;        ///< radius of the largest ball
  double arc_spacing = 0.1;  ///< of samples on the arcs
};

/// The balls of the accessible surface.
inline std::vector<Ball> expanded_balls(std::span<const DensityAtom> atoms, const MolecularSurfaceOptions& options) {
  std::vector<Ball> balls;
  balls.reserve(atoms.size());
  for (const DensityAtom& atom : atoms)
    balls.push_back({atom.position.x, atom.position.y, atom.position.z, atom.radius + options.probe_radius});
  return balls;
}

/// `step` is the largest of the grid.
inline SurfacePlan surface_plan(std::span<const Ball> balls, double step, const MolecularSurfaceOptions& options) {
  SurfacePlan plan;
  plan.probe = options.kind == SolventSurface::excluded ? double{options.probe_radius} : 0;
  plan.reach = 2 * step;
  for (const Ball& ball : balls) plan.largest = std::max(plan.largest, double{ball.radius});
  // A sample is at most s/2 from the nearest point of its arc, which makes the distance d too large by (s/2)^2 / (2 d)
  // at most; at d = probe that is to be 0.01 of a step.
  plan.arc_spacing = 2 * std::sqrt(0.02 * step * std::max(plan.probe, 0.1 * step));
  return plan;
}
inline SurfacePlan surface_plan(std::span<const Ball> balls, const Grid& grid, const MolecularSurfaceOptions& options) {
  return surface_plan(balls, molecular_surface_reach(grid) / 2, options);
}

void molecular_surface_cpu(std::span<const DensityAtom> atoms, const Grid& grid, const MolecularSurfaceOptions& options,
                           Span<float> depth, Span<glm::vec3> colours, Job& job);
void molecular_surface_cuda(std::span<const DensityAtom> atoms, const Grid& grid,
                            const MolecularSurfaceOptions& options, Span<float> depth, Span<glm::vec3> colours,
                            Job& job);

}  // namespace isolume
