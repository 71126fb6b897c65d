// The words of an input file of APBS, with their lines.
#include "app/cli/apbs/apbs_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "formats/bytes/byte_source.h"
#include "formats/bytes/text.h"
#include "molecule/base/error.h"

namespace isolume::cli {

std::string apbs_lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
  return text;
}

ApbsWords::ApbsWords(const std::string& path) : path_(path) {
  const auto source = ByteSource::open(path);
  LineScanner lines(*source);
  while (lines.next()) {
    const std::string_view line = lines.line();
    for (const std::string_view word : split(line.substr(0, line.find('#'))))
      words_.push_back({std::string(word), static_cast<int>(lines.number())});
  }
}

ApbsWord ApbsWords::next(const std::string& expected) {
  if (!more()) throw Error::in_file(path_, words_.empty() ? 1 : words_.back().line, "ends; expected " + expected);
  return words_[at_++];
}

double ApbsWords::number(const std::string& of) {
  const ApbsWord word = next("a number of " + of);
  double value = 0;
  const char* const end = word.text.data() + word.text.size();
  const auto [stop, fault] = std::from_chars(word.text.data() + (word.text[0] == '+' ? 1 : 0), end, value);
  if (fault != std::errc() || stop != end || !std::isfinite(value))
    fail(word, fmt::format("{}: '{}' is not a number", of, word.text));
  return value;
}

int ApbsWords::whole(const std::string& of) {
  const ApbsWord word = words_[std::min(at_, words_.size() - 1)];
  const double value = number(of);
  if (value != std::floor(value) || std::abs(value) > 1e6) fail(word, of + ": expected a whole number");
  return static_cast<int>(value);
}

glm::dvec3 ApbsWords::three(const std::string& of) {
  glm::dvec3 values;
  for (int axis = 0; axis < 3; ++axis) values[axis] = number(of);
  return values;
}

void ApbsWords::fail(const ApbsWord& word, const std::string& message) const {
  throw Error::in_file(path_, word.line, message);
}

}  // namespace isolume::cli
