// The values that stand after a word such as `resname` or `resid`.
#pragma once

#include <string_view>

#include "molecule/selection/selection_lexer.h"
#include "molecule/selection/selection_tree.h"

namespace isolume {

/// Reads the values after `word` from position `at` of the text, which moves on behind the last. The list ends at the
/// end, a parenthesis, an operator or a word of the language. Throws SelectionError that points at what is no value.
ListTest parse_values(std::string_view text, std::size_t& at, const Word& word, const SelectionToken& word_token);

/// The one value after `name =`.
ListTest parse_one_value(std::string_view text, std::size_t& at, const Word& word, const SelectionToken& word_token);

}  // namespace isolume
