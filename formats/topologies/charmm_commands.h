// The lines of CHARMM's input files: without comments, in capitals, continued ones joined.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/bytes/text.h"

namespace isolume {

/// Walks through the lines that say something: '!' begins a comment, '*' in the first column a title, '-' at the end
/// says that the next line belongs to this one.
class CharmmCommands {
 public:
  explicit CharmmCommands(const ByteSource& source) : scanner_(source) {}

  /// Goes to the next line; false at the end of the text. Throws Error (input).
  bool next();

  const std::vector<std::string_view>& fields() const { return fields_; }
  std::size_t size() const { return fields_.size(); }
  std::string_view operator[](std::size_t i) const { return fields_[i]; }
  std::string text(std::size_t i) const { return clean(fields_[i], 40); }
  /// A finite number out of a field. Throws Error (input) at the line.
  double real(std::size_t i, std::string_view what) const { return scanner_.real(fields_[i], what); }
  [[noreturn]] void fail(const std::string& message) const { scanner_.fail(message); }
  /// "BOND CT1 H" for messages.
  std::string line() const { return clean(line_, 60); }
  /// The first line of titles that says something.
  const std::string& title() const { return title_; }
  const LineScanner& scanner() const { return scanner_; }

 private:
  LineScanner scanner_;
  std::string line_, title_;
  std::vector<std::string_view> fields_;
};

/// True where a word of CHARMM is `keyword`, of which four letters are enough.
bool is_charmm_word(std::string_view word, std::string_view keyword);

}  // namespace isolume
