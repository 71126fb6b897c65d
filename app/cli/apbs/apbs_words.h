// The words of an input file of APBS, with their lines.
#pragma once

#include <cstddef>
#include <glm/glm.hpp>
#include <string>
#include <vector>

namespace isolume::cli {

/// In small letters.
std::string apbs_lower(std::string text);

struct ApbsWord {
  std::string text;
  int line = 0;
};

/// The words of a file, one after the other, without comments.
class ApbsWords {
 public:
  explicit ApbsWords(const std::string& path);
  bool more() const { return at_ < words_.size(); }
  /// Throws Error where the file ends.
  ApbsWord next(const std::string& expected);
  const std::string& ahead() const { return words_[at_].text; }
  double number(const std::string& of);
  int whole(const std::string& of);
  glm::dvec3 three(const std::string& of);
  /// Throws Error at the line of the word.
  [[noreturn]] void fail(const ApbsWord& word, const std::string& message) const;

 private:
  std::string path_;
  std::vector<ApbsWord> words_;
  std::size_t at_ = 0;
};

}  // namespace isolume::cli
