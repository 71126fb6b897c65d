// Colours and numbers as people write them in a scene.
#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <string>
#include <vector>

namespace isolume {

/// The shortest decimal of a float, so that 0.35f is written as 0.35.
double readable(float value);

/// "#rrggbb", with alpha below 255 "#rrggbbaa".
std::string hex_colour(glm::u8vec4 colour);

/// Of "#rgb", "#rrggbb", "#rrggbbaa" or one of twelve names; nothing for what is none.
std::optional<glm::u8vec4> parse_colour(const std::string& text);

/// The twelve names.
std::vector<std::string> colour_names();

/// True where all parts are whole 255ths.
bool is_bytes(glm::vec3 colour);

}  // namespace isolume
