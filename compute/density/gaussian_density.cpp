// Gaussian density of atoms: checks, and the choice of the body.
#include "compute/density/gaussian_density.h"

#include <algorithm>
#include <limits>

#include "compute/backends.h"
#include "compute/checks.h"
#include "compute/memory.h"

namespace isolume {

namespace {

void check(std::span<const DensityAtom> atoms, const GaussianDensityOptions& options) {
  if (!(options.radius_scale > 0) || !(options.cutoff_sigmas > 0) || !std::isfinite(options.radius_scale) ||
      !std::isfinite(options.cutoff_sigmas)) {
    throw Error(fmt::format("electron density: radius scale {} and cutoff {} sigmas must be positive",
                            options.radius_scale, options.cutoff_sigmas),
                Error::Kind::usage);
  }
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const DensityAtom& a = atoms[i];
    if (a.radius > 0 && std::isfinite(a.radius + a.position.x + a.position.y + a.position.z)) continue;
    throw Error(fmt::format("atom {}: a radius above 0 and finite coordinates are needed, not {} at ({}, {}, {})",
                            i + 1, a.radius, a.position.x, a.position.y, a.position.z),
                Error::Kind::usage);
  }
}

}  // namespace

void gaussian_density(std::span<const DensityAtom> atoms, const Grid& grid, const GaussianDensityOptions& options,
                      Span<float> density, Span<glm::vec3> colours, Job& job) {
  check_grid(grid, "surface density");
  if (!grid.axis_aligned()) throw Error("surface density: the grid must lie along x, y and z", Error::Kind::usage);
  check_values(grid, density, "surface density");
  if (!colours.empty()) check_values(grid, colours, "surface colours");
  check_same_device(density, colours, "surface density");
  check(atoms, options);
  require_memory(gaussian_density_memory(atoms.size(), grid, density.device), density.device, "surface density");
  job.check();
  if (density.empty()) return;
  if (density.device.is_cuda()) {
    gaussian_density_cuda(atoms, grid, options, density, colours, job);
  } else {
    gaussian_density_cpu(atoms, grid, options, density, colours, job);
  }
}

Grid gaussian_density_grid(std::span<const DensityAtom> atoms, const GaussianDensityOptions& options, double spacing) {
  if (atoms.empty()) return Grid::covering(glm::dvec3(0), glm::dvec3(0), spacing);
  check(atoms, options);
  glm::dvec3 lower(std::numeric_limits<double>::max());
  glm::dvec3 upper(std::numeric_limits<double>::lowest());
  for (const DensityAtom& atom : atoms) {
    // One spacing beyond the cutoff every value is 0, so that any surface is closed.
    const double reach = double{options.cutoff_sigmas} * double{options.radius_scale} * double{atom.radius} + spacing;
    lower = glm::min(lower, glm::dvec3(atom.position) - reach);
    upper = glm::max(upper, glm::dvec3(atom.position) + reach);
  }
  return Grid::covering(lower, upper, spacing);
}

std::size_t gaussian_density_memory(std::size_t atoms, const Grid& grid, Device device) {
  if (device.is_cuda()) {
    // Atoms twice (as given, as sorted), keys and indices twice with the sort's own workspace, cell starts.
    return atoms * (2 * 32 + 4 * sizeof(std::uint32_t)) + atoms * 16 + (std::size_t{1} << 20) +
           4 * sizeof(std::uint32_t) * std::min<std::size_t>(4 * atoms + 64, std::size_t{1} << 24);
  }
  // Ranges of tiles, and the lists of a tile's atoms, with 4 angstrom as the usual cutoff; 16 counters a tile.
  double copies = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const double side = (axis == 0 ? 32 : 16) * std::abs(grid.step[axis][axis]);
    if (side > 0) copies *= 1 + 8 / side;
  }
  return atoms * 24 + static_cast<std::size_t>(std::min(copies * static_cast<double>(atoms) * 4, 1e18)) +
         grid.size() / 8192 * 17 * sizeof(std::size_t);
}

}  // namespace isolume
