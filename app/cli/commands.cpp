// The tree of subcommands, and what is said of a command line that does not fit it.
#include "app/cli/commands.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <string_view>

#include "app/cli/command.h"
#include "app/cli/given.h"
#include "app/cli/made.h"
#include "app/cli/other_words.h"
#include "app/cli/scene_input.h"
#include "app/cli/trust.h"
#include "app/cli/window_words.h"
#include "formats/bytes/input_files.h"
#include "formats/file_patterns.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

constexpr const char* common_group = "Common options";

void add_common(Verb command, Common& common) {
  const char* group = common_group;
  command.option("--device", common.device, "auto, cpu, cuda or cuda:N; cuda:0,1 shares a potential map between two")
      .group(group);
  command.option("--threads", common.threads, "threads of the CPU (0: all)").range(0, 4096).group(group);
  command.option("--memory-limit", common.memory_limit, "most memory that a computation may take, GiB")
      .range(0.0, 1e6)
      .group(group);
  command.option("--report", common.report, "write inputs, device, times, memory and error as JSON")
      .type_name("FILE")
      .writes()
      .group(group);
  add_record_option(command);
  command.flag("--quiet,-q", common.quiet, "no progress, no messages but errors").group(group);
}

std::vector<std::string> names_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Names the nearest subcommand where a word is in the place of one and is none.
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

// What opens the window, but with an option that it has not.
void check_window_words(const std::vector<std::string>& words, const std::vector<std::string>& subcommands) {
  if (words.empty() || contains(subcommands, words[0])) return;
  const std::string unknown = unknown_window_option(words);
  const bool asks = unknown == "--version" || unknown == "-V" || unknown == "-v";
  if (unknown.empty() || asks) return;
  throw Error(fmt::format("{}: neither a subcommand nor an option of the window ({}); see isolume --help", unknown,
                          window_options()),
              Error::Kind::usage);
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

// No file that is read may be written, whichever options name it. Whatever else is a file counts as read.
void check_files(const CLI::App& command) {
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

Given was_given;

Given given_to(const CLI::App& command) {
  Given all;
  for (const CLI::Option* option : command.get_options()) {
    const std::vector<std::string>& names = option->get_lnames();
    if (option->count() == 0 || is_output(*option) || option->get_group() == common_group ||
        contains(names, "frames") || contains(names, "partial"))
      continue;
    if (option->get_positional()) {
      for (const std::string& word : option->results()) all.files.push_back(word);
    } else if (!names.empty()) {
      all.options.emplace_back("--" + names.front(), option->results());
    }
  }
  return all;
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

const Given& given() {
  return was_given;
}

Commands::Commands()
    : root_(std::make_unique<CLI::App>("Isolume computes and draws the fields of molecules.", "isolume")), app(*root_) {
  root_->set_version_flag("--version,-V,-v", std::string("isolume ") + ISOLUME_VERSION);
  root_->footer(
      "isolume [FILE...|SCENE.isolume] opens the window.\n"
      "isolume SUBCOMMAND --help, or isolume help SUBCOMMAND, explains a subcommand, with an example.\n"
      "Exit codes: 0 done, 1 failed while running, 2 wrong usage, 3 bad input, 130 cancelled.");
  root_->require_subcommand(1);
}

Commands::~Commands() = default;

Verb Commands::add(Verb parent, const std::string& name, const std::string& what, const std::string& example,
                   std::function<void()> action) {
  CLI::App& command = *parent.app().add_subcommand(name, what);
  command.footer("Example:\n  " + example);
  if (action) {
    add_common(Verb(command), common);
    const bool takes_sessions = name == "convert" || parent.app().get_name() == "compute";
    if (takes_sessions) add_trust_option(Verb(command), sessions_trusted());
    actions_[&command] = std::move(action);
  } else {
    command.require_subcommand(1);
  }
  return Verb(command);
}

std::vector<std::string> Commands::names(const std::string& of) const {
  if (of.empty()) return names_of(*root_);
  for (const CLI::App* command : root_->get_subcommands([](const CLI::App*) { return true; }))
    if (command->get_name() == of) return names_of(*command);
  return {};
}

std::optional<int> Commands::parse(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  common.arguments = words;
  common.command = "isolume";
  for (const std::string& word : words) common.command += " " + quoted(word);
  if (!words.empty() && words[0] == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  check_window_words(words, names());
  check_subcommands(*root_, words);
  // What is behind "--" after bench is for the benchmark (bench.cpp).
  const auto dashes = std::find(words.begin(), words.end(), "--");
  const bool passes = !words.empty() && words[0] == "bench";
  std::vector<const char*> arguments{argc > 0 ? argv[0] : "isolume"};
  for (auto word = words.begin(); word != (passes ? dashes : words.end()); ++word) arguments.push_back(word->c_str());
  try {
    root_->parse(static_cast<int>(arguments.size()), arguments.data());
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return root_->exit(error);  // --help, --version
    const bool nested = words.size() > 1 && words[0] == "compute" && words[1].rfind('-', 0) != 0;
    const std::string parts = about_parts(*root_, words);
    throw Error(
        fmt::format("{}{}; see isolume{} --help", error.what(), parts.empty() ? suggestion(*root_, words) : parts,
                    words.empty() || words[0][0] == '-' ? "" : " " + words[0] + (nested ? " " + words[1] : "")),
        Error::Kind::usage);
  }
  check_files(chosen_app());
  // These draw scenes of several molecules, whose names differ.
  if (!words.empty() && words[0] != "render" && words[0] != "movie") write_out_names(chosen_app());
  was_given = given_to(chosen_app());
  return std::nullopt;
}

CLI::App& Commands::chosen_app() const {
  CLI::App* at = root_.get();
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  return *at;
}

std::function<void()> Commands::chosen() const {
  const auto found = actions_.find(&chosen_app());
  return found == actions_.end() ? nullptr : found->second;
}

}  // namespace isolume::cli
