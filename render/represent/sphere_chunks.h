// Spheres in an order in which those next to each other in space follow each other, in chunks that are culled together.
#pragma once

#include <cstddef>

#include "render/view/scene_view.h"

namespace isolume {

/// So many spheres are drawn by chunks; fewer are quicker drawn all.
constexpr std::size_t chunked_from = 2'000'000;

/// Sorts spheres, colours and parts along a Morton curve of 1024 cells on the longest edge of their box, and adds
/// `chunks`. Where spheres were alike before, so they are after: the order depends on their values and places in the
/// list alone. Takes 24 bytes a sphere while it works. What check_stop() throws ends it, the shape then unusable.
///
/// SphereChunk::radius is that of a disc of the area that they cover, the mean of three directions.
/// @param shape  with as many colours and parts as spheres, or none of these; at most 2^32 - 1
void order_in_chunks(Spheres& shape);

}  // namespace isolume
