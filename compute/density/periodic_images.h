// Periodic images of atoms: what a surface of one period of a system is made of.
#pragma once

#include <span>
#include <vector>

#include "compute/density/density_atoms.h"
#include "molecule/cell.h"
#include "molecule/grid.h"

namespace isolume {

/// The box that one period fills: from the origin to (a_x, b_y, c_z), for a cell with `a` along x and `b` in the xy
/// plane (as all formats but extended XYZ have it). It has the cell's volume, and its images fill space as the cell's
/// do, whatever the angles. Throws Error (usage) for no cell and for one that is otherwise.
glm::dvec3 period_box(const Cell& cell);

/// A grid over that box whose first and last layers along each axis are on opposite faces. The spacing is `spacing`
/// (angstrom) or a little less, so that it divides the edges.
Grid period_grid(const Cell& cell, double spacing);

/// The atoms that count in period_box(): each image (each atom moved by whole cell vectors) whose distance from the box
/// is at most reach = reach_factor * radius + reach_more (angstrom). Images of an atom follow each other, atoms in
/// their order. Where an atom has a face within its reach it comes more than once. `sources`, where given, gets the
/// number of each one's atom. Throws Error (usage) where positions are not finite.
std::vector<DensityAtom> with_periodic_images(std::span<const DensityAtom> atoms, const Cell& cell, double reach_factor,
                                              double reach_more, std::vector<std::uint32_t>* sources = nullptr);

}  // namespace isolume
