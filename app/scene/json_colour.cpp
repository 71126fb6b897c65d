// Colours and numbers as people write them in a scene.
#include "app/scene/json_colour.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace isolume {
namespace {

struct NamedColour {
  const char* name;
  glm::u8vec3 value;
};
constexpr NamedColour named_colours[] = {
    {"black", {0, 0, 0}},      {"white", {255, 255, 255}}, {"grey", {128, 128, 128}}, {"gray", {128, 128, 128}},
    {"red", {255, 0, 0}},      {"green", {0, 128, 0}},     {"blue", {0, 0, 255}},     {"yellow", {255, 255, 0}},
    {"orange", {255, 165, 0}}, {"purple", {128, 0, 128}},  {"cyan", {0, 255, 255}},   {"magenta", {255, 0, 255}}};

}  // namespace

double readable(float value) {
  const std::string text = fmt::format("{}", value);
  double result = value;
  std::from_chars(text.data(), text.data() + text.size(), result);
  return static_cast<float>(result) == value ? result : static_cast<double>(value);
}

std::string hex_colour(glm::u8vec4 c) {
  std::string text = fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b);
  if (c.a != 255) text += fmt::format("{:02x}", c.a);
  return text;
}

std::optional<glm::u8vec4> parse_colour(const std::string& text) {
  for (const NamedColour& named : named_colours)
    if (text == named.name) return glm::u8vec4(named.value, 255);
  if (text.empty() || text[0] != '#' || (text.size() != 4 && text.size() != 7 && text.size() != 9)) return std::nullopt;
  std::string digits = text.substr(1);
  if (digits.size() == 3) digits = {digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]};
  if (digits.size() == 6) digits += "ff";
  std::uint32_t value = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + 8, value, 16);
  if (fault != std::errc() || end != digits.data() + 8) return std::nullopt;
  return glm::u8vec4(value >> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255);
}

std::vector<std::string> colour_names() {
  std::vector<std::string> names;
  for (const NamedColour& named : named_colours) names.emplace_back(named.name);
  return names;
}

bool is_bytes(glm::vec3 colour) {
  for (int i = 0; i < 3; ++i)
    if (static_cast<float>(std::lround(colour[i] * 255.0f)) / 255.0f != colour[i]) return false;
  return true;
}

}  // namespace isolume
