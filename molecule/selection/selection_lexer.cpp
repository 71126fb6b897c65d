// Words, numbers and symbols of a selection text.
#include "molecule/selection/selection_lexer.h"

#include <cctype>
#include <charconv>

#include "molecule/selection/selection.h"

namespace isolume {

namespace {

using Kind = SelectionToken::Kind;

bool blank(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

bool digit(char c) {
  return c >= '0' && c <= '9';
}

bool letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && blank(text[at])) ++at;
  return at;
}

SelectionToken token(Kind kind, std::string_view text, std::size_t at, std::size_t length) {
  return {kind, text.substr(at, length), at, length, 0};
}

SelectionToken quoted(std::string_view text, std::size_t at) {
  const std::size_t close = text.find(text[at], at + 1);
  if (close == std::string_view::npos) {
    throw SelectionError("this quote is not closed", text, at, text.size() - at);
  }
  return {text[at] == '"' ? Kind::pattern : Kind::literal, text.substr(at + 1, close - at - 1), at, close - at + 1, 0};
}

}  // namespace

SelectionToken next_token(std::string_view text, std::size_t at) {
  at = skip_blanks(text, at);
  if (at >= text.size()) return token(Kind::end, text, text.size(), 0);
  const char c = text[at];
  if (c == '"' || c == '\'') return quoted(text, at);
  if (digit(c) || (c == '.' && at + 1 < text.size() && digit(text[at + 1]))) {
    double value = 0;
    const auto [stop, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    const std::size_t length = static_cast<std::size_t>(stop - text.data()) - at;
    SelectionToken result = token(error == std::errc() ? Kind::number : Kind::unknown, text, at, length);
    result.number = value;
    return result;
  }
  if (letter(c)) {
    std::size_t end = at + 1;
    while (end < text.size() && (letter(text[end]) || digit(text[end]) || text[end] == '.' || text[end] == '\'')) ++end;
    return token(Kind::word, text, at, end - at);
  }
  for (std::string_view two : {"&&", "||", "==", "!=", "<>", "<=", ">=", "**"}) {
    if (text.substr(at, 2) == two) return token(Kind::symbol, text, at, 2);
  }
  if (std::string_view("()&|!=<>+-*/%^").find(c) != std::string_view::npos) return token(Kind::symbol, text, at, 1);
  std::size_t end = at + 1;  // a whole character in UTF-8
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
  return token(Kind::unknown, text, at, end - at);
}

SelectionToken next_value(std::string_view text, std::size_t at) {
  at = skip_blanks(text, at);
  if (at >= text.size()) return token(Kind::end, text, text.size(), 0);
  if (text[at] == '"' || text[at] == '\'') return quoted(text, at);
  std::size_t end = at;
  while (end < text.size() && !blank(text[end]) &&
         std::string_view("()<>=!&|\"").find(text[end]) == std::string_view::npos) {
    ++end;
  }
  return end == at ? next_token(text, at) : token(Kind::word, text, at, end - at);
}

}  // namespace isolume
