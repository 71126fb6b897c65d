// The command line: its subcommands, which of them is asked for, what it throws, and the exit code.
#include "app/cli/cli.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/command_check.h"
#include "app/cli/commands.h"
#include "app/cli/fallback.h"
#include "app/cli/given.h"
#include "app/cli/interrupt.h"
#include "app/cli/made.h"
#include "app/cli/remake.h"
#include "app/cli/scene_input.h"
#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "app/cli/trust.h"
#include "app/cli/window_words.h"
#include "compute/base/host_memory.h"
#include "formats/bytes/input_files.h"
#include "formats/bytes/known_frames.h"
#include "formats/write/published_files.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

constexpr const char* common_group = "Common options";

std::string frame_index = "cache";

void keep_frame_index() {
  using Where = IndexKeeping::Where;
  IndexKeeping keeping;
  keeping.where = frame_index == "cache" ? Where::cache : frame_index == "file" ? Where::beside : Where::nowhere;
  keep_indices(keeping);
}

void add_common(Verb command, Common& common) {
  const char* group = common_group;
  command.option("--device", common.device, "auto, cpu, cuda or cuda:N; cuda:0,1,cpu shares maps between them")
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
  command
      .option("--frame-index", frame_index,
              "where it is kept at which bytes the frames of a large trajectory begin: cache (the folder of the user's "
              "caches), file (next to the trajectory) or off")
      .one_of({"cache", "file", "off"})
      .group(group);
  command.flag("--quiet,-q", common.quiet, "no progress, no messages but errors").group(group);
}

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Given was_given;

Given given_to(const CLI::App& command) {
  Given all;
  for (const CLI::Option* option : command.get_options()) {
    const std::vector<std::string>& names = option->get_lnames();
    if (option->count() == 0 || is_output(*option) || option->get_group() == common_group || has(names, "frames") ||
        has(names, "partial"))
      continue;
    if (option->get_positional()) {
      for (const std::string& word : option->results()) all.files.push_back(word);
    } else if (!names.empty()) {
      all.options.emplace_back("--" + names.front(), option->results());
    }
  }
  return all;
}

void register_all(Commands& commands) {
  add_info(commands);
  add_convert(commands);
  add_render(commands);
  add_replay(commands);
  add_compute(commands);
  add_devices(commands);
  add_bench(commands);
  add_worker(commands);
}

/// The subcommand that the words name, parsed without the others being declared. Null where they are needed: for help,
/// and for a mistake, of which the whole tree says what may have been meant.
std::unique_ptr<Commands> parsed_alone(int argc, char** argv) {
  std::vector<std::string> only;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--help" || word == "-h" || (i == 1 && (word.empty() || word[0] == '-' || word == "help"))) return {};
    if (i == 1 || (i == 2 && only[0] == "compute")) only.push_back(word);
  }
  if (only.empty()) return {};
  auto commands = std::make_unique<Commands>(only);
  register_all(*commands);
  try {
    if (commands->parse(argc, argv) || !commands->chosen()) return {};
  } catch (const Error&) {
    return {};
  }
  return commands;
}

int parse_and_run(int argc, char** argv, Place& place) {
  // What an earlier command of this process was told.
  sessions_trusted() = false;
  frame_index = "cache";
  std::unique_ptr<Commands> commands = parsed_alone(argc, argv);
  if (!commands) {
    commands = std::make_unique<Commands>();
    register_all(*commands);
    if (const std::optional<int> done = commands->parse(argc, argv)) return *done;
  }
  place.automatic = commands->common.device == "auto";
  place.quiet = commands->common.quiet;
  if (!place.device.empty()) commands->common.device = place.device;
  keep_frame_index();
  if (const auto action = commands->chosen()) action();
  return 0;
}

}  // namespace

const Given& given() {
  return was_given;
}

