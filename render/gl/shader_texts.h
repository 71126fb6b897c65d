// The texts of the shaders, built into the program.
#pragma once

#include <map>
#include <string_view>

namespace isolume {

/// Every file below shaders/ by its name there ("common/frame.glsl").
const std::map<std::string_view, std::string_view>& shader_texts();

}  // namespace isolume
