// The command line: which subcommand, what it throws, and the exit code.
#include "app/cli/cli.h"

#include <algorithm>
#include <filesystem>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/remake.h"
#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "app/cli/window_words.h"
#include "compute/base/host_memory.h"
#include "formats/bytes/input_files.h"
#include "molecule/base/error.h"

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

int parse_and_run(int argc, char** argv) {
  confine_replayed_command();
  Commands commands;
  register_all(commands);
  if (const std::optional<int> done = commands.parse(argc, argv)) return *done;
  if (const auto action = commands.chosen()) action();
  return 0;
}

}  // namespace

std::vector<std::string> subcommands(const std::string& of) {
  struct All : Commands {
    All() { register_all(*this); }
  };
  static const All commands;
  return commands.names(of);
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
  open_standard_streams();
  const Interrupt interrupt;
  keep_inputs();
  int code = 1;
  std::string message;
  try {
    code = parse_and_run(argc, argv);
    finish_stdout();
    return code;
  } catch (const Error& error) {
    code = static_cast<int>(error.kind());
    message = error.what();
  } catch (const std::bad_alloc&) {
    message = "out of memory: " + memory_in_words();
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::broken_pipe) message = error.what();  // a reader of stdout may leave
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
