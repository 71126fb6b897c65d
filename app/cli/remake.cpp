// Making a file again from the record next to it.
#include "app/cli/remake.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <thread>

#include "app/cli/command.h"
#include "app/cli/interrupt.h"
#include "app/cli/made.h"
#include "app/export/made_record.h"
#include "app/export/recorded_export.h"
#include "app/export/recorded_table.h"
#include "app/scene/scene_json.h"
#include "formats/bytes/input_files.h"
#include "formats/write/output_file.h"
#include "formats/write/published_files.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

extern char** environ;

namespace isolume::cli {
namespace {

namespace fs = std::filesystem;
constexpr const char* folder_key = "ISOLUME_WRITE_BELOW";
constexpr std::string_view folder_entry = "ISOLUME_WRITE_BELOW=";
constexpr std::string_view record_ending = ".made.json";

/// A folder that is removed at the end.
class WorkFolder {
 public:
  explicit WorkFolder(const std::string& out) {
    const fs::path parent = fs::absolute(out).parent_path();
    std::string name = (parent / ".isolume-replay-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw Error(parent.string() + ": no folder can be made: " + std::strerror(errno));
    path_ = name;
  }
  ~WorkFolder() {
    std::error_code failed;
    fs::remove_all(path_, failed);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string known_record(const std::string& file) {
  if (file.ends_with(record_ending)) return file;
  if (const auto found = find_record(file)) return *found;
  throw Error::in_file(file, 0,
                       fmt::format("has no record of how it was made: expected {} next to it", record_of(file)));
}

/// The output of the record that is meant: by its name, else by its content.
const MadeFile& meant(const MadeRecord& record, const std::string& record_path, const std::string& file) {
  const bool itself = file.ends_with(record_ending);
  const std::string name = itself ? file.substr(0, file.size() - record_ending.size()) : file;
  const std::string wanted = fs::absolute(name).lexically_normal().string();
  for (const MadeFile& output : record.outputs)
    if (output.path == wanted) return output;
  if (itself && !record.outputs.empty()) return record.outputs.front();
  if (fs::exists(file)) {
    const MadeFile found = made_file(file);
    for (const MadeFile& output : record.outputs)
      if (output == found) return output;
  }
  throw Error::in_file(record_path, 0, "is the record of other files, not of " + file);
}

void check_inputs(Run& run, const MadeRecord& record, const Remake& what) {
  for (const MadeFile& wanted : record.inputs) {
    if (wanted.scene && !fs::exists(wanted.path)) continue;
    if (!fs::exists(wanted.path))
      throw Error::in_file(wanted.path, 0, "is not there; " + what.file + " was made from it");
    run.report.input(wanted.path);
    const MadeFile found = made_file(wanted.path);
    if (found == wanted) continue;
    const std::string text =
        fmt::format("is not the file that {} was made from ({} bytes, sha256 {}...; then {} bytes, {}...)", what.file,
                    found.bytes, found.sha256.substr(0, 12), wanted.bytes, wanted.sha256.substr(0, 12));
    if (!what.force) throw Error::in_file(wanted.path, 0, text + "; --force makes it all the same");
    run.say("note: " + wanted.path + ": " + text);
  }
}

/// A session that is there no more, written from the record; the word as it is where it is of no such session.
std::string input_word(const MadeRecord& record, const MadeWord& word, const fs::path& work, bool& written) {
  if (word.kind != MadeWord::Kind::input || fs::exists(word.path)) return word.text();
  for (const MadeFile& input : record.inputs) {
    if (!input.scene || input.path != word.path) continue;
    fs::create_directory(work / "sessions");
    const fs::path session = work / "sessions" / fs::path(word.path).filename();
    write_scene(session.string(), *input.scene);
    written = true;
    return word.before + session.string() + word.after;
  }
  return word.text();
}

/// The command with its outputs in the work folder: those of each folder in one of its own.
std::vector<std::string> command_of(const MadeRecord& record, const fs::path& work, const std::string& path) {
  constexpr std::array<std::string_view, 4> verbs = {"compute", "convert", "merge", "render"};
  if (record.words.empty() || std::find(verbs.begin(), verbs.end(), record.words[0].text()) == verbs.end())
    throw Error::in_file(path, 0, "names no command that makes files");
  std::map<fs::path, std::string> folders;
  std::vector<std::string> words;
  bool session = false;
  for (const MadeWord& word : record.words) {
    if (word.kind != MadeWord::Kind::output) {
      words.push_back(input_word(record, word, work, session));
      continue;
    }
    const fs::path file(word.path);
    const auto [own, added] = folders.try_emplace(file.parent_path(), std::to_string(folders.size()));
    if (added) fs::create_directory(work / own->second);
    words.push_back(word.before + (work / own->second / file.filename()).string() + word.after);
  }
  if (folders.empty()) throw Error::in_file(path, 0, "names a command that has no output");
  // Its files are not below that folder; the record's own have been looked at.
  if (session && std::find(words.begin(), words.end(), "--trust-paths") == words.end())
    words.emplace_back("--trust-paths");
  return words;
}

void set_option(std::vector<std::string>& words, const std::string& name, const std::string& value) {
  for (std::size_t i = 0; i < words.size();) {
    if (words[i] == name && i + 1 < words.size()) {
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(i), words.begin() + static_cast<std::ptrdiff_t>(i + 2));
    } else if (words[i].starts_with(name + "=")) {
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  words.push_back(name);
  words.push_back(value);
}

/// Runs this program for a file that goes to `out`; its exit code.
int run_program(const std::vector<std::string>& words, const std::string& command, const std::string& out,
                const fs::path& work, Job& job) {
  std::string program = "isolume", folder = fmt::format("{}{}", folder_entry, fs::canonical(work).string());
  std::string carried = fmt::format("{}={}", carried_command_key, command);
  std::string final = fmt::format("{}={}", final_folder_key, fs::absolute(out).parent_path().string());
  std::vector<char*> argv{program.data()}, environment;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (!std::string_view(*entry).starts_with(folder_entry)) environment.push_back(*entry);
  environment.push_back(folder.data());
  environment.push_back(final.data());
  if (!command.empty()) environment.push_back(carried.data());
  environment.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addchdir_np(&actions, work.c_str());
  pid_t child = -1;
  const int fault = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (fault != 0) throw Error(fmt::format("the command cannot be started: {}", std::strerror(fault)));
  const AtForcedEnd end([child] { kill(child, SIGKILL); });
  int status = 0;
  try {
    while (waitpid(child, &status, WNOHANG) == 0) {
      job.check();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  } catch (...) {
    kill(child, SIGTERM);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    throw;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void copy_file(const fs::path& from, const std::string& to) {
  std::ifstream in(from, std::ios::binary);
  if (!in) throw Error(from.string() + ": cannot be read");
  write_atomically(to, [&](std::ostream& out) {
    if (in.peek() != std::ifstream::traits_type::eof()) out << in.rdbuf();
  });
}

/// The colours of an OBJ, which names them: next to it, where nothing else is.
void copy_colours(Run& run, const fs::path& made, const std::string& out) {
  fs::path colours = made;
  colours.replace_extension(".mtl");
  if (made.extension() != ".obj" || !fs::exists(colours)) return;
  const fs::path to = fs::absolute(out).parent_path() / colours.filename();
  if (!fs::exists(to)) {
    copy_file(colours, to.string());
  } else if (!(made_file(to.string()) == made_file(colours.string()))) {
    run.say(fmt::format("note: {} is another file and stays; {} names it for its colours", to.string(), out));
  }
}

fs::path made_below(const fs::path& work, const std::string& name) {
  for (const fs::directory_entry& folder : fs::directory_iterator(work))
    if (folder.is_directory() && fs::is_regular_file(folder.path() / name)) return folder.path() / name;
  throw Error(fmt::format("the command ran, but made no {}", name));
}

/// Runs the command of the record in a folder of its own.
fs::path made_by_command(Run& run, const Common& common, const MadeRecord& record, const std::string& path,
                         const Remake& what, const std::string& name, const fs::path& work) {
  std::vector<std::string> words = command_of(record, work, path);
  if (common.device != "auto") set_option(words, "--device", common.device);
  if (common.threads > 0) set_option(words, "--threads", std::to_string(common.threads));
  if (common.memory_limit > 0) set_option(words, "--memory-limit", fmt::format("{}", common.memory_limit));
  words.insert(words.end(), {"--no-record", "--quiet"});
  const int code = run_program(words, record.about.value("command", ""), what.out, work, run.job());
  if (code != 0)
    throw Error(fmt::format("the command that made {} failed with code {}", what.file, code),
                code == 2 || code == 3 || code == 130 ? static_cast<Error::Kind>(code) : Error::Kind::failed);
  return made_below(work, name);
}

/// Writes what a window exported.
fs::path made_by_export(Run& run, const MadeRecord& record, const std::string& out, const std::string& name,
                        const fs::path& work) {
  RecordedExport exported = *record.exported;
  exported.what.folder = fs::absolute(out).parent_path().string();
  const fs::path file = work / name;
  export_again(exported, file.string(), run.device, run.job());
  return file;
}

/// Writes the table of a panel.
fs::path made_by_panel(Run& run, const MadeRecord& record, const Remake& what, const std::string& name,
                       const fs::path& work) {
  const fs::path file = work / name;
  try {
    what.write_table(*record.table, file.string(), run.device, run.job());
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", what.file, error.what()), error.kind());
  }
  return file;
}

bool was_on_gpu(const MadeRecord& record) {
  const auto device = record.about.value("device", nlohmann::ordered_json::object());
  return device.is_object() && device.value("kind", "") == "cuda";
}

/// The same record for the file under its new name.
MadeRecord record_for(MadeRecord record, const std::string& out, const std::string& name) {
  const fs::path folder = fs::absolute(out).parent_path();
  for (MadeWord& word : record.words)
    if (word.kind == MadeWord::Kind::output) word.path = (folder / fs::path(word.path).filename()).string();
  record.outputs = {made_file(out)};
  record.outputs[0].made_as = name;
  return record;
}

}  // namespace

void remake(const Common& common, const Remake& what) {
  const std::string path = known_record(what.file);
  const MadeRecord record = read_record(path);
  const MadeFile wanted = meant(record, path, what.file);
  const std::string name = wanted.made_as.empty() ? fs::path(wanted.path).filename().string() : wanted.made_as;
  const std::string extension = extension_of(name);
  check_output(what.out, extension + (name.ends_with(".gz") ? " gz" : ""));
  if (what.out.ends_with(".gz") != name.ends_with(".gz"))
    throw Error(fmt::format("{}: {} has another extension", what.out, name), Error::Kind::usage);
  Run run(common, common.device != "auto" || ((record.exported || record.table) && was_on_gpu(record)));
  std::vector<std::string> inputs{path};
  for (const MadeFile& input : record.inputs) inputs.push_back(input.path);
  check_outputs({what.out, common.report}, inputs);
  if (const std::vector<std::string> foreign = foreign_inputs(record, path); !foreign.empty() && !what.trust)
    throw Error(fmt::format("{}: names files outside its folder: {}{}; --trust-paths opens them", path, foreign[0],
                            foreign.size() > 1 ? ", ..." : ""),
                Error::Kind::usage);
  check_inputs(run, record, what);
  if (record.program != "Isolume " ISOLUME_VERSION)
    run.say(fmt::format("note: made by {}, made again by Isolume " ISOLUME_VERSION, record.program));
  run.report.phase("read");
  const WorkFolder work(what.out);
  const fs::path made = record.exported ? made_by_export(run, record, what.out, name, work.path())
                        : record.table  ? made_by_panel(run, record, what, name, work.path())
                                        : made_by_command(run, common, record, path, what, name, work.path());
  run.report.phase("compute");
  copy_file(made, what.out);
  copy_colours(run, made, what.out);
  const MadeRecord next = record_for(record, what.out, name);
  std::error_code none;  // a lost file that comes back under its own name has its record already
  if (!fs::equivalent(record_of(what.out), path, none)) write_record(record_of(what.out), next);
  const bool same = next.outputs[0] == wanted;
  run.report.phase("write");
  run.report.method = {{"name", "replay"}, {"file", what.file}, {"record", path}, {"made_by", record.program}};
  run.report.result = {{"files", {what.out}}, {"bytes", next.outputs[0].bytes}, {"same_bytes", same}};
  run.say(same ? fmt::format("{}: the same bytes as before", what.out)
               : fmt::format("note: {}: not the same bytes as before (made on {}; another device, build or number of "
                             "threads may round otherwise)",
                             what.out,
                             record.about.value("device", nlohmann::ordered_json::object()).value("name", "")));
  run.finish();
}

void confine_replayed_command() {
  if (const char* const folder = std::getenv(folder_key)) confine_outputs(folder);
}

}  // namespace isolume::cli
