// isolume bench: runs the benchmark programs next to this one, or a few built-in benchmarks.
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "app/cli/command.h"
#include "app/cli/interrupt.h"
#include "app/cli/quick_bench.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

namespace fs = std::filesystem;

// Programs named bench_NAME next to this one.
std::vector<fs::path> benchmarks() {
  std::vector<fs::path> found;
  std::error_code fault;
  const fs::path self = fs::read_symlink("/proc/self/exe", fault);
  for (const auto& entry : fs::directory_iterator(self.parent_path(), fault)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind("bench_", 0) == 0 && name.find('.') == std::string::npos && entry.is_regular_file(fault))
      found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Those built with Google Benchmark, which do not choose a device; and those that have a quick form.
bool chooses_device(const std::string& name) {
  return name != "compute" && name != "trajectories";
}
bool can_be_quick(const std::string& name) {
  return name == "potential";
}

// The words behind "--", which are no words of the program itself.
std::vector<std::string> behind_dashes(const std::vector<std::string>& arguments) {
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  if (dashes == arguments.end()) return {};
  return {dashes + 1, arguments.end()};
}

void run_program(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawn(&child, argv[0], nullptr, nullptr, argv.data(), environ) != 0)
    throw Error(words[0] + " cannot be started");
  const AtForcedEnd end_it([child] { kill(child, SIGTERM); });
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw Error(words[0] + " failed");
}

}  // namespace

void add_bench(Commands& commands) {
  struct Options {
    std::vector<std::string> names;
    bool json = false, quick = false;
  };
  auto options = std::make_shared<Options>();
  const Verb command =
      commands.add(commands.app, "bench", "run the benchmarks that were built with the program",
                   "isolume bench potential --quick -- cutoff", [&commands, options] {
                     const std::vector<fs::path> programs = benchmarks();
                     if (programs.empty() && options->quick && options->names.empty()) {
                       Run run(commands.common);
                       quick_bench(run, options->json);
                       run.finish();
                       return;
                     }
                     if (programs.empty())
                       throw Error(
                           "no benchmarks are installed with this program: bench --quick times it in some seconds; "
                           "./dev bench in the sources builds and runs them all");
                     Common own = commands.common;
                     own.device = "auto";  // the benchmarks choose theirs
                     Run run(own, false);
                     std::vector<std::string> known;
                     for (const fs::path& program : programs) known.push_back(program.filename().string().substr(6));
                     const std::vector<std::string> more = behind_dashes(commands.common.arguments);
                     for (const std::string& name : options->names)
                       if (std::find(known.begin(), known.end(), name) == known.end())
                         throw Error(fmt::format("no benchmark '{}'; there are {}", name, fmt::join(known, ", ")),
                                     Error::Kind::usage);
                     if (!more.empty() && options->names.size() != 1)
                       throw Error("words behind -- are for one benchmark; name it", Error::Kind::usage);
                     if (options->quick && !options->names.empty() &&
                         std::none_of(options->names.begin(), options->names.end(), can_be_quick))
                       throw Error("--quick is for the benchmark potential", Error::Kind::usage);
                     for (std::size_t i = 0; i < programs.size(); ++i) {
                       if (!options->names.empty() &&
                           std::find(options->names.begin(), options->names.end(), known[i]) == options->names.end())
                         continue;
                       std::vector<std::string> words{programs[i].string()};
                       words.push_back(options->json ? "--benchmark_format=json" : "--benchmark_format=console");
                       if (options->quick && can_be_quick(known[i])) words.push_back("--quick");
                       if (commands.common.device != "auto" && chooses_device(known[i]))
                         words.insert(words.end(), {"--device", commands.common.device});
                       words.insert(words.end(), more.begin(), more.end());
                       run_program(words);
                     }
                     run.finish();
                   });
  command.option("NAME", options->names, "benchmarks to run (default: all); words after -- go to the benchmark");
  command.flag("--json", options->json, "as JSON");
  command.flag("--quick", options->quick,
               "smaller problems where a benchmark has them (potential: half a minute); where no benchmarks are "
               "installed, potentials of random charges for some seconds");
}

}  // namespace isolume::cli
