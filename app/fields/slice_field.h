// Fields as colours on a plane, instead of surfaces.
#pragma once

#include "app/fields/device_volume.h"
#include "app/fields/slice_plane.h"

namespace isolume {

/// True where a field is shown on a plane.
bool sliced(const Field& field);

/// The values of a field on its plane, and their drawing.
struct Slice {
  Grid grid;                     ///< a layer of points; none where the plane passes the field by
  Mesh mesh;                     ///< coloured from negative_colour over white to colour, with the values as a scalar
  std::vector<glm::vec3> lines;  ///< segments: contours at the isovalue and its negative, and the border
  std::vector<glm::u8vec4> line_colours;
  FieldLegend legend;
  std::string name;
  std::optional<ShownOrbital> orbital;
  std::size_t predicted_bytes = 0;
};

/// Computes a field on its plane: an orbital at the points of the plane, others (potentials, volumes) on their own grid
/// and from there by trilinear interpolation. Colours are full at Field::paint_range, or at twice the isovalue where
/// that is 0. Throws Error (usage) for surfaces of atoms, and where the plane is none (slice_frame()).
Slice compute_slice(const FieldRequest& request, Job& job, FieldMemory* memory = nullptr);

/// The slice as a result that can be drawn.
FieldResult slice_result(const FieldRequest& request, Job& job, FieldMemory* memory);

/// "plane across z, 0.50 angstrom from the middle of the atoms", "plane through index 0 1 4".
std::string describe(const SlicePlane& slice);

}  // namespace isolume
