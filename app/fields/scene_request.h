// The request of one field of a scene.
#pragma once

#include "app/documents/documents.h"
#include "app/fields/fields.h"

namespace isolume {

/// What the field's values are less of, in the frame that the scene shows: loaded where `load`, else what is loaded
/// already, and FieldRequest::minus::load for what is not. Throws Error (usage) where the scene has no such molecule or
/// map of errors, or charges have another name.
TakenOff taken_off(const Scene& scene, const Field& field, Documents& documents, bool load);

/// What is to be computed for `scene.fields[field]` in the frame that the scene shows. Throws Error where its molecule,
/// or the map that colours it, cannot be had.
FieldRequest scene_request(const Scene& scene, std::size_t field, Documents& documents, Device device);

}  // namespace isolume
