// The word that a mistyped one may have meant.
#include "molecule/base/nearest.h"

#include <algorithm>
#include <numeric>

namespace isolume {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return text;
}

/// Letters to add, to leave out or to change (Levenshtein).
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, changed});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_of(const std::string& word, const std::vector<std::string>& words) {
  const std::string given = lower(word);
  for (const std::string& other : words)
    if (given.size() >= 2 && lower(other).starts_with(given)) return other;
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 2) + 1;
  for (const std::string& other : words) {
    const std::size_t far = distance(given, lower(other));
    if (far >= best_distance || far >= std::max(word.size(), other.size())) continue;
    best_distance = far;
    best = other;
  }
  return best;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& words) {
  const std::string near = nearest_of(word, words);
  return near.empty() ? std::string() : " (did you mean '" + near + "'?)";
}

std::string did_you_mean(const std::string& word, std::span<const char* const> words) {
  return did_you_mean(word, std::vector<std::string>(words.begin(), words.end()));
}

}  // namespace isolume
