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

/// The text with every `@name` outside of quotes replaced by what it means, in parentheses. Throws SelectionError that
/// lists the names there are for one that is none of them (where there are none, it stays for the parser to say so),
/// and Error (usage) where a name means itself, or the text would get longer than a selection may be.
std::string with_names(std::string_view text, const SelectionNames& names);

/// The same, but other names stay in the text.
std::string with_these_names(std::string_view text, const SelectionNames& names);

/// Whether the text has an '@' with a name behind it, outside of quotes and not as part of an AMBER mask (:5@CA).
bool has_names(std::string_view text);

}  // namespace isolume
