// The lines of a GROMACS topology after its preprocessor: includes, defines and conditions are resolved.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formats/bytes/text.h"

namespace isolume {

/// Comments are cut off, lines that end with a backslash are joined, words that a #define names are replaced. An
/// include is sought next to the file that names it, then next to the first file, never outside of that folder; one
/// that is not there is kept in missing().
class GromacsLines {
 public:
  /// `source` must outlive this.
  explicit GromacsLines(std::shared_ptr<const ByteSource> source);

  /// Goes to the next line that is not empty; false at the end. Throws Error (input).
  bool next();
  std::string_view line() const { return line_; }
  /// Throws Error (input) at the current line of the current file.
  [[noreturn]] void fail(const std::string& message) const;
  /// Includes that were not found, as they are written, each once.
  const std::vector<std::string>& missing() const { return missing_; }

 private:
  struct Open {
    std::shared_ptr<const ByteSource> source;
    LineScanner scanner;
  };
  struct Condition {
    bool active = true, taken = true, seen_else = false;
  };

  bool active() const;
  void direct(std::string_view line);
  void include(std::string_view what);
  void replace_words();

  std::string folder_;  ///< of the first file, empty where it is not on a disk
  std::vector<Open> open_;
  std::vector<Condition> conditions_;
  std::map<std::string, std::string, std::less<>> defines_;
  std::vector<std::string> missing_;
  std::string line_;
  std::size_t includes_ = 0;
  std::uint64_t lines_ = 0;
};

}  // namespace isolume
