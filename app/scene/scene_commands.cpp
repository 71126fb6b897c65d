// Changes of a scene as lines of text, and back.
#include "app/scene/scene_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "app/scene/movie.h"
#include "app/scene/named_selections.h"
#include "app/scene/scene_archive.h"
#include "app/scene/scene_json.h"
#include "molecule/base/error.h"
#include "molecule/base/nearest.h"

namespace isolume {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* verbs[] = {"set", "add", "remove"};
constexpr const char* lists[] = {"molecules",  "representations", "fields", "measurements", "labels", "interactions",
                                 "selections", "probes",          "views",  "clip_planes",  "keys"};

std::string text_of(const Json& value) {
  if (!value.is_string()) return value.dump();
  const auto text = value.get<std::string>();
  // Bare where it cannot be taken for JSON or lose its blanks.
  const bool plain = !text.empty() && text.front() != '"' && text.front() != ' ' && text.back() != ' ' &&
                     text.find_first_of("\\\n\r") == std::string::npos;
  return plain ? text : value.dump();
}

/// The values of `after` that differ from those of `before`, down to single ones.
void compare(const std::string& path, const Json& before, const Json& after, std::vector<std::string>& out) {
  if (before == after) return;
  if (before.is_object() && after.is_object()) {
    for (const auto& [key, value] : after.items())
      compare(path.empty() ? key : fmt::format("{}.{}", path, key), before.at(key), value, out);
    return;
  }
  const bool entries = after.is_array() && before.is_array() && after.size() == before.size() && !after.empty() &&
                       after.front().is_object();
  if (!entries) {
    out.push_back(fmt::format("set {} {}", path, text_of(after)));
    return;
  }
  for (std::size_t i = 0; i < after.size(); ++i) compare(fmt::format("{}[{}]", path, i), before[i], after[i], out);
}

/// What an entry of a list is where nothing is said of it.
Json default_entry(const std::string& list) {
  Scene scene;
  scene.molecules.resize(1);
  scene.representations.resize(1);
  scene.fields.resize(1);
  scene.measurements.resize(1);
  scene.labels.resize(1);
  scene.interactions.resize(1);
  scene.selections.resize(1);
  scene.probes.resize(1);
  scene.views.resize(1);
  scene.clip_planes.resize(1);
  scene.keys.resize(1);
  return scene_to_tree(scene).at(list).front();
}

/// The keys of an entry that are not the default.
Json brief(const Json& entry, const Json& usual) {
  Json result = Json::object();
  for (const auto& [key, value] : entry.items()) {
    if (value == usual.at(key)) continue;
    result[key] = value.is_object() ? brief(value, usual.at(key)) : value;
  }
  return result;
}

/// True where each of the commands, one after the other, leads to a scene that there can be.
bool can_be_said(Scene scene, const std::vector<std::string>& commands) {
  try {
    for (const std::string& command : commands) apply_command(scene, command);
  } catch (const Error&) {
    return false;
  }
  return true;
}

/// The changes of the entries of a list of the same length. An entry is set as a whole where its values, changed one by
/// one, would not fit together on the way: a measurement of two atoms becomes a ruler between points.
std::vector<std::string> compare_entries(const std::string& list, const Json& before, const Json& after,
                                         const Scene& scene) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < after.size(); ++i) {
    std::vector<std::string> single;
    compare(fmt::format("{}[{}]", list, i), before[i], after[i], single);
    if (single.size() > 1 && !can_be_said(scene, single))
      single = {fmt::format("set {}[{}] {}", list, i,
                            (list == "keys" ? after[i] : brief(after[i], default_entry(list))).dump())};
    out.insert(out.end(), single.begin(), single.end());
  }
  return out;
}

