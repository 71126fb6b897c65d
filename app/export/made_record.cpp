// What made a file, next to it.
#include "app/export/made_record.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "app/export/recorded_export.h"
#include "app/export/recorded_table.h"
#include "app/export/sha256.h"
#include "app/scene/foreign_paths.h"
#include "app/scene/scene_json.h"
#include "formats/bytes/byte_source.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/base/stop.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* ending = ".made.json";
constexpr const char* format_name = "isolume-made";
constexpr std::uint64_t piece = 1 << 20, pieces = 64;
constexpr std::uintmax_t largest_record = 4 << 20;

fs::path folder_of(const std::string& path) {
  const fs::path parent = fs::absolute(path).lexically_normal().parent_path();
  return parent;
}

/// Links resolved as far as there is something.
fs::path resolved(const fs::path& path) {
  std::error_code failed;
  const fs::path whole = fs::weakly_canonical(fs::absolute(path), failed);
  return failed ? fs::absolute(path).lexically_normal() : whole;
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const auto [left, unused] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return left == folder.end();
}

/// Relative to the folder where it is below it.
std::string kept_path(const std::string& path, const fs::path& folder) {
  const fs::path whole = fs::absolute(path).lexically_normal();
  return is_below(whole, folder) ? whole.lexically_relative(folder).string() : whole.string();
}

std::string own_path(const std::string& path, const fs::path& folder) {
  return (fs::path(path).is_absolute() ? fs::path(path) : folder / path).lexically_normal().string();
}

Json json_of(const MadeFile& file, const fs::path& folder) {
  Json json{{"path", kept_path(file.path, folder)},
            {"bytes", file.bytes},
            {file.sampled ? "sha256_of_samples" : "sha256", file.sha256}};
  if (!file.made_as.empty()) json["made_as"] = file.made_as;
  if (file.scene) json["scene"] = Json::parse(scene_to_json(*file.scene, folder.string()));
  return json;
}

MadeFile file_of(const Json& json, const fs::path& folder) {
  MadeFile file;
  file.path = own_path(json.at("path").get<std::string>(), folder);
  file.bytes = json.at("bytes").get<std::uint64_t>();
  file.sampled = json.contains("sha256_of_samples");
  file.sha256 = json.at(file.sampled ? "sha256_of_samples" : "sha256").get<std::string>();
  file.made_as = fs::path(json.value("made_as", "")).filename().string();
  if (json.contains("scene"))
    file.scene = std::make_shared<Scene>(scene_from_json(json["scene"].dump(), folder.string()));
  return file;
}

Json json_of(const MadeWord& word, const fs::path& folder) {
  if (word.kind == MadeWord::Kind::plain) return word.before;
  Json json = Json::object();
  if (!word.before.empty()) json["before"] = word.before;
  json[word.kind == MadeWord::Kind::input ? "input" : "output"] = kept_path(word.path, folder);
  if (!word.after.empty()) json["after"] = word.after;
  return json;
}

MadeWord word_of(const Json& json, const fs::path& folder) {
  MadeWord word;
  if (json.is_string()) {
    word.before = json.get<std::string>();
    return word;
  }
  word.kind = json.contains("input") ? MadeWord::Kind::input : MadeWord::Kind::output;
  word.before = json.value("before", "");
  word.after = json.value("after", "");
  word.path = own_path(json.at(word.kind == MadeWord::Kind::input ? "input" : "output").get<std::string>(), folder);
  return word;
}

/// Whether a path is that of a session that is there no more, whose scene the record has.
bool has_scene(const MadeRecord& record, const std::string& path) {
  return std::any_of(record.inputs.begin(), record.inputs.end(), [&](const MadeFile& file) {
    return file.scene && !fs::exists(file.path) && own_path(file.path, {}) == own_path(path, {});
  });
}

/// Paths below the folder, wherever they are among the values.
void make_relative(Json& json, const fs::path& folder) {
  if (json.is_string()) {
    const auto& text = json.get_ref<const std::string&>();
    if (text.starts_with(folder.string() + "/")) json = kept_path(text, folder);
  } else if (json.is_structured()) {
    for (Json& value : json) make_relative(value, folder);
  }
}

}  // namespace

MadeFile made_file(const std::string& path) {
  std::error_code failed;
  const std::uintmax_t size = fs::file_size(path, failed);
  if (failed || size <= piece * pieces) {
    const FileHash hash = hash_file(path);
    return {hash.path, hash.bytes, hash.sha256, false, {}};
  }
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) throw Error::in_file(path, 0, std::string("cannot be read: ") + std::strerror(errno));
  const std::unique_ptr<const int, void (*)(const int*)> closer(&file, [](const int* open) { ::close(*open); });
  Sha256 hash;
  std::vector<std::byte> buffer(piece);
  for (std::uint64_t i = 0; i < pieces; ++i) {
    check_stop();
    const std::uint64_t at = (size - piece) / (pieces - 1) * i + (i + 1 == pieces ? (size - piece) % (pieces - 1) : 0);
    for (std::size_t done = 0; done < piece;) {
      const ssize_t got = ::pread(file, buffer.data() + done, piece - done, static_cast<off_t>(at + done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) throw Error::in_file(path, 0, "cannot be read to its end");
      done += static_cast<std::size_t>(got);
    }
    hash.add(buffer);
  }
  return {path, size, hash.finish(), true, {}};
}

