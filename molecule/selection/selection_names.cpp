// Selections under a name: `@pocket` in a selection text.
#include "molecule/selection/selection_names.h"

#include <algorithm>
#include <vector>

#include "molecule/base/error.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

constexpr std::size_t longest_name = 64, longest_text = std::size_t{1} << 20;

bool letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool continues(char c) {
  return letter(c) || (c >= '0' && c <= '9') || c == '_';
}

/// Of the quoted text that begins at `at`: behind its end. As in the lexer; single quotes may be primes of names, O5'.
std::size_t behind_quotes(std::string_view text, std::size_t at) {
  return std::min(text.find('"', at + 1), text.size() - 1) + 1;
}

/// The '@' of an AMBER mask, :5@CA, is behind something else.
bool in_mask(std::string_view text, std::size_t at) {
  return at > 0 && (continues(text[at - 1]) || text[at - 1] == '*');
}

/// The message for an unknown name.
[[noreturn]] void refuse(const std::string& name, const SelectionNames& names, std::string_view text, std::size_t at) {
  constexpr std::size_t most = 10;
  std::string known;
  std::size_t count = 0;
  for (const auto& entry : names)
    if (++count <= most) known += (known.empty() ? "" : ", ") + entry.first;
  if (count > most) known += ", and " + std::to_string(count - most) + " more";
  throw SelectionError("there is no named selection '" + name + "'; there " + (count == 1 ? "is " : "are ") + known,
                       text, at, name.size() + 1);
}

/// `open`: the names that are being replaced.
struct Replacement {
  const SelectionNames& names;
  bool all;  ///< others are refused
  std::vector<std::string> open{};

  std::string of(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
      if (text[i] == '"') {
        const std::size_t next = behind_quotes(text, i);
        result += text.substr(i, next - i);
        i = next;
        continue;
      }
      const std::string name = text[i] == '@' ? name_after(text, i) : std::string();
      const auto found = names.find(name);
      if (name.empty() || found == names.end()) {
        if (all && !name.empty() && !names.empty() && !in_mask(text, i)) refuse(name, names, text, i);
        result += text[i++];
        continue;
      }
      if (std::find(open.begin(), open.end(), name) != open.end())
        throw Error("the named selection '" + name + "' means itself", Error::Kind::usage);
      open.push_back(name);
      result += "(" + of(found->second) + ")";
      open.pop_back();
      i += 1 + name.size();
      if (result.size() > longest_text)
        throw Error("with its names written out a selection may have 1048576 characters", Error::Kind::usage);
    }
    return result;
  }
};

}  // namespace

bool is_selection_name(std::string_view name) {
  return !name.empty() && name.size() <= longest_name && letter(name.front()) &&
         std::all_of(name.begin(), name.end(), continues);
}

std::string name_after(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  if (end >= text.size() || !letter(text[end])) return {};
  while (end < text.size() && continues(text[end])) ++end;
  return std::string(text.substr(at + 1, end - at - 1));
}

std::string with_names(std::string_view text, const SelectionNames& names) {
  return text.find('@') == std::string_view::npos ? std::string(text) : Replacement{names, true}.of(text);
}

std::string with_these_names(std::string_view text, const SelectionNames& names) {
  return text.find('@') == std::string_view::npos ? std::string(text) : Replacement{names, false}.of(text);
}

bool has_names(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {
      i = behind_quotes(text, i) - 1;
    } else if (text[i] == '@' && !in_mask(text, i) && !name_after(text, i).empty()) {
      return true;
    }
  }
  return false;
}

}  // namespace isolume
