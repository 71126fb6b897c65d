// The command line: which subcommand, what it throws, and the exit code.
#include "app/cli/cli.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <new>

#include "app/cli/commands.h"
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
  Commands commands;
  register_all(commands);
  if (const std::optional<int> done = commands.parse(argc, argv)) return *done;
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
  const std::vector<std::string> names = commands.names();
  if (std::find(names.begin(), names.end(), first) != names.end()) return true;
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
