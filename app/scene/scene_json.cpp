// Scenes as JSON text: versions, paths, files, and values set by their path.
#include "app/scene/scene_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/scene/built_in_tables.h"
#include "app/scene/molviewspec.h"
#include "app/scene/named_selections.h"
#include "app/scene/packed_session.h"
#include "app/scene/scene_archive.h"
#include "app/scene/scene_text.h"
#include "app/scene/unpacked_cache.h"
#include "formats/bytes/byte_source.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr int version = 2;
constexpr int oldest = 1;  // isovalues and ranges of potentials were in volts
constexpr const char* format_name = "isolume-scene";
constexpr std::size_t longest = std::size_t{1} << 24;  // bytes of JSON
constexpr int deepest = 64;

// Refuses what the parser would follow too far: brackets nested deeper than the limit.
void check_depth(const std::string& text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"' || i >= text.size();
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > deepest)
        throw Error(fmt::format("byte {}: brackets nested deeper than {}", i, deepest), Error::Kind::input);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
}

// Below `folder`: relative to it. Elsewhere: absolute.
std::string stored_path(const std::string& path, const std::string& folder) {
  if (folder.empty()) return path;
  const fs::path whole = fs::absolute(path).lexically_normal();
  const fs::path relative = whole.lexically_relative(fs::absolute(folder).lexically_normal());
  if (relative.empty() || relative == "." || *relative.begin() == "..") return whole.string();
  return relative.string();
}

std::string folder_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

// "representations[0].style" into keys and indices.
std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> parts;
  std::string part;
  const auto flush = [&] {
    if (!part.empty()) parts.push_back(std::move(part));
    part.clear();
  };
  for (const char c : path) {
    if (c == '.' || c == '[' || c == ']') {
      flush();
    } else {
      part += c;
    }
  }
  flush();
  return parts;
}

std::string contents(const Json& node) {
  if (node.is_array()) {
    if (node.empty()) return "it is empty";
    return node.size() == 1 ? "it has the entry [0]" : fmt::format("it has the entries [0] to [{}]", node.size() - 1);
  }
  std::vector<std::string> keys;
  for (const auto& item : node.items()) keys.push_back(item.key());
  return fmt::format("it has {}", fmt::join(keys, ", "));
}

// The value at a path. Throws Error (usage) that lists what there is.
Json& locate(Json& tree, const std::string& path) {
  Json* node = &tree;
  std::string so_far = "the scene";
  const std::vector<std::string> parts = split_path(path);
  if (parts.empty())
    throw Error(fmt::format("'{}' names no value; the scene: {}", path, contents(tree)), Error::Kind::usage);
  for (const std::string& part : parts) {
    if (node->is_array()) {
      std::size_t index = 0;
      const auto [end, fault] = std::from_chars(part.data(), part.data() + part.size(), index);
      if (fault != std::errc() || end != part.data() + part.size() || index >= node->size())
        throw Error(fmt::format("'{}': {} has no entry [{}]; {}", path, so_far, part, contents(*node)),
                    Error::Kind::usage);
      node = &(*node)[index];
    } else if (node->is_object() && node->contains(part)) {
      node = &(*node)[part];
    } else if (node->is_object()) {
      throw Error(fmt::format("'{}': {} has no '{}'; {}", path, so_far, part, contents(*node)), Error::Kind::usage);
    } else {
      throw Error(fmt::format("'{}': {} is a value and has no '{}'", path, so_far, part), Error::Kind::usage);
    }
    so_far = so_far == "the scene" ? part : so_far + (part[0] >= '0' && part[0] <= '9' ? "[" + part + "]" : "." + part);
  }
  return *node;
}

Json value_from_text(const std::string& text, const Json& old) {
  // A colour that is no whole number of bytes is in the scene as three numbers.
  const bool colour = old.is_string() && old.get_ref<const std::string&>().starts_with('#') && text.starts_with('[');
  if (old.is_string() && !colour && (text.empty() || text[0] != '"')) return text;
  if (text.size() <= longest) {
    check_depth(text);
    Json value = Json::parse(text, nullptr, false);
    if (!value.is_discarded()) return value;
  }
  return text;
}

}  // namespace

Json parse_scene_text(const std::string& text) {
  if (text.size() > longest)
    throw Error(fmt::format("{} bytes are more than a scene may have ({})", text.size(), longest), Error::Kind::input);
  check_depth(text);
  try {
    return Json::parse(text);
  } catch (const Json::exception& fault) {
    std::string what = fault.what();  // "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
    if (const auto end = what.find("] "); end != std::string::npos) what.erase(0, end + 2);
    throw Error("not JSON: " + what, Error::Kind::input);
  }
}

