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

/// The request's grid, else one for the density of these atoms: around them, or one period of the cell. Of a trajectory
/// it begins and ends at multiples of a few of its steps.
Grid gaussian_grid(const FieldRequest& request, std::span<const DensityAtom> atoms);

/// The grid for the potential of `spheres` where the request names none: its spacing (0: by size), around the charges;
/// the cell where it is periodic along all three axes. Throws Error (usage) for absurd sizes.
Grid potential_map_grid(const FieldRequest& request, std::span<const ChargedSphere> spheres,
                        const PotentialOptions& options);

/// The request's grid, else one that holds an orbital's surfaces.
Grid orbital_field_grid(const FieldRequest& request, const Orbitals& orbitals, std::size_t which);
/// The same of the density of all orbitals.
Grid density_field_grid(const FieldRequest& request, const Orbitals& orbitals);

}  // namespace isolume
