// Reading the texts of the built-in tables: lines of words.
#pragma once

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "molecule/base/error.h"

namespace isolume {

/// Calls visit(words) for every line that is no comment.
template <class Visit>
void for_table_lines(std::string_view text, Visit&& visit) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    words.clear();
    while (!line.empty()) {
      const std::size_t stop = std::min(line.find(' '), line.size());
      if (stop > 0) words.push_back(line.substr(0, stop));
      line.remove_prefix(std::min(stop + 1, line.size()));
    }
    if (!words.empty()) visit(words);
  }
}

/// Throws Error where the word is no number.
inline double table_number(std::string_view word) {
  double value = 0;
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (fault != std::errc() || end != word.data() + word.size()) {
    throw Error("built-in table: " + std::string(word) + " is no number", Error::Kind::failed);
  }
  return value;
}

}  // namespace isolume
