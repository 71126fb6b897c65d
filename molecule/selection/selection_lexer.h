// Words, numbers and symbols of a selection text.
#pragma once

#include <cstddef>
#include <string_view>

namespace isolume {

/// One token; `text` is a part of the selection text, for quoted ones without the quotes.
struct SelectionToken {
  enum class Kind { end, word, number, symbol, pattern, literal, unknown } kind = Kind::end;
  std::string_view text;
  std::size_t column = 0;  ///< where it begins, with its quote
  std::size_t length = 0;  ///< with its quotes
  double number = 0;

  std::size_t end() const { return column + length; }
  bool is(std::string_view symbol) const { return kind == Kind::symbol && text == symbol; }
};

/// The token at or after `at` where operators are expected: words, unsigned numbers, symbols such as ( ) < >= && + *.
/// Throws SelectionError for a quote that is not closed.
SelectionToken next_token(std::string_view text, std::size_t at);

/// The token at or after `at` in a list of values, where a word may contain nearly anything: ALA+GLY, 10-20, O5*, CL-.
/// "..." gives a pattern, '...' a literal; at a parenthesis or comparison it gives what next_token gives.
SelectionToken next_value(std::string_view text, std::size_t at);

}  // namespace isolume
