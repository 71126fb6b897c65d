// Numbers, texts and colours as vector formats write them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/glm.hpp>
#include <string>
#include <string_view>

#include "render/image/text.h"

namespace isolume {

/// "12.5", "3", "0.02": without needless zeros.
inline std::string decimals(double value, int places = 2) {
  std::string text = fmt::format("{:.{}f}", value, places);
  while (text.find('.') != std::string::npos && (text.back() == '0' || text.back() == '.')) {
    const bool point = text.back() == '.';
    text.pop_back();
    if (point) break;
  }
  return text == "-0" ? "0" : text;
}

inline Ink ink_of(glm::vec3 c) {
  const auto byte = [](float v) { return static_cast<std::uint8_t>(std::lround(255 * std::clamp(v, 0.0f, 1.0f))); };
  return {byte(c.r), byte(c.g), byte(c.b), 255};
}

/// Valid UTF-8 without control characters, which XML does not have.
inline std::string clean_text(std::string_view text) {
  std::string out;
  for (const SetLetter& letter : set_text(text, 10)) {
    const auto code = static_cast<unsigned>(letter.code);
    const auto put = [&out](unsigned byte) { out += static_cast<char>(byte); };
    if (code < 0x20 || (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF || code == 0xFFFE || code == 0xFFFF) {
      put(' ');
    } else if (code < 0x80) {
      put(code);
    } else if (code < 0x800) {
      put(0xC0 | code >> 6), put(0x80 | (code & 63));
    } else if (code < 0x10000) {
      put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 63)), put(0x80 | (code & 63));
    } else {
      put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 63)), put(0x80 | (code >> 6 & 63)), put(0x80 | (code & 63));
    }
  }
  return out;
}

}  // namespace isolume
