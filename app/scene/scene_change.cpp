// Which parts of a scene a change touched.
#include "app/scene/scene_change.h"

namespace isolume {

SceneParts difference(const Scene& before, const Scene& after) {
  SceneParts result = SceneParts::none;
  const auto compare = [&result](bool equal, SceneParts part) {
    if (!equal) result = result | part;
  };
  compare(before.molecules == after.molecules, SceneParts::molecules);
  compare(before.representations == after.representations, SceneParts::representations);
  compare(before.fields == after.fields, SceneParts::fields);
  compare(before.measurements == after.measurements && before.labels == after.labels &&
              before.interactions == after.interactions && before.probes == after.probes &&
              before.probing == after.probing,
          SceneParts::measurements);
  // What uses a name means something else.
  compare(before.selections == after.selections,
          SceneParts::selections | SceneParts::representations | SceneParts::fields | SceneParts::measurements);
  compare(before.views == after.views, SceneParts::views);
  compare(before.keys == after.keys, SceneParts::keys);
  compare(before.camera == after.camera, SceneParts::camera);
  compare(before.look == after.look && before.clip_planes == after.clip_planes, SceneParts::look);
  compare(before.playback == after.playback, SceneParts::playback);
  compare(before.frame == after.frame, SceneParts::frame);
  compare(before.show_box == after.show_box && before.legends == after.legends && before.layout == after.layout &&
              before.tile_columns == after.tile_columns,
          SceneParts::arrangement);
  return result;
}

}  // namespace isolume