void compare_lists(const std::string& list, const Json& before, const Json& after, const Scene& scene,
                   std::vector<std::string>& out) {
  const std::size_t shorter = std::min(before.size(), after.size());
  std::size_t head = 0, tail = 0;
  while (head < shorter && before[head] == after[head]) ++head;
  while (tail < shorter - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
  if (before.size() == after.size()) {
    const std::vector<std::string> single = compare_entries(list, before, after, scene);
    const bool moved = std::is_permutation(before.begin(), before.end(), after.begin());
    if (!moved || single.size() < 3) {
      out.insert(out.end(), single.begin(), single.end());
      return;
    }
  } else if (head == before.size()) {
    const Json usual = default_entry(list);
    for (std::size_t i = head; i < after.size(); ++i)
      // Of a key frame what is left out is as in the scene, not the default.
      out.push_back(fmt::format("add {} {}", list, (list == "keys" ? after[i] : brief(after[i], usual)).dump()));
    return;
  } else if (head + tail == after.size()) {
    for (std::size_t i = before.size() - tail; i-- > head;) out.push_back(fmt::format("remove {}[{}]", list, i));
    return;
  }
  out.push_back(fmt::format("set {} {}", list, after.dump()));
}

Scene from_tree(const Json& tree) {
  std::vector<std::string> unknown;
  try {
    Scene scene = scene_from_tree(nlohmann::json::parse(tree.dump()), &unknown);
    if (!unknown.empty()) throw Error(unknown.front());
    settle_names(scene);
    return scene;
  } catch (const Error& error) {
    throw Error(error.what(), Error::Kind::usage);
  }
}

/// "fields[2]" to 2; throws where it is not an entry of a list of the scene.
std::size_t entry_of(const std::string& place, const Json& tree, std::string& list) {
  const auto open = place.find('[');
  list = place.substr(0, open);
  if (open == std::string::npos || std::find(std::begin(lists), std::end(lists), list) == std::end(lists))
    throw Error(fmt::format("'{}': expected an entry of a list, as {}[0]; the lists are {}", place, lists[1],
                            fmt::join(lists, ", ")),
                Error::Kind::usage);
  std::size_t index = 0;
  const char* end = place.data() + place.size();
  const auto [stop, fault] = std::from_chars(place.data() + open + 1, end, index);
  if (fault != std::errc() || stop + 1 != end || *stop != ']' || index >= tree.at(list).size())
    throw Error(fmt::format("'{}': {} has {} entries, from [0]", place, list, tree.at(list).size()),
                Error::Kind::usage);
  return index;
}

/// Indices of molecules move down where one is removed; what showed it goes.
void forget_molecule(Scene& scene, std::uint32_t gone) {
  const auto of_it = [gone](const auto& entry) { return entry.molecule == gone; };
  std::erase_if(scene.representations, of_it);
  std::erase_if(scene.fields, of_it);
  std::erase_if(scene.labels, of_it);
  std::erase_if(scene.interactions, of_it);
  std::erase_if(scene.selections, of_it);
  for (std::size_t p = scene.probes.size(); p > 0; --p)
    if (of_it(scene.probes[p - 1])) remove_probe(scene, p - 1);
  std::erase_if(scene.measurements,
                [&](const Measurement& m) { return std::any_of(m.atoms.begin(), m.atoms.end(), of_it); });
  const auto move = [gone](auto& entry) { entry.molecule -= entry.molecule > gone; };
  std::for_each(scene.representations.begin(), scene.representations.end(), move);
  for (Representation& representation : scene.representations) {
    if (representation.map_molecule == gone && representation.colouring == Colouring::map)
      representation.colouring = Colouring::element;
    representation.map_molecule -= representation.map_molecule > gone    ? 1
                                   : representation.map_molecule == gone ? gone
                                                                         : 0;
  }
  std::for_each(scene.fields.begin(), scene.fields.end(), move);
  for (Field& field : scene.fields) {
    if (field.map_molecule == gone && field.paint == Field::Paint::map) field.paint = Field::Paint::atoms;
    field.map_molecule -= field.map_molecule > gone ? 1 : field.map_molecule == gone ? gone : 0;
    if (field.zone_molecule == gone) field.zone = 0, field.zone_molecule = 0;
    field.zone_molecule -= field.zone_molecule > gone;
    if (field.minus.molecule == gone) field.minus = {};
    field.minus.molecule -= field.minus.molecule > gone;
    for (MapChoice* map : {&field.minus.own_error, &field.minus.error}) {
      if (map->molecule == gone) *map = {};
      map->molecule -= map->molecule > gone;
    }
  }
  std::for_each(scene.labels.begin(), scene.labels.end(), move);
  std::for_each(scene.interactions.begin(), scene.interactions.end(), move);
  std::for_each(scene.selections.begin(), scene.selections.end(), move);
  std::for_each(scene.probes.begin(), scene.probes.end(), move);
  for (Measurement& m : scene.measurements) std::for_each(m.atoms.begin(), m.atoms.end(), move);
  scene.molecules.erase(scene.molecules.begin() + gone);
  if (scene.molecules.empty()) scene.measurements.clear();  // rulers between points would be left
}

void collect(const std::string& path, const Json& value, std::vector<std::string>& out) {
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items())
      collect(path.empty() ? key : fmt::format("{}.{}", path, key), inner, out);
  } else if (value.is_array() && !value.empty() && value.front().is_object()) {
    for (std::size_t i = 0; i < value.size(); ++i) collect(fmt::format("{}[{}]", path, i), value[i], out);
  } else {
    out.push_back(path);
  }
}

