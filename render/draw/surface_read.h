// A surface in OpenGL buffers as a mesh in host memory.
#pragma once

#include "molecule/mesh.h"
#include "render/draw/surface_buffers.h"

namespace isolume {

/// Copies what the buffers hold; colours only where they have some. A context of their share group must be current.
/// Throws Error where the driver refuses.
Mesh read_mesh(const SurfaceBuffers& buffers);

}  // namespace isolume
