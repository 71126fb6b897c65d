// Follows the files of the scene: those changed on disk are read again.
#pragma once

#include <QElapsedTimer>
#include <QFileSystemWatcher>
#include <QObject>
#include <QSet>
#include <QTimer>

#include "app/window/live/scene_controller.h"

namespace isolume {

/// Watches the files of the scene's molecules while it is switched on. A file that changed is read again, on a thread
/// of the pool, once it has been left alone for a while, or every one or two seconds while it is being written; where
/// that fails the molecule stays as it was and is tried again at the next change. A scene at its last frame goes on to
/// the new last frame.
class FileWatch : public QObject {
  Q_OBJECT
 public:
  explicit FileWatch(SceneController& controller, QObject* parent = nullptr);

  void set_enabled(bool enabled);
  bool enabled() const { return enabled_; }

 Q_SIGNALS:
  /// The molecules of these files are there again.
  void reloaded(const QStringList& paths);
  void failed(const QString& message);

 private:
  void follow(const Scene& scene);
  void read_changed();

  SceneController& controller_;
  QFileSystemWatcher watcher_;
  QTimer rest_;
  QElapsedTimer since_;  ///< the first change that was not read
  QSet<QString> changed_;
  bool enabled_ = false;
  bool reading_ = false;
};

}  // namespace isolume
