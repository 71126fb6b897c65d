// A bar with one button for each class of atoms: a click shows or hides it.
#pragma once

#include <QToolBar>
#include <QToolButton>
#include <memory>
#include <vector>

#include "app/view/atom_classes.h"
#include "app/window/live/live_view.h"
#include "app/window/select/select_actions.h"

namespace isolume {

/// Has the classes that the visible molecules have. A pressed button says that the class is shown, one
/// that is struck out that it is hidden.
class ClassBar : public QToolBar {
  Q_OBJECT
 public:
  ClassBar(SelectActions& actions, SceneController& controller, QWidget* parent = nullptr);

  /// The picture is another one: what it has and shows is looked up on a thread of the pool.
  void show_picture(std::shared_ptr<const BuiltView> built);
  /// The button of a class by its words, "water".
  QToolButton* button(const QString& words) const;
  const std::vector<ClassState>& states() const { return states_; }

 private:
  void show_states(const std::vector<ClassState>& states);

  SelectActions& actions_;
  SceneController& controller_;
  QList<QToolButton*> buttons_;
  QList<QAction*> places_;  ///< of the buttons in the bar
  std::vector<ClassState> states_;
  std::vector<SceneMolecule> molecules_;
  std::vector<Representation> representations_;
  std::uint64_t asked_ = 0;
};

}  // namespace isolume
