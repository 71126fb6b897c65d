// The part of a surface whose colours are values in a range, and the plot in which the range is chosen.
#pragma once

#include "app/fields/device_volume.h"
#include "molecule/mesh.h"

namespace isolume {

/// True for fields with a value and another one that colours it at each point of the grid, of which a plot shows both:
/// noncovalent contacts, and volumes coloured by a map (as the reduced gradient by sign(lambda2) rho).
bool has_scatter(const Field& field);
/// True where only a part of the surface is shown: Field::shown_lower to shown_upper.
bool shows_range(const Field& field);

/// Points of the grid near the isovalue: x the value that colours (in the unit of the legend), y that of the field;
/// x ascends. At most 6000, evenly taken.
std::vector<glm::vec2> scatter_of(const Field& field, const DeviceVolume& volume, Job& job);

/// The triangles of a surface whose vertices have their colours' value in the field's range.
Mesh mesh_in_range(const Mesh& mesh, const Field& field, const DeviceVolume& volume);

}  // namespace isolume
