// CommandLog: what is done in the window, as commands in the console.
#pragma once

#include <QObject>
#include <QTimer>

#include "app/scene/scene.h"

namespace isolume {

class ConsolePanel;
class MainWindow;
class SceneController;

/// Files that are opened and saved and changes of the scene, each as the command that does the same. What changes while
/// a slider moves is one command; what a player changes is none.
class CommandLog : public QObject {
  Q_OBJECT
 public:
  explicit CommandLog(MainWindow& window);

  /// Shows a command that explains the scene as it is now.
  void add(const QString& command);
  /// Shows what changed in the scene since the last command.
  void add_changes();

 private:
  SceneController& controller_;
  ConsolePanel& console_;
  Scene known_;  ///< as the console explains it
  QTimer timer_;
};

}  // namespace isolume
