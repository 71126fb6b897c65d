// The tool that puts probes where the user clicks.
#pragma once

#include <QObject>
#include <QPoint>
#include <functional>

#include "app/window/live/scene_controller.h"
#include "render/view/scene_view.h"

class QAction;
class QMenu;

namespace isolume {

/// While its action is checked each click adds a probe to the scene: on an atom, on the middle of a bond, with Shift on
/// a residue, on a surface at the point that is seen.
class ProbeTool : public QObject {
  Q_OBJECT
 public:
  /// `position` says where an atom is in the frame that is shown, false where it is not known.
  ProbeTool(SceneController& controller, std::function<bool(PickedAtom, glm::vec3&)> position, QObject* parent);

  /// Checkable; begins and ends.
  QAction* action() const { return action_; }
  bool active() const;
  void end();
  /// A click on what `id` names, by the numbers that molecules have now.
  void pick(PickId id, bool on_atom, bool residue);
  /// What the context menu of that place offers: an entry of its own, or several in a menu; nothing on the background.
  void add_entries(QMenu& menu, PickId id, bool on_atom);
  /// Adds it to the scene, unless it has it.
  void add(const FieldProbe& probe);

 Q_SIGNALS:
  void began();
  /// What the user may do next; empty: nothing is going on.
  void hint_changed(const QString& text);
  void added(int probe);

 private:
  FieldProbe at_atom(PickId id, bool residue) const;
  FieldProbe at_point(PickId id) const;
  /// The other end of the bond whose middle is pointed at, -1 for none.
  std::int64_t bonded(PickId id) const;

  SceneController& controller_;
  std::function<bool(PickedAtom, glm::vec3&)> position_;
  QAction* action_;
};

/// Where the scene's probe of that number is: "A/LYS12:NZ", "(1.00, 2.00, 3.00)"; a dash where its molecule is not
/// loaded or has no such atom.
QString probe_label(const SceneController& controller, std::size_t probe);

}  // namespace isolume
