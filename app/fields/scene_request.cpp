// The request of one field of a scene.
#include "app/fields/scene_request.h"

#include "app/documents/frames.h"
#include "app/fields/surface_paint.h"

namespace isolume {

FieldRequest scene_request(const Scene& scene, std::size_t index, Documents& documents, Device device) {
  const Field& field = scene.fields.at(index);
  FieldRequest request;
  request.field_index = index;
  request.field = field;
  request.molecule = documents.shown(scene.molecules.at(field.molecule));
  request.frame = frame_in(*request.molecule, scene.frame);
  request.device = device;
  if (field.zone > 0 && field.zone_molecule < scene.molecules.size())
    request.zone_molecule = documents.molecule(scene.molecules[field.zone_molecule]);
  if (painted_by_map(field)) {
    const auto of_map =
        field.map_molecule < scene.molecules.size() ? documents.molecule(scene.molecules[field.map_molecule]) : nullptr;
    request.map.volume = map_of(field, of_map.get());
    request.map.title = map_title(*request.map.volume, *of_map);
  }
  return request;
}

}  // namespace isolume
