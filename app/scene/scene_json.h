// Scenes as JSON: session files, the metadata of pictures.
#pragma once

#include <string>
#include <vector>

#include "app/scene/scene.h"

namespace isolume {

/// Readable JSON with "format": "isolume-scene" and "version". Paths below `folder` are written relative to it.
std::string scene_to_json(const Scene& scene, const std::string& folder = {});

/// Reads it back. Missing keys take their defaults; unknown keys are named in `notes`. Relative paths are resolved in
/// `folder` and may not leave it through ".."; absolute ones are kept. Opens no file. Throws Error (input) with the
/// JSON path of what is wrong ("representations[2].style: 'balls' is none of ...").
Scene scene_from_json(const std::string& json, const std::string& folder = {},
                      std::vector<std::string>* notes = nullptr);

/// A session, or by its extension a MolViewSpec file (molviewspec.h). Without a camera in the file that of the scene
/// has no height (fit_unset_camera()).
/// One that carries its files (packed_session.h) is unpacked first.
Scene read_scene(const std::string& path, std::vector<std::string>* notes = nullptr);
void write_scene(const std::string& path, const Scene& scene);

/// Sets one value by its path in the JSON: set_value(scene, "representations[0].style", "spheres") or "camera.height",
/// "40". The value is JSON, or a bare string. Throws Error (usage) that lists the keys there are at the place where the
/// path ends.
void set_value(Scene& scene, const std::string& path, const std::string& value);

}  // namespace isolume
