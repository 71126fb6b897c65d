// Electron density, Fit in map, Calculate map and Compare frames as actions.
#pragma once

#include <QAction>
#include <QList>
#include <QMenu>
#include <QObject>
#include <functional>

#include "app/window/live/scene_controller.h"

namespace isolume {

class CalculateMapDialog;

/// Adds them to a menu and opens their dialogs; an action is enabled where the scene has what it needs.
class MapActions : public QObject {
  Q_OBJECT
 public:
  /// Before the action `before` of the menu; `folder` proposes where maps are saved.
  MapActions(QMenu& menu, QAction& before, SceneController& controller, std::function<QString()> folder,
             QWidget* window);

  /// Named compute_density, fit_map, calculate_map and compare_frames.
  QList<QAction*> all() const { return {density_, fit_, calculate_, compare_}; }

 Q_SIGNALS:
  /// A map was saved.
  void saved(const QString& path);

 private:
  QAction* make(const QString& name, const QString& text, const QString& tip, const QString& words);
  CalculateMapDialog* open_calculation();
  void open_density();
  void open_fit();
  void show_possible();

  SceneController& controller_;
  std::function<QString()> folder_;
  QWidget* window_;
  QAction *density_, *fit_, *calculate_, *compare_;
};

}  // namespace isolume
