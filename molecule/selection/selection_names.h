// Selections under a name: `@pocket` in a selection text.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace isolume {

/// What names mean: selection texts, which may have other names in them.
using SelectionNames = std::map<std::string, std::string, std::less<>>;

/// True for a letter, then letters, digits or _, at most 64 in all.
bool is_selection_name(std::string_view name);

/// The name behind the '@' at `at` of a text; empty where there is none.
std::string name_after(std::string_view text, std::size_t at);

/// The text with every `@name` outside of quotes replaced by what it means, in parentheses. Names that are not known
/// stay: the parser says so. Throws Error (usage) where a name means itself, or the text would get longer than a
/// selection may be.
std::string with_names(std::string_view text, const SelectionNames& names);

}  // namespace isolume
