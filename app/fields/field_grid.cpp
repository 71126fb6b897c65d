// The grids of fields: with the spacing asked for, or one that suits the size of the molecule.
#include "app/fields/field_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/fields/field_atoms.h"
#include "app/fields/slice_field.h"
#include "compute/base/usual_spacing.h"
#include "compute/density/periodic_images.h"
#include "compute/electrostatics/potential_grid.h"
#include "compute/orbitals/orbital.h"
#include "molecule/base/units.h"

namespace isolume {

double spacing_of(const Field& field, const Grid& unit_grid, double points, double finest, double coarsest) {
  if (field.spacing > 0) return field.spacing;
  const glm::dvec3 edges = glm::dvec3(unit_grid.counts) * glm::length(unit_grid.step[0]);
  return usual_spacing(edges.x * edges.y * edges.z, points, finest, coarsest);
}

namespace {

/// A grid for atoms that move: it begins and ends at multiples of a few of its steps, so that most frames have the same
/// one. Surfaces then do not swim with it, and nothing that depends on its size is made again.
Grid steady(Grid grid) {
  constexpr double steps = 4;
  for (int axis = 0; axis < 3; ++axis) {
    const double whole = steps * grid.step[axis][axis];
    const double end = grid.origin[axis] + (grid.counts[axis] - 1) * grid.step[axis][axis];
    grid.origin[axis] = std::floor(grid.origin[axis] / whole) * whole;
    const double blocks = std::ceil((end - grid.origin[axis]) / whole - 1e-6);
    grid.counts[axis] = static_cast<int>(std::max(blocks, 1.0) * steps) + 1;
  }
  return grid;
}

/// By what steps and limits are larger than those for atoms: 1 for these and for residues. Particles of lattice models
/// are tens of angstrom wide; their steps are half of that.
double scale_of(std::span<const DensityAtom> atoms) {
  constexpr float largest = 8;  // angstrom
  float least = std::numeric_limits<float>::infinity();
  for (const DensityAtom& atom : atoms) least = std::min(least, atom.radius);
  return std::isfinite(least) && least > largest ? 0.5 * static_cast<double>(least) : 1.0;
}

}  // namespace

GaussianDensityOptions gaussian_options(const Field& field) {
  GaussianDensityOptions options;
  options.radius_scale = field.radius_scale;
  constexpr float ends[] = {2.0f, 2.5f, 3.0f, 4.0f};
  options.cutoff_sigmas = ends[static_cast<std::size_t>(field.quality)];
  return options;
}

Grid gaussian_grid(const Field& field, const FieldAtoms& of, std::span<const DensityAtom> atoms) {
  const auto options = gaussian_options(field);
  if (field.periodic) {
    const Cell& cell = of.frame.cell;
    return period_grid(cell, spacing_of(field, period_grid(cell, 1.0), 3e6, 0.3, 4));
  }
  const bool moving = of.molecule->frame_count() > 1;
  double spacing = field.spacing;
  if (!(spacing > 0)) {
    const double scale = scale_of(atoms);
    spacing = spacing_of(field, gaussian_density_grid(atoms, options, scale), 3e6, 0.3 * scale, 4 * scale);
    if (moving) spacing = std::ceil(spacing * 20 - 1e-9) / 20;  // the same for a box that breathes
  }
  const Grid grid = gaussian_density_grid(atoms, options, spacing);
  return moving ? steady(grid) : grid;
}

namespace {

Grid grid_of_box(const Field& field, const OrbitalBox& box, double coarsening) {
  const double coarse = std::max(1.0, field.spacing);
  // The triangles of a mesh of lines are to be told apart.
  const bool lines = field.style == Surface::Style::wireframe && !sliced(field);
  const double spacing =
      spacing_of(field, Grid::covering(box.lower, box.upper, coarse), lines ? 3e4 : 1e6, lines ? 0.15 : 0.05, 1);
  return Grid::covering(box.lower, box.upper, spacing * std::max(1.0, coarsening));
}

}  // namespace

Grid orbital_field_grid(const Field& field, const Orbitals& orbitals, std::size_t which, double coarsening) {
  // Beyond the surface nothing is to be seen; an isovalue by probability needs nearly all of the orbital.
  const double cutoff = field.enclosed > 0 ? 1e-3 : 0.2 * std::abs(effective_isovalue(field));
  return grid_of_box(field, orbital_box(orbitals, which, cutoff), coarsening);
}

Grid density_field_grid(const Field& field, const Orbitals& orbitals, double coarsening) {
  // Where the density is above a level, one of the orbitals has its share of it.
  double electrons = 0;
  for (const Orbital& orbital : orbitals.orbitals) electrons += std::abs(orbital.occupation);
  const double cutoff = std::sqrt(0.5 * std::abs(effective_isovalue(field)) / std::max(electrons, 1.0));
  OrbitalBox box{glm::dvec3(1e300), glm::dvec3(-1e300)};
  for (std::size_t i = 0; i < orbitals.count(); ++i) {
    if (orbitals.orbitals[i].occupation == 0) continue;
    const OrbitalBox one = orbital_box(orbitals, i, cutoff);
    box.lower = glm::min(box.lower, one.lower);
    box.upper = glm::max(box.upper, one.upper);
  }
  return grid_of_box(field, box, coarsening);
}

Grid potential_map_grid(const Field& field, std::span<const ChargedSphere> spheres, glm::dvec3 origin,
                        const PotentialOptions& options) {
  const Cell& cell = periodic_cell(options);
  if (is_fully_periodic(options) && cell.exists() && !spheres.empty()) return cell_grid(cell, field.spacing);
  // Where the potential of one elementary charge has fallen to the isovalue, within reason.
  const double margin = std::clamp(units::coulomb_volt_angstrom / std::abs(effective_isovalue(field)), 6.0, 12.0);
  return potential_grid(box_around(spheres, spheres.empty() ? glm::dvec3(0) : origin, margin), field.spacing);
}

}  // namespace isolume
