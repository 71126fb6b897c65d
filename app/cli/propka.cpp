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
#include <map>
#include <regex>
#include <sstream>
#include <string_view>
#include <utility>

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

/// The structure with a letter for each chain and numbers from 1: PDB files and PROPKA's tables have room for no more,
/// and the tables have no insertion codes.
struct Renumbered {
  Molecule molecule;
  std::map<std::pair<std::string, std::int32_t>, std::size_t> residues;
};

Renumbered renumbered(const Molecule& molecule) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  constexpr std::uint32_t most_residues = 9999;
  Topology topology = *molecule.topology;
  Renumbered result;
  if (topology.chains.size() > letters.size())
    throw Error(fmt::format("PROPKA reads PDB files, which have names for {} chains; this structure has {}",
                            letters.size(), topology.chains.size()),
                Error::Kind::usage);
  for (std::size_t c = 0; c < topology.chains.size(); ++c) {
    Chain& chain = topology.chains[c];
    if (chain.residue_count > most_residues)
      throw Error(fmt::format("PROPKA reads PDB files, which number {} residues of a chain; chain {} has {}",
                              most_residues, chain.id, chain.residue_count),
                  Error::Kind::usage);
    chain.id = std::string(1, letters[c]);
    for (std::uint32_t k = 0; k < chain.residue_count; ++k) {
      Residue& residue = topology.residues[chain.first_residue + k];
      residue.number = static_cast<std::int32_t>(k + 1);
      residue.insertion = ' ';
      result.residues[{chain.id, residue.number}] = chain.first_residue + k;
    }
  }
  result.molecule = molecule;
  result.molecule.topology = std::make_shared<const Topology>(std::move(topology));
  return result;
}

}  // namespace

std::vector<ProtonationChoice> states_of_summary(const std::string& text, double ph) {
  std::vector<ProtonationChoice> choices;
  // Lines such as "ASP  21 A     3.36       3.80", "TYR1021 A", "LYS  -3 _": the number may touch the name.
  static const std::regex line_of_group(R"(^\s*([A-Z]{3})\s*(-?\d+)\s*(\S)\s+(-?\d+(?:\.\d*)?)\*?(?:\s|$))");
  const auto from = text.find("SUMMARY OF THIS PREDICTION");
  std::istringstream lines(from == std::string::npos ? std::string() : text.substr(from));
  std::string line;
  std::getline(lines, line);
  std::getline(lines, line);
  while (std::getline(lines, line) && !line.starts_with('-')) {
    std::smatch parts;
    if (line.size() > 200 || !std::regex_search(line, parts, line_of_group)) continue;  // N+, C-, ligands
    if (line.find("Discarded") != std::string::npos) continue;  // of coupled groups the other one counts
    const std::string name = parts[1], number_text = parts[2], pka_text = parts[4];
    const auto number = parse_integer(number_text);
    const auto pka = parse_real(pka_text);
    if (!number || !pka) continue;
    const bool protonated = ph < *pka;
    const char* state = nullptr;
    if (name == "ASP") state = protonated ? "ASH" : "ASP";
    if (name == "GLU") state = protonated ? "GLH" : "GLU";
    if (name == "LYS") state = protonated ? "LYS" : "LYN";
    if (name == "ARG") state = protonated ? "ARG" : "ARN";
    if (name == "TYR") state = protonated ? "TYR" : "TYM";
    if (name == "CYS" && *pka < 90) state = protonated ? "CYS" : "CYM";  // 99.99 in a bridge
    if (name == "HIS" && protonated) state = "HIP";
    if (name == "HIS" && !protonated && ph < 6.5) state = "HIE";  // the model pKa would protonate it
    if (!state) continue;
    ProtonationChoice choice;
    choice.chain = parts[3];
    if (choice.chain == "_") choice.chain.clear();
    choice.number = static_cast<std::int32_t>(*number);
    choice.state = state;
    choice.why = fmt::format("PROPKA pKa {:.2f}", *pka);
    choices.push_back(std::move(choice));
  }
  return choices;
}

std::vector<ProtonationChoice> propka_states(const Molecule& molecule, std::size_t frame, double ph, Job& job) {
  const Renumbered numbered = renumbered(molecule);
  const WorkFolder folder;
  const auto writer = create_writer(folder.path() / "in.pdb", numbered.molecule, {});
  writer->add(molecule.trajectory->frame(frame));
  writer->finish();
  run_propka(folder.path(), job);
  std::vector<ProtonationChoice> choices = states_of_summary(text_of(folder.path() / "in.pka"), ph);
  if (choices.empty()) throw Error("propka3 predicted no pKa for this structure", Error::Kind::input);
  const Topology& topology = *molecule.topology;
  for (ProtonationChoice& choice : choices) {
    const auto found = numbered.residues.find({choice.chain, choice.number});
    if (found == numbered.residues.end()) {
      throw Error(fmt::format("propka3 names residue {} {}, which it was not given", choice.chain, choice.number));
    }
    const Residue& residue = topology.residues[found->second];
    choice.chain = topology.chains[residue.chain].id;
    choice.number = residue.number;
    choice.insertion = residue.insertion;
  }
  return choices;
}

}  // namespace isolume::cli
