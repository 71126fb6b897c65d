// Selections under a name: `@pocket` in a selection text.
#include "molecule/selection/selection_names.h"

#include <algorithm>
#include <vector>

#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr std::size_t longest_name = 64, longest_text = std::size_t{1} << 20;

bool letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool continues(char c) {
  return letter(c) || (c >= '0' && c <= '9') || c == '_';
}

/// `open`: the names that are being replaced.
std::string replaced(std::string_view text, const SelectionNames& names, std::vector<std::string>& open) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '"') {  // as in the lexer; single quotes may be primes of names, O5'
      const std::size_t close = std::min(text.find('"', i + 1), text.size() - 1);
      result += text.substr(i, close + 1 - i);
      i = close + 1;
      continue;
    }
    const std::string name = text[i] == '@' ? name_after(text, i) : std::string();
    const auto found = names.find(name);
    if (name.empty() || found == names.end()) {
      result += text[i++];
      continue;
    }
    if (std::find(open.begin(), open.end(), name) != open.end())
      throw Error("the named selection '" + name + "' means itself", Error::Kind::usage);
    open.push_back(name);
    result += "(" + replaced(found->second, names, open) + ")";
    open.pop_back();
    i += 1 + name.size();
    if (result.size() > longest_text)
      throw Error("with its names written out a selection may have 1048576 characters", Error::Kind::usage);
  }
  return result;
}

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
  std::vector<std::string> open;
  return text.find('@') == std::string_view::npos ? std::string(text) : replaced(text, names, open);
}

}  // namespace isolume
