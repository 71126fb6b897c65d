// The position of a parser of selections in the text, and its basic steps.
#pragma once

#include <string>
#include <string_view>

#include "molecule/selection/selection_lexer.h"
#include "molecule/selection/selection_tree.h"

namespace isolume {

/// A place in a selection text. Parsers share one, so that each goes on where the other stopped.
struct SelectionReader {
  static constexpr int deepest = 64;  ///< levels of nesting

  std::string_view text;
  std::size_t at = 0;
  int depth = 0;

  /// Counts how deep the tree has grown while it lives, so that no text can exhaust the stack.
  struct Depth {
    SelectionReader& reader;
    Depth(SelectionReader& r, const SelectionToken& token) : reader(r) {
      if (reader.depth >= deepest) reader.fail("nested more than 64 deep", token);
      ++reader.depth;
    }
    ~Depth() { --reader.depth; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
  };

  SelectionToken peek() const { return next_token(text, at); }
  SelectionToken take() {
    const SelectionToken token = peek();
    at = token.end();
    return token;
  }

  /// The word of the language that a token is, in either case of letters; null where it is none.
  const Word* word_of(const SelectionToken& token) const;
  bool is_connective(const SelectionToken& token, Connective which) const;
  /// What to say of a token that is no word of the language.
  std::string unknown(const SelectionToken& token) const;
  /// Throws SelectionError that points at the token.
  [[noreturn]] void fail(const std::string& message, const SelectionToken& token) const;
};

bool is_relation(const SelectionToken& token);    ///< < <= = ...
bool is_arithmetic(const SelectionToken& token);  ///< + - * / % ^

/// Reads `sqr(x) + 1 < y <= 5`. Throws SelectionError.
Comparison parse_comparison(SelectionReader& reader);
/// Reads `sqr(x) + 1`. Throws SelectionError.
Arithmetic parse_arithmetic(SelectionReader& reader);

}  // namespace isolume