void change_by(Scene& scene, const std::string& command) {
  const auto first = command.find(' ');
  const std::string verb = command.substr(0, first);
  const std::string rest = first == std::string::npos ? "" : command.substr(first + 1);
  const auto second = rest.find(' ');
  const std::string place = rest.substr(0, second);
  const std::string value = second == std::string::npos ? "" : rest.substr(second + 1);
  if (!is_scene_command(command))
    throw Error(fmt::format("'{}' is none of {}{}", verb, fmt::join(verbs, ", "), did_you_mean(verb, verbs)),
                Error::Kind::usage);
  if (place.empty()) throw Error(fmt::format("{}: of what? See docs/scene.md for the paths", verb), Error::Kind::usage);
  if (verb == "set") {
    set_value(scene, place, value);
    return;
  }
  Json tree = scene_to_tree(scene);
  if (verb == "remove") {
    std::string list;
    const std::size_t index = entry_of(place, tree, list);
    if (list == "molecules") {
      forget_molecule(scene, static_cast<std::uint32_t>(index));
      return;
    }
    tree[list].erase(index);
  } else {
    if (std::find(std::begin(lists), std::end(lists), place) == std::end(lists))
      throw Error(
          fmt::format("add: '{}' is none of the lists {}{}", place, fmt::join(lists, ", "), did_you_mean(place, lists)),
          Error::Kind::usage);
    Json entry = Json::parse(value, nullptr, false);
    if (!entry.is_object())
      throw Error(fmt::format("add {}: expected {{\"key\": value, ...}}, found '{}'", place, value.substr(0, 60)),
                  Error::Kind::usage);
    tree[place].push_back(std::move(entry));
  }
  scene = from_tree(tree);
}

/// Commands that add, remove or reorder entries, after which key frames have other ones.
std::vector<std::string> restructuring(const std::vector<std::string>& commands) {
  std::vector<std::string> result;
  for (const std::string& command : commands)
    for (const char* begin : {"add representations ", "add fields ", "remove representations", "remove fields",
                              "remove molecules", "set representations [", "set fields ["})
      if (command.starts_with(begin)) result.push_back(command);
  return result;
}

/// Key frames follow what the commands so far do to representations and fields, and are in the order of their times
/// after each: what single commands come to is tried, and where it is something else they are set as a whole.
void compare_keys(const Scene& before, const Json& after, std::vector<std::string>& out) {
  if (before.keys.empty() && after.empty()) return;
  Scene now = before;
  const auto keys_after = [&now](const std::vector<std::string>& commands) {
    for (const std::string& command : commands) apply_command(now, command);
    return scene_to_tree(now).at("keys");
  };
  std::vector<std::string> steps;
  try {
    compare_lists("keys", keys_after(restructuring(out)), after, now, steps);
    if (keys_after(steps) != after) throw Error("in another order");
  } catch (const Error&) {
    steps = {fmt::format("set keys {}", after.dump())};
  }
  out.insert(out.end(), steps.begin(), steps.end());
}

}  // namespace

