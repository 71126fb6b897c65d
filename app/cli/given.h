// What was given on the command line on which a result depends.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace isolume::cli {

struct Given {
  std::vector<std::string> files;  ///< words without an option: files, patterns, folders
  /// "--cutoff" and its values: without outputs, frames, parts and what every subcommand takes.
  std::vector<std::pair<std::string, std::vector<std::string>>> options;
};

/// Of the subcommand that was parsed.
const Given& given();

}  // namespace isolume::cli
