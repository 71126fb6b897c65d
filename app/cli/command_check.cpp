// Errors of a command line: unknown words, and outputs that would overwrite inputs.
#include "app/cli/command_check.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <string_view>

#include "app/cli/command.h"
#include "app/cli/made.h"
#include "app/cli/options.h"
#include "app/cli/other_words.h"
#include "app/cli/window_words.h"
#include "formats/bytes/input_files.h"
#include "formats/file_patterns.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The option of the chosen subcommand that an unknown one may have meant.
std::string suggestion(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* at = &app;
  for (const std::string& word : words) {
    if (!contains(names_of(*at), word)) break;
    at = at->get_subcommand(word);
  }
  std::vector<std::string> known;
  for (const CLI::Option* option : at->get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  for (const std::string& word : words) {
    const std::string name = word.substr(0, word.find('='));
    if (name.rfind("--", 0) != 0 || contains(known, name)) continue;
    if (const std::string near = nearest(name, known); !near.empty()) return fmt::format(" (did you mean {}?)", near);
  }
  return {};
}

// The files that a word names, those of a pattern or a folder too; none where it names something else.
std::vector<std::string> files_named(const std::string& word) {
  std::error_code unreadable;
  if (std::filesystem::is_regular_file(word, unreadable)) return {word};
  if (!std::filesystem::is_directory(word, unreadable) && word.find_first_of("*?") == std::string::npos) return {};
  try {
    return expand_paths({word});
  } catch (const Error&) {
    return {};  // the reader says so
  }
}

// Why a subcommand has no --partial, where it was given to one.
std::string about_parts(const CLI::App& app, const std::vector<std::string>& words) {
  const bool asked = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word == "--partial" || word.starts_with("--partial=");
  });
  if (!asked) return {};
  std::vector<std::string> takers;
  for (const CLI::App* verb : app.get_subcommand("compute")->get_subcommands([](const CLI::App*) { return true; }))
    if (verb->get_option_no_throw("--partial") != nullptr) takers.push_back(verb->get_name());
  return fmt::format(" (results of frames that are kept in parts are those of compute {})", fmt::join(takers, ", "));
}

}  // namespace

std::vector<std::string> names_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

void check_subcommands(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* at = &app;
  for (const std::string& word : words) {
    const std::vector<std::string> names = names_of(*at);
    if (names.empty() || word.empty() || word[0] == '-') return;
    if (!contains(names, word)) {
      const std::string near = nearest(word, names);
      const std::string known = own_subcommand(word);  // what other programs call so
      throw Error(fmt::format("'{}' is no subcommand of {}{}; there are {}{}", word, at->get_name(),
                              near.empty() || !known.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                              fmt::join(names, ", "), known),
                  Error::Kind::usage);
    }
    at = at->get_subcommand(word);
  }
}

void check_window_words(const std::vector<std::string>& words, const std::vector<std::string>& subcommands) {
  if (words.empty() || contains(subcommands, words[0])) return;
  const std::string unknown = unknown_window_option(words);
  const bool asks = unknown == "--version" || unknown == "-V" || unknown == "-v";
  if (unknown.empty() || asks) return;
  throw Error(fmt::format("{}: neither a subcommand nor an option of the window ({}); see isolume --help", unknown,
                          window_options()),
              Error::Kind::usage);
}

std::string usage_hint(const CLI::App& app, const std::vector<std::string>& words) {
  const std::string parts = about_parts(app, words);
  return parts.empty() ? suggestion(app, words) : parts;
}

void check_written(const CLI::App& command) {
  std::vector<std::string> inputs, outputs;
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0) continue;
    for (const std::string& word : option->results()) {
      if (is_output(*option)) {
        outputs.push_back(word);
      } else {
        for (std::string& file : files_named(word)) inputs.push_back(std::move(file));
      }
    }
  }
  check_outputs(outputs, inputs);
  note_outputs(outputs);
}

}  // namespace isolume::cli
