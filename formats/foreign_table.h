// The table of formats that are not read: how each is known, and how to convert it.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/bytes/byte_source.h"
#include "formats/bytes/text.h"

namespace isolume {

/// What the tests of the table look at.
struct ForeignLook {
  const ByteSource& source;
  std::string_view head;                ///< the first 64 KiB
  std::vector<std::string_view> lines;  ///< the first 60
  std::string name;                     ///< without folder and ".gz", in lower case

  bool has(std::string_view words) const { return head.find(words) != std::string_view::npos; }
  bool begins(std::string_view words) const { return head.starts_with(words); }
  bool ends(std::string_view ending) const { return name.ends_with(ending); }
  bool line_begins(std::string_view words) const {
    return std::any_of(lines.begin(), lines.end(),
                       [&](std::string_view line) { return trimmed(line).starts_with(words); });
  }
  bool line_ends(std::string_view words) const {
    return std::any_of(lines.begin(), lines.end(),
                       [&](std::string_view line) { return trimmed(line).ends_with(words); });
  }
};

/// One format that is not read.
struct ForeignFormat {
  const char* name;  ///< with its article
  bool (*is)(const ForeignLook& look);
  const char* advice;  ///< {} stands for the file's name without folder and extension
};

/// The first that fits is it.
std::span<const ForeignFormat> foreign_table();

}  // namespace isolume
