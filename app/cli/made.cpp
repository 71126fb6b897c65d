// The record of a command next to what it has written.
#include "app/cli/made.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "app/cli/scene_input.h"
#include "app/export/made_record.h"
#include "app/export/picture_file.h"
#include "app/scene/packed_session.h"
#include "app/scene/scene_json.h"
#include "compute/base/device.h"
#include "formats/bytes/opened_files.h"
#include "formats/write/published_files.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

namespace fs = std::filesystem;

bool without = false;
std::vector<std::string> outputs;

std::string place_of(const std::string& path) {
  return path.empty() ? std::string() : fs::absolute(path).lexically_normal().string();
}

/// Paths, and where they are.
struct Files {
  std::vector<std::string> paths;
  std::set<std::string> places;

  explicit Files(std::vector<std::string> given) : paths(std::move(given)) {
    for (const std::string& path : paths) places.insert(place_of(path));
  }
  bool has(const std::string& path) const { return !path.empty() && places.contains(place_of(path)); }
};

/// Whether a word names a folder or a pattern of which files were read.
bool names_several(const std::string& word, const Files& opened) {
  std::error_code failed;
  const bool folder = fs::is_directory(word, failed);
  if (!folder && word.find_first_of("*?") == std::string::npos) return false;
  const std::string place = place_of(folder ? word : (fs::path(word).parent_path() / ".").string());
  return std::any_of(opened.places.begin(), opened.places.end(),
                     [&](const std::string& file) { return file.starts_with(place); });
}

/// Where a path is part of a word: "--out=a.dx", "charges.csv:2".
MadeWord part_of(const std::string& word, MadeWord::Kind kind, const std::vector<std::string>& paths) {
  MadeWord best;
  best.before = word;
  for (const std::string& path : paths) {
    const std::size_t at = word.find(path);
    if (path.empty() || at == std::string::npos || path.size() < best.path.size()) continue;
    const std::size_t end = at + path.size();
    const bool begins = at == 0 || word[at - 1] == '=' || word[at - 1] == ':' || word[at - 1] == ',';
    const bool ends = end == word.size() || word[end] == ':' || word[end] == ',';
    if (begins && ends) best = {kind, word.substr(0, at), path, word.substr(end)};
  }
  return best;
}

/// `valued`: behind the name of an option, where a plain word is rather a selection or a choice than a folder.
MadeWord word_of(const std::string& word, bool valued, const Files& opened, const Files& made) {
  using Kind = MadeWord::Kind;
  if (made.has(word)) return {Kind::output, {}, word, {}};
  const bool several = names_several(word, opened) && (!valued || word.find('/') != std::string::npos);
  if (opened.has(word) || several) return {Kind::input, {}, word, {}};
  const MadeWord output = part_of(word, Kind::output, made.paths);
  return output.kind == Kind::output ? output : part_of(word, Kind::input, opened.paths);
}

/// What a session says whose files are next to it; null for other files.
std::shared_ptr<const Scene> scene_of(const std::string& file) {
  if (!is_scene(file) || file.ends_with(".mvsj") || is_packed_session(file)) return nullptr;
  try {
    auto scene = std::make_shared<Scene>(read_scene(file));
    // One without a camera is fitted when it is drawn, which a scene cannot say.
    return scene->camera.height > 0 ? scene : nullptr;
  } catch (const Error&) {
    return nullptr;
  }
}

/// In place of the files that came out of a session that carries them, which the cache loses, the session.
void name_packed_sessions(const std::vector<std::string>& arguments, std::vector<std::string>& read) {
  std::error_code failed;
  for (const std::string& word : arguments) {
    std::string file = word;
    if (!fs::is_regular_file(file, failed)) file.resize(std::min(file.size(), file.rfind(':')));
    if (!fs::is_regular_file(file, failed) || !is_packed_session(file)) continue;
    const std::string folder = place_of(unpacked_folder(file)) + "/";
    const auto gone = std::erase_if(read, [&](const std::string& path) {
      return place_of(path).starts_with(folder) || place_of(path) == place_of(file);
    });
    if (gone > 0) read.insert(read.begin(), file);
  }
}

/// The one that is named first on the command line, else the first that is no help to another (an .mtl).
std::string first_of(const std::vector<std::string>& arguments, const Files& written) {
  for (const std::string& word : arguments)
    if (written.has(word)) return word;
  for (const std::string& file : written.paths)
    if (!file.ends_with(".mtl")) return file;
  return written.paths.front();
}

}  // namespace

void add_record_option(Verb command) {
  command.flag("--no-record", without, "no NAME.made.json with the command and its inputs next to what is written")
      .group("Common options");
}

void note_outputs(const std::vector<std::string>& words) {
  outputs = words;
}

std::string quoted(const std::string& word) {
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos && word[0] != '=') return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string carried_command(const std::vector<std::string>& arguments) {
  if (const char* const first = std::getenv(carried_command_key)) return first;
  std::string command = "isolume";
  std::error_code failed;
  for (const std::string& word : arguments) {
    const std::size_t value = word.starts_with("--") ? word.find('=') + 1 : 0;
    const fs::path path(word.substr(value));
    const bool file = path.is_absolute() || fs::exists(path, failed);
    command += " " + quoted(word.substr(0, value) + (file ? path.filename() : path).string());
  }
  return command;
}

std::string final_folder(const std::string& file) {
  if (const char* const folder = std::getenv(final_folder_key)) return folder;
  const fs::path parent = fs::path(file).parent_path();
  return parent.empty() ? "." : parent.string();
}

void write_made(const std::vector<std::string>& arguments, const std::string& report_path, Device device,
                const Report& report) {
  if (without || arguments.empty() || arguments[0] == "replay") return;
  std::vector<std::string> written = published_files();
  std::error_code failed;
  std::erase_if(written, [&](const std::string& file) {
    return (!report_path.empty() && place_of(file) == place_of(report_path)) || !fs::is_regular_file(file, failed);
  });
  const bool pictures = arguments[0] == "render";  // each carries its scene
  if (written.empty() || (pictures && std::all_of(written.begin(), written.end(), carries_scene))) return;
  const Files all_written(written);
  std::vector<std::string> read = opened_files();
  std::erase_if(read,
                [&](const std::string& file) { return all_written.has(file) || !fs::is_regular_file(file, failed); });
  name_packed_sessions(arguments, read);
  const Files opened(read);
  written.insert(written.end(), outputs.begin(), outputs.end());
  const Files made(written);
  MadeRecord record;
  record.program = "Isolume " ISOLUME_VERSION;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool valued = i > 0 && arguments[i - 1].starts_with("--");
    record.words.push_back(word_of(arguments[i], valued, opened, made));
  }
  for (const std::string& file : opened.paths) {
    record.inputs.push_back(made_file(file));
    if (pictures) record.inputs.back().scene = scene_of(file);
  }
  for (const std::string& file : all_written.paths) record.outputs.push_back(made_file(file));
  record.about = {{"command", carried_command(arguments)},
                  {"device", {{"kind", device.is_cuda() ? "cuda" : "cpu"}, {"name", to_string(device)}}},
                  {"method", report.method},
                  {"unit", report.unit},
                  {"error", report.error}};
  write_record(record_of(first_of(arguments, all_written)), record);
}

}  // namespace isolume::cli
