// Files named by a session or a picture that are outside its folder.
#pragma once

#include <string>
#include <vector>

#include "app/scene/scene.h"

namespace isolume {

/// The paths of the scene's molecules and of their templates that do not lead below the folder of `file`, symbolic
/// links resolved, each once: what a session or a picture from elsewhere may only open once the user has agreed.
std::vector<std::string> foreign_paths(const Scene& scene, const std::string& file);

}  // namespace isolume
