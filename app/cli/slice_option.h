// The plane of a slice, as given on the command line.
#pragma once

#include <string>

#include "app/scene/scene.h"

namespace isolume::cli {

/// "x", "y", "z" (across that axis, through the middle of the atoms) or a selection of at least three atoms, and behind
/// a colon angstrom along the normal: "z:0.5", "index 0 1 4:-1". Throws Error (usage) that names the option.
SlicePlane parse_slice(const std::string& text, const std::string& option = "--slice");

}  // namespace isolume::cli
