// The grids of fields: with the spacing asked for, or one that suits the size of the molecule.
#pragma once

#include "app/fields/device_volume.h"
#include "compute/electrostatics/method.h"
#include "molecule/quantum/orbitals.h"

namespace isolume {

/// The field's spacing, or where that is 0 the one (angstrom) at which a box of this volume has about `points` points,
/// within `finest` and `coarsest`.
double spacing_of(const Field& field, const Grid& unit_grid, double points, double finest, double coarsest);

GaussianDensityOptions gaussian_options(const Field& field);

/// A grid for the density of these atoms and images: around them, or one period of the cell. Of a trajectory it begins
/// and ends at multiples of a few of its steps.
Grid gaussian_grid(const Field& field, const FieldAtoms& of, std::span<const DensityAtom> atoms);

/// A grid for the potential of `spheres`, relative to `origin`: the field's spacing (0: by size), around the charges;
/// the cell where it is periodic along all three axes. Throws Error (usage) for absurd sizes.
Grid potential_map_grid(const Field& field, std::span<const ChargedSphere> spheres, glm::dvec3 origin,
                        const PotentialOptions& options);

/// A grid that holds an orbital's surfaces, `coarsening` times as coarse as would suit them.
Grid orbital_field_grid(const Field& field, const Orbitals& orbitals, std::size_t which, double coarsening);
/// The same of the density of all orbitals.
Grid density_field_grid(const Field& field, const Orbitals& orbitals, double coarsening);

}  // namespace isolume
