// The tree of subcommands, and what is said of a command line that does not fit it.
#include "app/cli/commands.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/cli/command.h"
#include "app/cli/other_words.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

void add_common(Verb command, Common& common) {
  const char* group = "Common options";
  command.option("--device", common.device, "auto, cpu, cuda or cuda:N; cuda:0,1 shares a potential map between two")
      .group(group);
  command.option("--threads", common.threads, "threads of the CPU (0: all)").range(0, 4096).group(group);
  command.option("--memory-limit", common.memory_limit, "most memory that a computation may take, GiB")
      .range(0.0, 1e6)
      .group(group);
  command.option("--report", common.report, "write inputs, device, times, memory and error as JSON")
      .type_name("FILE")
      .group(group);
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

// Names the nearest subcommand where a word stands in the place of one and is none.
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

}  // namespace

Commands::Commands()
    : root_(std::make_unique<CLI::App>("Isolume computes and draws the fields of molecules.", "isolume")), app(*root_) {
  root_->set_version_flag("--version", std::string("isolume ") + ISOLUME_VERSION);
  root_->footer(
      "isolume [FILE...|SCENE.isolume] opens the window.\n"
      "isolume SUBCOMMAND --help explains a subcommand, with an example.\n"
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
    actions_[&command] = std::move(action);
  } else {
    command.require_subcommand(1);
  }
  return Verb(command);
}

std::vector<std::string> Commands::names() const {
  return names_of(*root_);
}

std::optional<int> Commands::parse(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  common.command = "isolume";
  for (const std::string& word : words) common.command += " " + word;
  check_subcommands(*root_, words);
  // What stands behind "--" after bench is for the benchmark (bench.cpp).
  const auto dashes = std::find(words.begin(), words.end(), "--");
  const bool passes = !words.empty() && words[0] == "bench";
  try {
    root_->parse(passes ? static_cast<int>(dashes - words.begin()) + 1 : argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return root_->exit(error);  // --help, --version
    const bool nested = words.size() > 1 && words[0] == "compute" && words[1].rfind('-', 0) != 0;
    throw Error(fmt::format("{}{}; see isolume{} --help", error.what(), suggestion(*root_, words),
                            words.empty() || words[0][0] == '-' ? "" : " " + words[0] + (nested ? " " + words[1] : "")),
                Error::Kind::usage);
  }
  return std::nullopt;
}

std::function<void()> Commands::chosen() const {
  const CLI::App* at = root_.get();
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  const auto found = actions_.find(at);
  return found == actions_.end() ? nullptr : found->second;
}

}  // namespace isolume::cli
