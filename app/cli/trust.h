// Whether a session or a picture may open files outside its folder.
#pragma once

#include <string>

#include "app/cli/options.h"
#include "app/scene/scene.h"

namespace isolume::cli {

/// --trust-paths.
void add_trust_option(Verb command, bool& trust);

/// Throws Error (usage) that names the files where the scene of `file` names some outside its folder and they are not
/// trusted.
void require_trust(const Scene& scene, const std::string& file, bool trust);

}  // namespace isolume::cli
