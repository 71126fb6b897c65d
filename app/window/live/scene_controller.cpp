// The one place through which the window changes its scene.
#include "app/window/live/scene_controller.h"

#include <algorithm>

#include "app/models/labels.h"
#include "app/scene/moved_molecules.h"
#include "app/scene/movie.h"

namespace isolume {

SceneController::SceneController(QObject* parent) : QObject(parent) {}

std::shared_ptr<const Molecule> SceneController::molecule(std::size_t index) const {
  const Scene& current = scene();
  return index < current.molecules.size() ? documents_.loaded(current.molecules[index]) : nullptr;
}

std::shared_ptr<const Topology> SceneController::topology(std::size_t index) const {
  const Scene& current = scene();
  return index < current.molecules.size() ? documents_.topology(current.molecules[index]) : nullptr;
}

std::size_t SceneController::frame_count() const {
  std::size_t result = 0;
  for (std::size_t i = 0; i < scene().molecules.size(); ++i) {
    if (const auto loaded = molecule(i)) result = std::max({result, loaded->frame_count(), loaded->orbitals.size()});
  }
  return result;
}

void SceneController::edit(const QString& what, const std::function<void(Scene&)>& change, bool merge) {
  Scene next = scene();
  change(next);
  const SceneParts changed = difference(scene(), next);
  if (changed == SceneParts::none) return;
  const Scene before = scene();
  follow_entries(before, next);
  history_.apply(std::move(next), what.toStdString(), merge);
  shown_.reset();
  announce(before, difference(before, scene()));
}

void SceneController::touch(const std::function<void(Scene&)>& change) {
  Scene next = scene();
  change(next);
  const SceneParts changed = difference(scene(), next);
  if (changed == SceneParts::none) return;
  history_.touch(next);
  if (shown_) shown_ = std::move(next);
  emit_change(changed);
}

void SceneController::preview(Scene shown) {
  const SceneParts changed = difference(scene(), shown);
  shown_ = std::move(shown);
  if (changed != SceneParts::none) emit_change(changed);
}

void SceneController::end_preview() {
  if (!shown_) return;
  const SceneParts changed = difference(*shown_, history_.scene());
  shown_.reset();
  if (changed != SceneParts::none) emit_change(changed);
}

void SceneController::follow(const std::function<void(Scene&)>& change) {
  const Scene before = scene();
  history_.change_all(change);
  if (shown_) change(*shown_);
  change(saved_);
  announce(before, difference(before, scene()));
}

void SceneController::reset(Scene scene) {
  shown_.reset();
  history_ = History(std::move(scene));
  saved_ = history_.scene();
  picked_.clear();
  announce(this->scene(), SceneParts::all);
  Q_EMIT picked_changed();
}

QString SceneController::undo_text() const {
  return can_undo() ? to_qt(history_.undo_text()) : QString();
}

QString SceneController::redo_text() const {
  return can_redo() ? to_qt(history_.redo_text()) : QString();
}

void SceneController::undo() {
  if (!can_undo()) return;
  const Scene before = scene();
  shown_.reset();
  history_.undo();
  announce(before, difference(before, scene()));
}

void SceneController::redo() {
  if (!can_redo()) return;
  const Scene before = scene();
  shown_.reset();
  history_.redo();
  announce(before, difference(before, scene()));
}

bool SceneController::modified() const {
  const auto differs = [this](Scene a) {
    a.camera = saved_.camera;
    a.frame = saved_.frame;
    a.playback = saved_.playback;
    return a != saved_;
  };
  return differs(scene()) && (!shown_ || differs(history_.scene()));
}

void SceneController::set_saved() {
  saved_ = scene();
  Q_EMIT history_changed();
}

void SceneController::set_unsaved() {
  saved_ = {};
  Q_EMIT history_changed();
}

void SceneController::set_picked(std::vector<PickedAtom> picked) {
  ++picking_;
  if (picked == picked_) return;
  picked_ = std::move(picked);
  Q_EMIT picked_changed();
}

bool SceneController::finish_picking(std::uint64_t number, std::vector<PickedAtom> picked) {
  if (number != picking_) return false;
  std::erase_if(picked, [this](const PickedAtom& p) { return p.molecule >= scene().molecules.size(); });
  set_picked(std::move(picked));
  return true;
}

std::vector<PickedAtom> SceneController::atoms_now(const Scene& before, std::vector<PickedAtom> atoms) const {
  std::vector<std::optional<std::uint32_t>> places;
  for (std::size_t m = 0; m < before.molecules.size(); ++m) places.push_back(molecule_in(scene(), before, m));
  std::erase_if(atoms, [&](const PickedAtom& p) { return p.molecule >= places.size() || !places[p.molecule]; });
  for (PickedAtom& atom : atoms) atom.molecule = *places[atom.molecule];
  return atoms;
}

void SceneController::announce(const Scene& before, SceneParts change) {
  // Of molecules that have another number now; some may be gone.
  std::vector<PickedAtom> picked = atoms_now(before, picked_);
  if (picked != picked_) {
    picked_ = std::move(picked);
    Q_EMIT picked_changed();
  }
  emit_change(change);
  Q_EMIT history_changed();
}

void SceneController::emit_change(SceneParts change) {
  // Looked at before anybody is told: a molecule can come while they look.
  for (std::size_t i = 0; i < scene().molecules.size(); ++i) missing_ = missing_ || !molecule(i);
  Q_EMIT scene_changed(scene(), change);
}

void SceneController::look_for_missing() {
  if (!missing_) return;
  for (std::size_t i = 0; i < scene().molecules.size(); ++i)
    if (!molecule(i)) return;
  missing_ = false;
  molecules_changed();
}

}  // namespace isolume
