// A bar with one button for each class of atoms: a click shows or hides it.
#pragma once

#include <QToolBar>
#include <QToolButton>
#include <memory>
#include <optional>
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

  /// The picture is another one: what it has and shows is looked up on a thread of the pool. One that is older than
  /// the scene does not know what was asked for since, and changes nothing.
  void show_picture(std::shared_ptr<const BuiltView> built);
  /// The button of a class by its words, "water".
  QToolButton* button(const QString& words) const;
  const std::vector<ClassState>& states() const { return states_; }

 private:
  /// Looks up what the picture has, where it is not known.
  void find_states();
  /// True where the picture shows what the scene does, and no edit of that is being computed.
  bool up_to_date(const BuiltView& built) const;
  void show_states(const std::vector<ClassState>& states);

  SelectActions& actions_;
  SceneController& controller_;
  QList<QToolButton*> buttons_;
  QList<QAction*> places_;  ///< of the buttons in the bar
  std::vector<ClassState> states_;
  std::weak_ptr<const BuiltView> built_;  ///< the newest
  std::optional<Scene> known_;            ///< whose states these are, or are looked up; none once others were asked for
  std::uint64_t asked_ = 0;
};

}  // namespace isolume
