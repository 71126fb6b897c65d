// The panel of clipping planes: their positions, the objects they cut, and actions that add one.
#pragma once

#include <QList>
#include <QWidget>
#include <functional>

#include "app/models/scene_list_model.h"
#include "app/window/live/scene_controller.h"

class QAction;
class QComboBox;
class QGridLayout;
class QPushButton;
class QTreeView;

namespace isolume {

class ListBar;
class ValueSlider;

/// List of the scene's clipping planes with a check box each; below it the chosen one's offset, what it cuts, and
/// buttons that flip it, turn it to the view and move it to the selected atoms.
class ClipPanel : public QWidget {
  Q_OBJECT
 public:
  /// `position` says where an atom is in the frame that is shown, false where it is not known; `radius` is that of what
  /// is drawn.
  ClipPanel(SceneController& controller, std::function<bool(PickedAtom, glm::vec3&)> position,
            std::function<double()> radius, QWidget* parent = nullptr);

  /// Facing the viewer, through the selected atoms, across a, b and c, remove all; each has an object name.
  const QList<QAction*>& actions() const { return actions_; }
  /// Adds the plane that words describe (app/view/clip_planes.h); they are read on a thread of the pool.
  void add_words(const QString& words);

  QTreeView* list() const { return list_; }
  ValueSlider* offset_slider() const { return offset_; }
  QComboBox* cuts_box() const { return cuts_; }
  QPushButton* flip_button() const { return flip_; }
  QPushButton* turn_button() const { return turn_; }
  int current() const;

 Q_SIGNALS:
  /// A plane was added: the panel wants to be seen.
  void added();
  /// Why a plane cannot be.
  void refused(const QString& message);

 private:
  void build_actions();
  void build_form();
  void add(const ClipPlane& plane);
  void choose(int row);
  void edit(const QString& what, const std::function<void(ClipPlane&)>& change, bool merge = false);
  void show_scene(const Scene& scene);
  void show_current();
  /// Where the selected atoms are.
  std::vector<glm::dvec3> picked_points() const;
  void show_picked();

  SceneController& controller_;
  std::function<bool(PickedAtom, glm::vec3&)> position_;
  std::function<double()> radius_;
  SceneListModel model_;
  QList<QAction*> actions_;
  QAction* through_;
  QAction* none_;
  QTreeView* list_;
  ListBar* bar_;
  QWidget* form_;
  QGridLayout* rows_;
  ValueSlider* offset_;
  QComboBox* cuts_;
  QPushButton* flip_;
  QPushButton* turn_;
  QPushButton* to_picked_;
};

}  // namespace isolume