std::string path_in_scene(const std::string& path, const std::string& folder, const std::string& where) {
  const fs::path given = fs::path(path).lexically_normal();
  if (path.empty()) throw Error(where + ": an empty path", Error::Kind::input);
  if (given.is_absolute()) return path;
  if (*given.begin() == "..")
    throw Error(fmt::format("{}: '{}' leaves the folder of the scene; write it as an absolute path", where, path),
                Error::Kind::input);
  return folder.empty() ? path : (fs::path(folder) / given).string();
}

std::string scene_to_json(const Scene& scene, const std::string& folder) {
  Scene stored = scene;
  for (SceneMolecule& molecule : stored.molecules)
    for (auto* paths : {&molecule.paths, &molecule.templates})
      for (std::string& path : *paths) {
        if (!names_tables(path)) path = stored_path(path, folder);
      }
  for (Representation& representation : stored.representations)
    if (!representation.file.empty()) representation.file = stored_path(representation.file, folder);
  nlohmann::ordered_json tree{{"format", format_name}, {"version", version}};
  tree.update(scene_to_tree(stored));
  try {
    return tree.dump(2) + "\n";
  } catch (const Json::exception&) {
    throw Error("the scene holds a text or a path that is not UTF-8; rename the file to save it");
  }
}

Scene scene_from_json(const std::string& json, const std::string& folder, std::vector<std::string>* notes) {
  Json tree = parse_scene_text(json);
  if (!tree.is_object() || !tree.contains("format") || tree["format"] != format_name)
    throw Error(fmt::format("not a scene: expected an object with \"format\": \"{}\"", format_name),
                Error::Kind::input);
  if (!tree.contains("version") || !tree["version"].is_number_integer() || tree["version"] < oldest ||
      tree["version"] > version) {
    const std::string found = tree.contains("version") ? tree["version"].dump().substr(0, 40) : "none";
    throw Error(
        fmt::format("version: expected {} to {}, found {}; a newer Isolume may read it", oldest, version, found),
        Error::Kind::input);
  }
  const bool in_volts = tree["version"] == oldest;
  for (const char* key : {"format", "version", "provenance"}) tree.erase(key);
  Scene scene = scene_from_tree(tree, notes);
  for (Field& field : scene.fields) {
    const PotentialSettings::Unit unit = field.potential.unit;
    if (!in_volts) break;
    field.potential.unit = PotentialSettings::Unit::volt;
    change_unit(field, unit);
  }
  for (std::size_t r = 0; r < scene.representations.size(); ++r)
    if (std::string& file = scene.representations[r].file; !file.empty())
      file = path_in_scene(file, folder, fmt::format("representations[{}].file", r));
  for (std::size_t m = 0; m < scene.molecules.size(); ++m) {
    SceneMolecule& molecule = scene.molecules[m];
    for (auto* paths : {&molecule.paths, &molecule.templates})
      for (std::size_t p = 0; p < paths->size(); ++p) {
        if (names_tables((*paths)[p])) continue;
        (*paths)[p] =
            path_in_scene((*paths)[p], folder,
                          fmt::format("molecules[{}].{}[{}]", m, paths == &molecule.paths ? "paths" : "templates", p));
      }
  }
  return scene;
}

Scene read_scene(const std::string& given, std::vector<std::string>* notes) {
  const std::string path = is_packed_session(given) ? unpack_session(given) : given;
  ReadLimits limits;
  limits.bytes_in = limits.bytes_out = longest;
  const auto source = ByteSource::open(path, limits);
  try {
    std::vector<std::string> unheard;
    if (is_molviewspec(path))
      return scene_from_molviewspec(std::string(source->text()), folder_of(path), notes ? *notes : unheard);
    const std::string text(source->text());
    Scene scene = scene_from_json(text, folder_of(path), notes);
    if (!parse_scene_text(text).contains("camera")) scene.camera.height = 0;  // whoever shows it fits it
    hold_unpacked(scene);
    return scene;
  } catch (const Error& error) {
    throw Error::in_file(path, 0, error.what());
  }
}

void write_scene(const std::string& path, const Scene& scene) {
  const std::string text = scene_to_json(scene, folder_of(path));
  write_atomically(path, [&](std::ostream& out) { out << text; });
}

void set_value(Scene& scene, const std::string& path, const std::string& value) {
  Json tree = Json::parse(scene_to_tree(scene).dump());
  Json& place = locate(tree, path);
  place = value_from_text(value, place);
  try {
    std::vector<std::string> unknown;
    Scene changed = scene_from_tree(tree, &unknown);
    if (!unknown.empty()) throw Error(unknown.front());
    settle_names(changed);
    scene = std::move(changed);
  } catch (const Error& error) {
    throw Error(error.what(), Error::Kind::usage);
  }
}

}  // namespace isolume
