// What scene files of every format keep to: their JSON, and the paths in them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace isolume {

/// JSON of at most 16 MiB whose brackets nest at most 64 deep. Throws Error (input).
nlohmann::json parse_scene_text(const std::string& text);

/// A path of a file in `folder`: relative ones are resolved there and may not leave it through "..", absolute ones are
/// kept. Throws Error (input) that begins with `where`.
std::string path_in_scene(const std::string& path, const std::string& folder, const std::string& where);

}  // namespace isolume
