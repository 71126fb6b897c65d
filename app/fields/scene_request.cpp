// The request of one field of a scene.
#include "app/fields/scene_request.h"

#include <fmt/format.h>

#include "app/documents/frames.h"
#include "app/fields/surface_paint.h"
#include "app/scene/built_in_tables.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

std::shared_ptr<const Volume> chosen_map(const Scene& scene, const MapChoice& map, const char* name,
                                         Documents& documents, bool load) {
  if (!map.given) return nullptr;
  if (map.molecule >= scene.molecules.size())
    throw Error(fmt::format("minus.{}.molecule {}: the scene has no such molecule", name, map.molecule),
                Error::Kind::usage);
  const SceneMolecule& entry = scene.molecules[map.molecule];
  const auto molecule = load ? documents.molecule(entry) : documents.loaded(entry);
  if (!molecule) return nullptr;
  if (map.volume >= molecule->volumes.size())
    throw Error(fmt::format("minus.{}.volume {}: the file has {}", name, map.volume, molecule->volumes.size()),
                Error::Kind::usage);
  return molecule->volumes[map.volume];
}

}  // namespace

TakenOff taken_off(const Scene& scene, const Field& field, Documents& documents, bool load) {
  TakenOff result;
  const Subtrahend& minus = field.minus;
  if (!shows_difference(field)) return result;
  if (minus.molecule >= scene.molecules.size())
    throw Error(fmt::format("minus.molecule {}: the scene has no such molecule", minus.molecule), Error::Kind::usage);
  result.entry = scene.molecules[minus.molecule];
  result.entry.visible = true;  // whether it is seen does not count
  const bool potential = minus.kind == Subtrahend::Kind::potential;
  if (potential && !minus.charges.empty()) {
    if (minus.charges != "file" && !names_tables(minus.charges))
      throw Error(fmt::format("minus.charges '{}': expected \"file\" or built-in tables, \"tables:amber\", "
                              "\"tables:charmm\" or \"tables:parse\"",
                              minus.charges),
                  Error::Kind::usage);
    result.entry.templates.clear();
    if (minus.charges != "file") result.entry.templates = {minus.charges};
  }
  result.frame = !potential ? 0 : minus.fixed ? minus.frame : scene.frame;
  result.molecule = load ? documents.shown(result.entry) : documents.loaded_as_shown(result.entry);
  if (result.molecule) {
    if (!minus.fixed) result.frame = potential ? frame_in(*result.molecule, result.frame) : 0;
  } else {
    result.load = [&documents, entry = result.entry] { return documents.shown(entry); };
  }
  result.own_error = chosen_map(scene, minus.own_error, "own_error", documents, load);
  result.error = chosen_map(scene, minus.error, "error", documents, load);
  return result;
}

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
  request.minus = taken_off(scene, field, documents, true);
  return request;
}

}  // namespace isolume
