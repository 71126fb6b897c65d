// States of residues by PROPKA: a process in a folder of its own.
#include "app/cli/propka.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/cli/interrupt.h"
#include "formats/bytes/text.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

extern char** environ;

namespace isolume::cli {
namespace {

namespace fs = std::filesystem;

/// A folder that goes with its content.
class WorkFolder {
 public:
  WorkFolder() {
    std::string name = (fs::temp_directory_path() / "isolume-propka-XXXXXX").string();
    if (!mkdtemp(name.data())) throw Error("no folder for PROPKA can be made: " + std::string(std::strerror(errno)));
    path_ = name;
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Runs `propka3 --quiet in.pdb` in the folder and waits; ends it when the user stops the work.
void run_propka(const fs::path& folder, Job& job) {
  const std::string messages = folder / "messages";
  const char* const words[] = {"propka3", "--quiet", "in.pdb", nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, messages.c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = -1;
  const int fault = posix_spawnp(&child, "propka3", &actions, nullptr, const_cast<char* const*>(words), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (fault == ENOENT) {
    throw Error(
        "--protonation propka needs the program propka3, which is not installed (pip install propka); a file "
        "of states does not need it",
        Error::Kind::usage);
  }
  if (fault != 0) throw Error(fmt::format("propka3 cannot be started: {}", std::strerror(fault)));
  const AtForcedEnd at_forced_end([child] { kill(child, SIGKILL); });
  int status = 0;
  try {
    while (waitpid(child, &status, WNOHANG) == 0) {
      job.check();
      usleep(20'000);
    }
  } catch (...) {
    kill(child, SIGTERM);
    waitpid(child, &status, 0);
    throw;
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw Error("propka3 failed: " + clean(text_of(messages), 300), Error::Kind::failed);
  }
}

}  // namespace

std::vector<ProtonationChoice> states_of_summary(const std::string& text, double ph) {
  std::vector<ProtonationChoice> choices;
  const auto from = text.find("SUMMARY OF THIS PREDICTION");
  std::istringstream lines(from == std::string::npos ? std::string() : text.substr(from));
  std::string line;
  std::getline(lines, line);
  std::getline(lines, line);
  while (std::getline(lines, line) && !line.starts_with('-')) {
    // Columns: residue 4-6, number 7-10, chain 12, then the pKa.
    std::string_view rest = columns(line, 13, line.size());
    const auto number = parse_integer(field(line, 7, 10));
    const auto pka = parse_real(next_token(rest));
    const std::string_view name = field(line, 4, 6);
    if (!number || !pka) continue;
    const bool protonated = ph < *pka;
    const char* state = nullptr;
    if (name == "ASP") state = protonated ? "ASH" : "ASP";
    if (name == "GLU") state = protonated ? "GLH" : "GLU";
    if (name == "LYS") state = protonated ? "LYS" : "LYN";
    if (name == "TYR") state = protonated ? "TYR" : "TYM";
    if (name == "CYS" && *pka < 90) state = protonated ? "CYS" : "CYM";  // 99.99 in a bridge
    if (name == "HIS" && protonated) state = "HIP";
    if (name == "HIS" && !protonated && ph < 6.5) state = "HIE";  // the model pKa would protonate it
    if (!state) continue;
    ProtonationChoice choice;
    choice.chain = std::string(field(line, 12, 12));
    if (choice.chain == "_") choice.chain.clear();
    choice.number = static_cast<std::int32_t>(*number);
    choice.state = state;
    choice.why = fmt::format("PROPKA pKa {:.2f}", *pka);
    choices.push_back(std::move(choice));
  }
  return choices;
}

std::vector<ProtonationChoice> propka_states(const Molecule& molecule, std::size_t frame, double ph, Job& job) {
  for (const Chain& chain : molecule.topology->chains) {
    if (chain.id.size() > 1) {
      throw Error("PROPKA reads PDB files, whose chains have names of one letter; this structure has chain " + chain.id,
                  Error::Kind::usage);
    }
  }
  const WorkFolder folder;
  const auto writer = create_writer(folder.path() / "in.pdb", molecule, {});
  writer->add(molecule.trajectory->frame(frame));
  writer->finish();
  run_propka(folder.path(), job);
  const std::vector<ProtonationChoice> choices = states_of_summary(text_of(folder.path() / "in.pka"), ph);
  if (choices.empty()) throw Error("propka3 predicted no pKa for this structure", Error::Kind::input);
  return choices;
}

}  // namespace isolume::cli
