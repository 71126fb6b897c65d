// The one place through which the window changes its scene.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <optional>
#include <vector>

#include "app/documents/documents.h"
#include "app/scene/history.h"
#include "app/scene/scene_change.h"
#include "render/view/scene_view.h"

namespace isolume {

/// An atom that the user picked.
struct PickedAtom {
  std::uint32_t molecule = 0;  ///< index into Scene::molecules
  std::uint32_t atom = 0;
  bool operator==(const PickedAtom&) const = default;
};

/// Holds the history of the scene, and what was picked. Panels edit through it and listen to it; they never talk to
/// each other. Lives on the window's thread; nothing here computes.
class SceneController : public QObject {
  Q_OBJECT
 public:
  explicit SceneController(QObject* parent = nullptr);

  const Scene& scene() const { return shown_ ? *shown_ : history_.scene(); }
  Documents& documents() { return documents_; }
  /// The loaded molecule of a scene entry; null where there is none (yet).
  std::shared_ptr<const Molecule> molecule(std::size_t index) const;
  /// Its atoms and residues, there at once where it was only moved; null where it is not loaded.
  std::shared_ptr<const Topology> topology(std::size_t index) const;
  /// Frames that the scene plays: the most that any molecule has.
  std::size_t frame_count() const;

  /// Changes a copy of the scene and makes it a step of the history called `what` ("Add surface"). With `merge`, steps
  /// of equal name become one (a slider that moves).
  void edit(const QString& what, const std::function<void(Scene&)>& change, bool merge = false);
  /// Changes camera, frame or playback, which are no steps of the history.
  void touch(const std::function<void(Scene&)>& change);
  /// Shows the scene in another state, as of a time of its movie, without a step. An edit goes on from what is shown;
  /// undo, redo and end_preview() show the scene again that was there before.
  void preview(Scene shown);
  void end_preview();
  bool previewing() const { return shown_.has_value(); }
  /// Changes what follows the window's settings in every step, without a step: the scene is as saved as it was.
  void follow(const std::function<void(Scene&)>& change);
  /// The molecules of the same scene are other ones: everybody looks again.
  void molecules_changed() { Q_EMIT scene_changed(scene(), SceneParts::files); }
  /// To be called after pictures: molecules of a place that was taken up again (undo, a motion) are made in the
  /// background, and everybody looks again once all of them are there.
  void look_for_missing();
  /// Begins again with another scene and an empty history.
  void reset(Scene scene);

  /// Calls `show` of the listener after each change that touches one of `parts`, or the files of the molecules.
  template <class Listener>
  void listen(Listener* listener, SceneParts parts, void (Listener::*show)(const Scene&)) {
    connect(this, &SceneController::scene_changed, listener,
            [listener, parts, show](const Scene& scene, SceneParts change) {
              if (touches(change, parts | SceneParts::files)) (listener->*show)(scene);
            });
  }

  bool can_undo() const { return history_.can_undo(); }
  bool can_redo() const { return history_.can_redo(); }
  QString undo_text() const;
  QString redo_text() const;
  void undo();
  void redo();

  /// True where the scene differs from the last one that was saved or begun with, apart from camera and frame.
  bool modified() const;
  void set_saved();
  /// As if it had never been saved.
  void set_unsaved();

  const std::vector<PickedAtom>& picked() const { return picked_; }
  void set_picked(std::vector<PickedAtom> picked);
  /// The number of a selection that is to be computed, for finish_picking. The selection asked for last wins: whatever
  /// is asked for or set later makes this one void.
  std::uint64_t begin_picking() { return ++picking_; }
  /// Atoms of an earlier scene as they are numbered now; without those of molecules that are gone.
  std::vector<PickedAtom> atoms_now(const Scene& before, std::vector<PickedAtom> atoms) const;
  /// Sets what begin_picking announced; false, and nothing done, where it has become void.
  bool finish_picking(std::uint64_t number, std::vector<PickedAtom> picked);

 Q_SIGNALS:
  /// `change`: the parts that differ from the scene before.
  void scene_changed(const Scene& scene, SceneParts change);
  void history_changed();
  void picked_changed();

 private:
  void announce(const Scene& before, SceneParts change);
  void emit_change(SceneParts change);

  History history_;
  std::optional<Scene> shown_;  ///< instead of the scene of the history
  Scene saved_;
  Documents documents_;
  std::vector<PickedAtom> picked_;
  std::uint64_t picking_ = 0;  ///< of the last selection asked for or set
  bool missing_ = false;       ///< a molecule was not there when listeners were told, and they were not told since
};

}  // namespace isolume
