// A representation of a scene as triangles.
#pragma once

#include "app/documents/documents.h"
#include "compute/base/job.h"
#include "molecule/mesh.h"

namespace isolume {

/// What the scene's representation of that index draws, in the frame of the scene, visible or not: with its colours and
/// its periodic images, without smoothing over frames and without clipping planes. Reports to `job` and stops with it.
/// Throws Error (usage) where nothing of it has a surface, or where memory is too small for it.
Mesh representation_mesh(const Scene& scene, Documents& documents, std::size_t index, Job& job);

}  // namespace isolume
