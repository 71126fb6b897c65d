// The numbers of a line, also where the fixed widths of Fortran ran them together.
#include "formats/bytes/number_run.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace isolume {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_separator(char c) {
  return c == ' ' || c == '\t' || c == ',' || c == '\v' || c == '\f' || c == '\r';
}

std::size_t digits_from(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - at;
}

}  // namespace

bool next_number(const LineScanner& lines, std::string_view& rest, double& value, std::string_view what) {
  std::size_t first = 0;
  while (first < rest.size() && is_separator(rest[first])) ++first;
  rest.remove_prefix(first);
  if (rest.empty()) return false;
  std::string_view text = rest;
  if (text[0] == '+' && text.size() > 1 && text[1] != '-' && text[1] != '+') text.remove_prefix(1);
  auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  std::size_t used = static_cast<std::size_t>(result.ptr - text.data());
  bool good = result.ec == std::errc();
  if (result.ec == std::errc::result_out_of_range) {
    // Too small for a double is zero; too large is an error.
    const std::size_t e = text.substr(0, used).find_first_of("eE");
    good = e != std::string_view::npos && e + 1 < used && text[e + 1] == '-';
    value = 0;
  }
  // An exponent that from_chars does not know: 1.0D+01, or 0.123-100 without a letter.
  if (good && used < text.size()) {
    const char next = text[used];
    const bool letter = next == 'D' || next == 'd';
    const std::size_t sign = used + (letter ? 1 : 0);
    const bool has_sign = sign < text.size() && (text[sign] == '-' || text[sign] == '+');
    const std::size_t count = digits_from(text, sign + (has_sign ? 1 : 0));
    const std::size_t end = sign + (has_sign ? 1 : 0) + count;
    const bool ends = end >= text.size() || is_separator(text[end]) || text[end] == '-' || text[end] == '+';
    const bool mantissa = text.substr(0, used).find_first_of("eE") == std::string_view::npos &&
                          text.substr(0, used).find('.') != std::string_view::npos;
    if ((letter && count > 0) || (!letter && has_sign && count == 3 && ends && mantissa)) {
      std::array<char, 64> copy{};
      if (end + 1 < copy.size()) {
        std::size_t length = text.copy(copy.data(), used);
        copy[length++] = 'e';
        const std::size_t tail = sign + (has_sign && text[sign] == '+' ? 1 : 0);
        length += text.substr(tail, end - tail).copy(copy.data() + length, copy.size() - length);
        double exact = 0;
        result = std::from_chars(copy.data(), copy.data() + length, exact);
        good = result.ec == std::errc() || text[sign] == '-';
        value = result.ec == std::errc() ? exact : 0;
        used = end;
      }
    }
  }
  if (good && used < text.size() && !is_separator(text[used]) && text[used] != '-' && text[used] != '+') good = false;
  if (!good || !std::isfinite(value)) {
    const std::size_t end = std::min(rest.find_first_of(" \t,"), rest.size());
    lines.fail(std::string(what) + ": expected a number, found \"" + clean(rest.substr(0, end), 40) + "\"");
  }
  text.remove_prefix(used);
  rest = text;
  return true;
}

}  // namespace isolume
