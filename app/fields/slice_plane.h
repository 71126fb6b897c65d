// Where the slices of a scene are.
#pragma once

#include "app/scene/scene.h"
#include "compute/isosurface/plane_slice.h"
#include "molecule/molecule.h"

namespace isolume {

/// Where a slice is in a frame. Planes across an axis go through the mean position of the molecule's atoms (the
/// middle of `box` where it has none), those of atoms through the mean position of the selected ones, in the plane of
/// the least squared distances from them (the eigenvector of the smallest eigenvalue of the second moments); its normal
/// points to where the atoms, in their order, go round counterclockwise. Then they are moved by the offset along the
/// normal.
/// Throws Error (usage) for fewer than three atoms, for such as lie on a line or on one point, and for Kind::none.
PlaneFrame slice_frame(const SlicePlane& slice, const Molecule& molecule, std::size_t frame, const Grid& box);

}  // namespace isolume
