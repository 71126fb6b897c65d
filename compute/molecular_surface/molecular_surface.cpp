// Molecular surfaces: checks, and the choice of the body.
#include "compute/molecular_surface/molecular_surface.h"

#include <limits>

#include "compute/base/checks.h"
#include "compute/base/memory.h"
#include "compute/molecular_surface/molecular_surface_body.h"

namespace isolume {
namespace {

void check(std::span<const DensityAtom> atoms, const MolecularSurfaceOptions& options) {
  if (!(options.probe_radius >= 0) || !std::isfinite(options.probe_radius))
    throw Error(fmt::format("molecular surface: a probe radius of 0 or more is needed, not {}", options.probe_radius),
                Error::Kind::usage);
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const DensityAtom& a = atoms[i];
    if (a.radius > 0 && std::isfinite(a.radius + a.position.x + a.position.y + a.position.z)) continue;
    throw Error(fmt::format("atom {}: a radius above 0 and finite coordinates are needed, not {} at ({}, {}, {})",
                            i + 1, a.radius, a.position.x, a.position.y, a.position.z),
                Error::Kind::usage);
  }
}

}  // namespace

void molecular_surface(std::span<const DensityAtom> atoms, const Grid& grid, const MolecularSurfaceOptions& options,
                       Span<float> depth, Span<glm::vec3> colours, Job& job) {
  check_grid(grid, "molecular surface");
  if (!grid.axis_aligned()) throw Error("molecular surface: the grid must lie along x, y and z", Error::Kind::usage);
  check_values(grid, depth, "molecular surface");
  if (!colours.empty()) check_values(grid, colours, "surface colours");
  check_same_device(depth, colours, "molecular surface");
  check(atoms, options);
  require_memory(molecular_surface_memory(atoms.size(), grid, options, depth.device), depth.device,
                 "molecular surface");
  job.check();
  if (depth.empty()) return;
  if (depth.device.is_cuda()) {
    molecular_surface_cuda(atoms, grid, options, depth, colours, job);
  } else {
    molecular_surface_cpu(atoms, grid, options, depth, colours, job);
  }
}

double molecular_surface_reach(const Grid& grid) {
  double step = 0;
  for (int axis = 0; axis < 3; ++axis) step = std::max(step, glm::length(grid.step[axis]));
  return 2 * step;
}

Grid molecular_surface_grid(std::span<const DensityAtom> atoms, const MolecularSurfaceOptions& options,
                            double spacing) {
  if (atoms.empty()) return Grid::covering(glm::dvec3(0), glm::dvec3(0), spacing);
  check(atoms, options);
  const double more = (options.kind == SolventSurface::accessible ? double{options.probe_radius} : 0) + 2 * spacing;
  glm::dvec3 lower(std::numeric_limits<double>::max());
  glm::dvec3 upper(std::numeric_limits<double>::lowest());
  for (const DensityAtom& atom : atoms) {
    const double reach = double{atom.radius} + more;
    lower = glm::min(lower, glm::dvec3(atom.position) - reach);
    upper = glm::max(upper, glm::dvec3(atom.position) + reach);
  }
  return Grid::covering(lower, upper, spacing);
}

std::size_t molecular_surface_memory(std::size_t atoms, const Grid& grid, const MolecularSurfaceOptions& options,
                                     Device device) {
  std::size_t bytes = atoms * 64 + (std::size_t{1} << 20);
  if (options.kind == SolventSurface::excluded) {
    // Samples of the arcs: about 40 angstrom of exposed arcs an atom in the worst case of loose packing.
    SurfacePlan plan = surface_plan({}, grid, options);
    const double samples = 40 / plan.arc_spacing + 1;
    bytes += atoms * static_cast<std::size_t>(samples * (device.is_cuda() ? 48 : 36));
  }
  return bytes;
}

}  // namespace isolume
