// Values as CIF writes them.
#include "formats/write/cif_text.h"

#include <algorithm>

namespace isolume {
namespace {

constexpr std::size_t longest = 1000;  // CIF 1.1 lines have at most 2048 characters

bool reserved(const std::string& text) {
  std::string lower = text.substr(0, 7);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  for (const char* const word : {"data_", "save_", "loop_", "stop_", "global_"})
    if (lower.starts_with(word)) return true;
  return lower == "." || lower == "?";
}

/// Whether a quote of this kind would end within the text: where a blank follows it.
bool ends_within(const std::string& text, char quote) {
  for (std::size_t i = 0; i + 1 < text.size(); ++i)
    if (text[i] == quote && text[i + 1] == ' ') return true;
  return false;
}

}  // namespace

std::string cif_value(std::string_view given) {
  std::string text(given.substr(0, longest));
  for (char& c : text) {
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
    if (c < ' ' || c > '~') c = '?';
  }
  if (text.empty()) return ".";
  const bool plain = text.find_first_of(" '\"") == std::string::npos &&
                     std::string_view("_#$[];").find(text[0]) == std::string_view::npos && !reserved(text);
  if (plain) return text;
  if (!ends_within(text, '\'') && text.find('\'') == std::string::npos) return "'" + text + "'";
  if (ends_within(text, '"')) std::replace(text.begin(), text.end(), '"', '_');
  return "\"" + text + "\"";
}

std::string cif_known(std::string_view text) {
  return text.empty() ? "?" : cif_value(text);
}

}  // namespace isolume
