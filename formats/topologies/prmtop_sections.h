// The sections of an AMBER topology file: %FLAG name, %FORMAT(count type width), then fields in fixed columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "formats/bytes/byte_source.h"

namespace isolume {

/// An index of the sections of one file, and their values by name. The source must outlive this.
class PrmtopSections {
 public:
  /// Throws Error (input) where the first line is no %VERSION, or a %FLAG comes twice or without a %FORMAT.
  explicit PrmtopSections(const ByteSource& source);

  bool has(const std::string& name) const { return sections_.contains(name); }

  /// The first `count` values of a section, each a finite number. Throws Error (input) where the section is missing, of
  /// another type, or ends before.
  std::vector<double> reals(const std::string& name, std::size_t count) const;
  /// The same; each from `low` to `high`.
  std::vector<std::int64_t> integers(const std::string& name, std::size_t count, std::int64_t low,
                                     std::int64_t high) const;
  /// The same, without blanks at their ends.
  std::vector<std::string> words(const std::string& name, std::size_t count) const;
  /// words(), or as many empty ones where there is no such section or it is empty.
  std::vector<std::string> words_or_blanks(const std::string& name, std::size_t count) const;
  /// All integers of a section.
  std::vector<std::int64_t> integers(const std::string& name) const;
  /// The text of a section: its first line, cleaned; empty where there is none.
  std::string title(const std::string& name) const;

  /// Throws Error (input) at the line of a section's %FLAG.
  [[noreturn]] void fail(const std::string& name, const std::string& message) const;

 private:
  struct Section {
    char type = ' ';  ///< a, i or e (e, f, g)
    std::size_t per_line = 0, width = 0;
    std::size_t begin = 0, end = 0;  ///< bytes of its lines
    std::int64_t line = 0;           ///< number of the first of them
    std::string unread_format;       ///< a %FORMAT that is none of those known, and its line
    std::int64_t format_line = 0;
  };
  const Section& section(const std::string& name) const;
  template <class Take>
  void fields(const std::string& name, std::size_t count, char type, Take take) const;

  const ByteSource& source_;
  std::map<std::string, Section> sections_;
};

}  // namespace isolume