Commands::Commands(std::vector<std::string> only)
    : only_(std::move(only)),
      root_(std::make_unique<CLI::App>("Isolume computes and draws the fields of molecules.", "isolume")),
      app(*root_) {
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
  if (parent.exists() && &parent.app() == root_.get()) first_names_.push_back(name);
  if (!wants(parent, name)) return {};
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

bool Commands::wants(Verb parent, const std::string& name) const {
  if (!parent.exists()) return false;
  if (only_.empty()) return true;
  const std::size_t level = &parent.app() == root_.get() ? 0 : 1;
  return level >= only_.size() || only_[level] == name;
}

std::vector<std::string> Commands::names(const std::string& of) const {
  if (of.empty()) return first_names_;
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
  // Arguments of bench after "--" are for the benchmark (bench.cpp).
  const auto dashes = std::find(words.begin(), words.end(), "--");
  const bool passes = !words.empty() && words[0] == "bench";
  std::vector<const char*> arguments{argc > 0 ? argv[0] : "isolume"};
  for (auto word = words.begin(); word != (passes ? dashes : words.end()); ++word) arguments.push_back(word->c_str());
  try {
    root_->parse(static_cast<int>(arguments.size()), arguments.data());
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return root_->exit(error);  // --help, --version
    const bool nested = words.size() > 1 && words[0] == "compute" && words[1].rfind('-', 0) != 0;
    throw Error(fmt::format("{}{}; see isolume{} --help", error.what(), usage_hint(*root_, words),
                            words.empty() || words[0][0] == '-' ? "" : " " + words[0] + (nested ? " " + words[1] : "")),
                Error::Kind::usage);
  }
  check_written(chosen_app());
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

std::vector<std::string> subcommands(const std::string& of) {
  struct Declared : Commands {
    explicit Declared(std::vector<std::string> only) : Commands(std::move(only)) { register_all(*this); }
  };
  // The names alone are known without anything being declared.
  static const std::vector<std::string> first = Declared({""}).names();
  if (of.empty()) return first;
  static const Declared all({});
  return all.names(of);
}

bool is_command_line(int argc, char** argv) {
  if (argc < 2) return false;
  const std::string first = argv[1];
  if (first == "--help" || first == "-h" || first == "--version" || first == "-V" || first == "-v" || first == "help")
    return true;
  if (!unknown_window_option({argv + 1, argv + argc}).empty()) return true;  // refused, and not by the window
  if (first.empty() || first[0] == '-') return false;
  const std::vector<std::string> names = subcommands();
  if (std::find(names.begin(), names.end(), first) != names.end()) return true;
  std::error_code ignored;
  return first.find_first_of("./") == std::string::npos && !std::filesystem::exists(first, ignored);
}

int run(int argc, char** argv) {
  if (is_worker(argc, argv)) return run_worker(argv[0]);
  open_standard_streams();
  const Interrupt interrupt;
  keep_inputs();
  forget_published_files();
  int code = 1;
  std::string message;
  try {
    confine_replayed_command();
    code = run_on_some_device([&](Place& place) { return parse_and_run(argc, argv, place); });
    finish_stdout();
    return code;
  } catch (const Error& error) {
    code = static_cast<int>(error.kind());
    message = error.what();
  } catch (const std::bad_alloc&) {
    message = "out of memory: " + memory_in_words();
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::resource_unavailable_try_again) {
      message = "no more threads can be started: " + memory_in_words();
    } else if (std::string_view(error.what()).starts_with("cannot write to file")) {  // fmt's words for stdout
      if (error.code() != std::errc::broken_pipe)                                     // a reader of stdout may leave
        message = "stdout: cannot be written: " + error.code().message();
    } else {
      message = error.what();
    }
  } catch (const std::exception& error) {
    message = error.what();
  }
  if (Interrupt::requested() || code == static_cast<int>(Error::Kind::cancelled)) {
    code = static_cast<int>(Error::Kind::cancelled);
    message = "cancelled";
  }
  if (!message.empty()) complain("isolume: " + message);
  return code;
}

}  // namespace isolume::cli
