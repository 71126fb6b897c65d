// The presets for tasks as actions: each is one step of the history.
#pragma once

#include <QAction>
#include <QList>
#include <QMenu>
#include <QObject>
#include <functional>

#include "app/window/live/scene_controller.h"

namespace isolume {

/// Fills the menu; scenes are made on a thread of the pool.
class PresetActions : public QObject {
  Q_OBJECT
 public:
  /// `aspect`: width by height of the picture.
  PresetActions(QMenu& menu, SceneController& controller, std::function<double()> aspect);

  /// Named preset_overview, preset_pocket and so on.
  const QList<QAction*>& all() const { return all_; }
  /// Applies the preset of this name (app/view/task_presets.h).
  void apply(const QString& name, const QString& title);

 Q_SIGNALS:
  void failed(const QString& message);
  void progress(const QString& what, double fraction);

 private:
  SceneController& controller_;
  std::function<double()> aspect_;
  QList<QAction*> all_;
  std::uint64_t asked_ = 0;
};

}  // namespace isolume
