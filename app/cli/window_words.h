// The options of the window, for telling them from words that nobody knows.
#pragma once

#include <string>
#include <vector>

namespace isolume::cli {

/// The first word with a dash that neither the window nor Qt takes as an option, of a command line that opens the
/// window; empty where there is none. `words`: without the program's name.
std::string unknown_window_option(const std::vector<std::string>& words);

/// "--device, --theme, ...".
std::string window_options();

}  // namespace isolume::cli
