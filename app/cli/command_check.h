// Errors of a command line: unknown words, and outputs that would overwrite inputs.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace isolume::cli {

/// The names of the subcommands of one.
std::vector<std::string> names_of(const CLI::App& app);

/// Throws Error (usage) that names the nearest subcommand where a word is in the place of one and is none.
void check_subcommands(const CLI::App& app, const std::vector<std::string>& words);
/// Throws Error (usage) for words that open the window, with an option that it does not have.
void check_window_words(const std::vector<std::string>& words, const std::vector<std::string>& subcommands);
/// What may have been meant by an option that the chosen subcommand does not have: " (did you mean --spacing?)", or
/// which subcommands take --partial. Empty where nothing is near.
std::string usage_hint(const CLI::App& app, const std::vector<std::string>& words);
/// Throws Error where the parsed `command` would write over a file that it reads, whichever options name it. What is a
/// file and not an output counts as read. Notes what it writes for the record (made.h).
void check_written(const CLI::App& command);

}  // namespace isolume::cli