void remove_probe(Scene& scene, std::size_t index) {
  scene.probes.erase(scene.probes.begin() + static_cast<std::ptrdiff_t>(index));
  for (Representation& representation : scene.representations) {
    if (representation.probe == index) {
      if (representation.colouring == Colouring::probe) {
        representation.colouring = Colouring::element;
        representation.lower = representation.upper = 0;
      }
      representation.probe = 0;
    } else if (representation.probe > index) {
      --representation.probe;
    }
  }
}

void smooth_motion(Scene& scene, std::uint32_t half) {
  for (SceneMolecule& molecule : scene.molecules) molecule.smoothing = half;
}

std::uint32_t smoothing_of(const Scene& scene) {
  std::uint32_t most = 0;
  for (const SceneMolecule& molecule : scene.molecules) most = std::max(most, molecule.smoothing);
  return most;
}

void remove_molecule(Scene& scene, std::size_t index) {
  forget_molecule(scene, static_cast<std::uint32_t>(index));
}

std::vector<std::string> scene_changes(const Scene& before, const Scene& after, bool view) {
  Scene from = before;
  if (!view) {
    from.camera = after.camera;
    from.frame = after.frame;
    from.playback = after.playback;
  }
  const Json a = scene_to_tree(from), b = scene_to_tree(after);
  std::vector<std::string> out;
  // A molecule that goes takes what shows it with it: said in one line where that is all.
  if (from.molecules.size() == after.molecules.size() + 1) {
    for (std::size_t i = 0; i < from.molecules.size(); ++i) {
      Scene without = from;
      forget_molecule(without, static_cast<std::uint32_t>(i));
      follow_entries(from, without);
      if (without == after) return {fmt::format("remove molecules[{}]", i)};
    }
  }
  for (const auto& [key, value] : b.items()) {
    if (key == "keys") {
      compare_keys(from, value, out);
    } else if (a.at(key) == value) {
      continue;
    } else if (std::find(std::begin(lists), std::end(lists), key) != std::end(lists)) {
      compare_lists(key, a.at(key), value, from, out);
    } else {
      compare(key, a.at(key), value, out);
    }
  }
  return out;
}

bool is_scene_command(const std::string& command) {
  const std::string verb = command.substr(0, command.find(' '));
  return std::find(std::begin(verbs), std::end(verbs), verb) != std::end(verbs);
}

void apply_command(Scene& scene, const std::string& command) {
  const Scene before = scene;
  change_by(scene, command);
  follow_entries(before, scene);
}

std::string render_command(const Scene& scene, const std::string& out) {
  const auto quoted = [](const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
  };
  std::string command = "isolume render";
  for (const SceneMolecule& molecule : scene.molecules)
    for (const std::string& path : molecule.paths) command += " " + quoted(path);
  Scene plain;
  plain.molecules.resize(scene.molecules.size());
  const Json usual = scene_to_tree(plain), now = scene_to_tree(scene);
  for (const auto& [key, value] : now.items()) {
    // Opening files makes representations, fields and a camera of its own: these are always said.
    const bool said = key == "representations" || key == "fields" || key == "camera";
    if (key == "molecules") {  // what is more than their files
      for (std::size_t i = 0; i < value.size(); ++i)
        for (const auto& [inner, part] : value[i].items())
          if (inner != "paths" && part != usual.at(key)[i].at(inner))
            command += " --set " + quoted(fmt::format("molecules[{}].{}={}", i, inner, text_of(part)));
      continue;
    }
    // A picture has nothing of a movie.
    if (key == "playback" || key == "keys" || (!said && value == usual.at(key))) continue;
    if (value.is_object()) {
      for (const auto& [inner, part] : value.items())
        if (said || part != usual.at(key).at(inner))
          command += " --set " + quoted(fmt::format("{}.{}={}", key, inner, text_of(part)));
    } else {
      command += " --set " + quoted(fmt::format("{}={}", key, text_of(value)));
    }
  }
  return command + " --out " + quoted(out);
}

std::vector<std::string> scene_paths(const Scene& scene) {
  std::vector<std::string> out;
  collect({}, scene_to_tree(scene), out);
  return out;
}

}  // namespace isolume
