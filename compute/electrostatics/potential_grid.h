// The grids of potential maps: around the charges, or one period of a cell.
#pragma once

#include <span>

#include "compute/electrostatics/charges/charged_sphere.h"
#include "molecule/cell.h"
#include "molecule/grid.h"

namespace isolume {

/// A box around charges whose positions are relative to `origin`, with room around them. Angstrom.
struct ChargeExtent {
  glm::dvec3 lower, upper;
};
ChargeExtent box_around(std::span<const ChargedSphere> charges, glm::dvec3 origin, double margin);

/// A grid that covers the box; a spacing of 0 is the usual one by its volume. Throws Error (usage) for absurd sizes.
Grid potential_grid(const ChargeExtent& box, double spacing);
/// That many points along each axis, from face to face of the box.
Grid potential_grid(const ChargeExtent& box, glm::ivec3 counts);
/// One period of a cell, its points at most `spacing` apart (0: the usual one). Throws Error (usage) for absurd sizes.
Grid cell_grid(const Cell& cell, double spacing);
/// That many points along each of the cell's vectors.
Grid cell_grid(const Cell& cell, glm::ivec3 counts);

/// The grid of a solution of Poisson-Boltzmann at points: the box of the atoms and the points, as wide as it needs.
/// `spacing` in angstrom, 0 for 0.5 or, of a large box, more.
Grid solution_grid(std::span<const ChargedSphere> spheres, std::span<const glm::dvec3> points, double spacing);

/// A grid as it is seen from a place.
Grid seen_from(Grid grid, glm::dvec3 origin);

}  // namespace isolume
