// Visibility, colour and removal of the object in a row of the scene tree.
#include "app/window/tree/tree_edits.h"

#include "app/scene/named_selections.h"
#include "app/scene/scene_commands.h"

namespace isolume {
namespace {

using Kind = TreeRow::Kind;

template <class List>
void erase_at(List& list, std::size_t index) {
  if (index < list.size()) list.erase(list.begin() + static_cast<long>(index));
}

template <class List>
void show_all(List& list, bool visible) {
  for (auto& own : list) own.visible = visible;
}

}  // namespace

void set_visible(Scene& scene, const TreeRow& row, bool visible) {
  switch (row.kind) {
    case Kind::molecule:
      scene.molecules[row.index].visible = visible;
      break;
    case Kind::representation:
      scene.representations[row.index].visible = visible;
      break;
    case Kind::field:
      scene.fields[row.index].visible = visible;
      break;
    case Kind::measurement:
      scene.measurements[row.index].visible = visible;
      break;
    case Kind::label_set:
      scene.labels[row.index].visible = visible;
      break;
    case Kind::interaction_set:
      scene.interactions[row.index].visible = visible;
      break;
    case Kind::probe:
      scene.probes[row.index].visible = visible;
      break;
    case Kind::probes:
      show_all(scene.probes, visible);
      break;
    case Kind::measurements:
      show_all(scene.measurements, visible);
      break;
    case Kind::labels:
      show_all(scene.labels, visible);
      break;
    case Kind::interactions:
      show_all(scene.interactions, visible);
      break;
    default:
      break;
  }
}

void set_colour(Scene& scene, const TreeRow& row, glm::u8vec4 colour) {
  if (row.kind == Kind::representation) scene.representations[row.index].colour = colour;
  if (row.kind == Kind::field) scene.fields[row.index].colour = colour;
  if (row.kind == Kind::measurement) scene.measurements[row.index].colour = colour;
}

void remove_row(Scene& scene, const TreeRow& row) {
  switch (row.kind) {
    case Kind::molecule:
      remove_molecule(scene, row.index);
      break;
    case Kind::representation:
      erase_at(scene.representations, row.index);
      break;
    case Kind::field:
      erase_at(scene.fields, row.index);
      break;
    case Kind::measurement:
      erase_at(scene.measurements, row.index);
      break;
    case Kind::label_set:
      erase_at(scene.labels, row.index);
      break;
    case Kind::interaction_set:
      erase_at(scene.interactions, row.index);
      break;
    case Kind::selection:
      remove_selection(scene, std::string(scene.selections[row.index].name));
      break;
    case Kind::probe:
      if (row.index < scene.probes.size()) remove_probe(scene, row.index);
      break;
    case Kind::probes:
      while (!scene.probes.empty()) remove_probe(scene, scene.probes.size() - 1);
      break;
    case Kind::measurements:
      scene.measurements.clear();
      break;
    case Kind::labels:
      scene.labels.clear();
      break;
    case Kind::interactions:
      scene.interactions.clear();
      break;
    case Kind::selections:
      while (!scene.selections.empty()) remove_selection(scene, std::string(scene.selections.front().name));
      break;
    default:
      break;
  }
}

}  // namespace isolume
