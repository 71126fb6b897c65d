// The names of colours of SVG and CSS.
#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <string_view>

namespace isolume {

/// The colour of a name of SVG 1.1 (section 4.4) in lower case, "rebeccapurple" among them; nothing for what is none.
std::optional<glm::u8vec4> svg_colour(std::string_view name);

}  // namespace isolume
