// The command line: which subcommand, what it throws, and the exit code.
#include "app/cli/cli.h"

#include <fmt/format.h>

#include <csignal>
#include <filesystem>
#include <new>

#include "app/cli/command.h"
#include "molecule/error.h"

namespace isolume::cli {
namespace {

void register_all(Commands& commands) {
  add_info(commands);
  add_convert(commands);
  add_render(commands);
  add_replay(commands);
  add_compute(commands);
  add_devices(commands);
  add_bench(commands);
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

// Names the nearest subcommand where a word stands in the place of one and is none.
void check_subcommands(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* at = &app;
  for (const std::string& word : words) {
    const std::vector<std::string> names = names_of(*at);
    if (names.empty() || word.empty() || word[0] == '-') return;
    if (!contains(names, word)) {
      const std::string near = nearest(word, names);
      throw Error(fmt::format("'{}' is no subcommand of {}{}; there are {}", word, at->get_name(),
                              near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), fmt::join(names, ", ")),
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

int parse_and_run(int argc, char** argv) {
  Commands commands;
  register_all(commands);
  const std::vector<std::string> words(argv + 1, argv + argc);
  commands.common.command = "isolume";
  for (const std::string& word : words) commands.common.command += " " + word;
  check_subcommands(commands.app, words);
  try {
    commands.app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return commands.app.exit(error);  // --help, --version
    const bool nested = words.size() > 1 && words[0] == "compute" && words[1].rfind('-', 0) != 0;
    throw Error(fmt::format("{}{}; see isolume{} --help", error.what(), suggestion(commands.app, words),
                            words.empty() || words[0][0] == '-' ? "" : " " + words[0] + (nested ? " " + words[1] : "")),
                Error::Kind::usage);
  }
  if (const auto action = commands.chosen()) action();
  return 0;
}

}  // namespace

bool is_command_line(int argc, char** argv) {
  if (argc < 2) return false;
  const std::string first = argv[1];
  if (first == "--help" || first == "-h" || first == "--version") return true;
  if (first.empty() || first[0] == '-') return false;
  Commands commands;
  register_all(commands);
  if (contains(names_of(commands.app), first)) return true;
  std::error_code ignored;
  return first.find_first_of("./") == std::string::npos && !std::filesystem::exists(first, ignored);
}

int run(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return parse_and_run(argc, argv);
  } catch (const Error& error) {
    if (error.kind() == Error::Kind::cancelled) {
      fmt::print(stderr, "isolume: cancelled\n");
    } else {
      fmt::print(stderr, "isolume: {}\n", error.what());
    }
    return static_cast<int>(error.kind());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "isolume: out of memory\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "isolume: {}\n", error.what());
  }
  return 1;
}

}  // namespace isolume::cli
