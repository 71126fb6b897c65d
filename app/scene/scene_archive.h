// A scene as a tree of JSON values, without text and without files.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/scene/scene.h"

namespace isolume {

/// The scene's keys and values in the order of docs/scene.md, without "format" and "version".
nlohmann::ordered_json scene_to_tree(const Scene& scene);

/// Reads the tree back: missing keys take their defaults, unknown ones are named in `notes`. Throws Error (input) with
/// the JSON path of what is wrong. Paths are taken as they stand.
Scene scene_from_tree(const nlohmann::json& tree, std::vector<std::string>* notes);

}  // namespace isolume