std::string record_of(const std::string& path) {
  return path + ending;
}

void write_record(const std::string& path, const MadeRecord& record) {
  const fs::path folder = folder_of(path);
  Json json{{"format", format_name}, {"version", 1}, {"program", record.program}};
  for (const auto& [key, list] : {std::pair("inputs", &record.inputs), std::pair("outputs", &record.outputs)}) {
    json[key] = Json::array();
    for (const MadeFile& file : *list) json[key].push_back(json_of(file, folder));
  }
  json["arguments"] = Json::array();
  for (const MadeWord& word : record.words) json["arguments"].push_back(json_of(word, folder));
  if (record.exported) json["export"] = json_of(*record.exported, folder.string());
  if (record.table) json["table"] = json_of(*record.table, folder.string());
  for (const auto& [key, value] : record.about.items()) {
    json[key] = value;
    make_relative(json[key], folder);
  }
  const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  write_atomically(path, [&](std::ostream& out) { out << text; });
}

MadeRecord read_record(const std::string& path) {
  std::error_code failed;
  if (fs::file_size(path, failed) > largest_record && !failed)
    throw Error::in_file(path, 0, "is too large for the record of a file");
  const auto source = ByteSource::open(path);
  const fs::path folder = folder_of(path);
  MadeRecord record;
  try {
    const Json json = Json::parse(source->text());
    if (json.at("format").get<std::string>() != format_name || json.at("version").get<int>() != 1)
      throw Error::in_file(path, 0, "is not the record of a file that this version knows");
    record.program = json.at("program").get<std::string>();
    for (const Json& word : json.at("arguments")) record.words.push_back(word_of(word, folder));
    for (const Json& file : json.at("inputs")) record.inputs.push_back(file_of(file, folder));
    for (const Json& file : json.at("outputs")) record.outputs.push_back(file_of(file, folder));
    if (json.contains("export"))
      record.exported = std::make_shared<RecordedExport>(exported_of(json["export"], folder.string()));
    if (json.contains("table"))
      record.table = std::make_shared<RecordedTable>(table_of(json["table"], folder.string()));
    record.about = Json::object();
    for (const char* const key : {"command", "device", "method", "unit", "error"})
      if (json.contains(key)) record.about[key] = json[key];
  } catch (const nlohmann::json::exception&) {
    throw Error::in_file(path, 0, "is not the record of a file: expected what Isolume writes as NAME.made.json");
  }
  return record;
}

std::optional<std::string> find_record(const std::string& path) {
  if (fs::exists(record_of(path))) return record_of(path);
  const fs::path folder = folder_of(path);
  const std::string wanted = fs::absolute(path).lexically_normal().string();
  std::vector<std::string> records;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
    if (entry->path().string().ends_with(ending)) records.push_back(entry->path().string());
  std::sort(records.begin(), records.end());
  for (const std::string& name : records) {
    try {
      const MadeRecord record = read_record(name);
      if (std::any_of(record.outputs.begin(), record.outputs.end(),
                      [&](const MadeFile& file) { return file.path == wanted; }))
        return name;
    } catch (const Error&) {
      // It is the record of something else.
    }
  }
  return std::nullopt;
}

std::vector<std::string> foreign_inputs(const MadeRecord& record, const std::string& path) {
  const fs::path folder = resolved(fs::absolute(path).parent_path());
  std::vector<std::string> foreign;
  const auto look_at = [&](const std::string& file) {
    if (!is_below(resolved(file), folder) && std::find(foreign.begin(), foreign.end(), file) == foreign.end())
      foreign.push_back(file);
  };
  const auto look_at_scene = [&](const Scene& scene) {
    for (const std::string& file : foreign_paths(scene, path))
      if (std::find(foreign.begin(), foreign.end(), file) == foreign.end()) foreign.push_back(file);
  };
  for (const MadeFile& file : record.inputs) {
    if (file.scene) look_at_scene(*file.scene);
    if (!file.scene || fs::exists(file.path)) look_at(file.path);
  }
  if (record.exported) look_at_scene(record.exported->scene);
  if (record.table) look_at_scene(record.table->scene);
  for (const MadeWord& word : record.words)
    if (word.kind == MadeWord::Kind::input && !has_scene(record, word.path)) look_at(word.path);
  return foreign;
}

}  // namespace isolume
