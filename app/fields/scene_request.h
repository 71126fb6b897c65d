// The request of one field of a scene.
#pragma once

#include "app/documents/documents.h"
#include "app/fields/fields.h"

namespace isolume {

/// What is to be computed for `scene.fields[field]` in the frame that the scene shows. Throws Error where its molecule,
/// or the map that colours it, cannot be had.
FieldRequest scene_request(const Scene& scene, std::size_t field, Documents& documents, Device device);

}  // namespace isolume
