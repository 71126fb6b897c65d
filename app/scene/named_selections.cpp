// What the names of a scene's selections mean.
#include "app/scene/named_selections.h"

#include <algorithm>
#include <filesystem>
#include <functional>

#include "app/scene/path_part.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

/// Calls change(text, molecule) for each selection text of the scene but those of the names themselves.
void each_text(Scene& scene, const std::function<void(std::string&, std::uint32_t)>& change) {
  for (Representation& r : scene.representations) change(r.selection, r.molecule);
  for (Field& field : scene.fields) {
    change(field.selection, field.kind == Field::Kind::volume ? field.zone_molecule : field.molecule);
    change(field.partners, field.molecule);
    change(field.slice.selection, field.molecule);
    change(field.seeds.plane.selection, field.molecule);
    change(field.seeds.selection, field.molecule);
    change(field.minus.selection, field.minus.molecule);
  }
  for (LabelSet& labels : scene.labels) change(labels.selection, labels.molecule);
  for (InteractionSet& set : scene.interactions) {
    change(set.selection, set.molecule);
    change(set.other, set.molecule);
  }
}

}  // namespace

SelectionNames names_of(const Scene& scene, std::uint32_t molecule) {
  SelectionNames names;
  for (const NamedSelection& named : scene.selections) names.emplace(named.name, "none");
  for (auto named = scene.selections.rbegin(); named != scene.selections.rend(); ++named)  // the first of equal names
    if (named->molecule == molecule) names[named->name] = named->selection;
  return names;
}

std::string with_names(const Scene& scene, std::uint32_t molecule, const std::string& text) {
  return text.find('@') == std::string::npos ? text : with_names(text, names_of(scene, molecule));
}

std::string with_names(const Scene& scene, const std::vector<std::string>& files, const std::string& text) {
  if (!has_names(text)) return text;
  const auto same = [](const std::string& a, const std::string& b) {
    std::error_code absent;
    return a == b || std::filesystem::equivalent(a, b, absent);
  };
  std::uint32_t molecule = 0;
  const auto has_file = [&](const SceneMolecule& entry) {
    return std::any_of(entry.paths.begin(), entry.paths.end(), [&](const std::string& path) {
      return std::any_of(files.begin(), files.end(),
                         [&](const std::string& file) { return same(file_of(path), file); });
    });
  };
  while (molecule < scene.molecules.size() && !has_file(scene.molecules[molecule])) ++molecule;
  if (molecule == scene.molecules.size()) {
    if (scene.molecules.size() != 1)
      throw Error("'" + text + "': names are those of a molecule of the scene, and none of the files belongs to one",
                  Error::Kind::usage);
    molecule = 0;
  }
  return with_names(scene, molecule, text);
}

void settle_names(Scene& scene) {
  for (const NamedSelection& named : scene.selections) {
    SelectionNames names;  // as names_of(), but of others only what the molecule itself has
    for (auto own = scene.selections.rbegin(); own != scene.selections.rend(); ++own)
      if (own->molecule == named.molecule) names[own->name] = own->selection;
    with_these_names("@" + named.name, names);
  }
  for (std::uint32_t m = 0; m < scene.molecules.size(); ++m) {
    SceneMolecule& entry = scene.molecules[m];
    entry.cell.selection = with_names(scene, m, entry.cell.selection);
    entry.placement.steady = with_names(scene, m, entry.placement.steady);
  }
}

Scene with_names(const Scene& scene) {
  Scene result = scene;
  if (scene.selections.empty()) return result;
  each_text(result, [&](std::string& text, std::uint32_t molecule) {
    try {
      text = with_names(scene, molecule, text);
    } catch (const Error&) {  // the text keeps its '@', which the parser refuses
    }
  });
  return result;
}

std::string free_name(const Scene& scene, const std::string& wanted) {
  const auto taken = [&](const std::string& name) {
    return std::any_of(scene.selections.begin(), scene.selections.end(),
                       [&](const NamedSelection& named) { return named.name == name; });
  };
  std::string name = wanted;
  for (int i = 2; taken(name); ++i) name = wanted + std::to_string(i);
  return name;
}

void rename_selection(Scene& scene, const std::string& from, const std::string& to) {
  const SelectionNames renamed{{from, "@" + to}};
  const auto change = [&](std::string& text, std::uint32_t) {
    std::string next = with_these_names(text, renamed);
    const std::string wrapped = "(@" + to + ")";
    for (auto at = next.find(wrapped); at != std::string::npos; at = next.find(wrapped, at))
      next.replace(at, wrapped.size(), "@" + to);
    text = next;
  };
  each_text(scene, change);
  for (NamedSelection& named : scene.selections) {
    change(named.selection, named.molecule);
    if (named.name == from) named.name = to;
  }
}

void remove_selection(Scene& scene, const std::string& name) {
  const Scene before = scene;
  const auto change = [&](std::string& text, std::uint32_t molecule) {
    SelectionNames names = names_of(before, molecule);
    std::erase_if(names, [&](const auto& entry) { return entry.first != name; });
    try {
      text = with_these_names(text, names);
    } catch (const Error&) {  // it means itself: the parser says so
    }
  };
  std::erase_if(scene.selections, [&](const NamedSelection& named) { return named.name == name; });
  each_text(scene, change);
  for (NamedSelection& named : scene.selections) change(named.selection, named.molecule);
}

}  // namespace isolume
