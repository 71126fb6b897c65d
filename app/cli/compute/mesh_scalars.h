// Numbers at the vertices of a mesh, and colours by them.
#pragma once

#include "app/fields/device_volume.h"
#include "compute/base/job.h"
#include "molecule/mesh.h"

namespace isolume::cli {

/// The potential of the request's charges at the vertices, or its paint_offset along their normals, in the unit of its
/// settings: what its method approximates, exactly; of Poisson-Boltzmann the scalars of `volume`.
MeshScalar potential_scalar(const Field& field, const FieldAtoms& atoms, const DeviceVolume& volume, const Mesh& mesh,
                            Job& job);

/// Colours the vertices by a scalar: red at -range, white at 0, blue at range. Returns the range: the one given, or
/// where that is 0 a round number near the 95th percentile of the sizes.
double colour_by_scalar(Mesh& mesh, const MeshScalar& scalar, double range);

}  // namespace isolume::cli
