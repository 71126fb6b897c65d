// Autosave: saves the scene at intervals, and finds saves left by a crash.
#pragma once

#include <QDateTime>
#include <QList>
#include <QObject>
#include <QTimer>
#include <memory>

#include "app/window/live/scene_controller.h"
#include "app/window/recovery/folder_lock.h"

namespace isolume {

/// Keeps the last three states of an unsaved scene in a folder of its own below `root`, with a lock that says whose it
/// is. finish() removes it; where the program ends without that, the folder stays, and find() of the next start sees
/// that its lock belongs to nobody.
class Recovery : public QObject {
  Q_OBJECT
 public:
  /// What another program has left.
  struct Found {
    QString folder;
    QString scene;                     ///< the newest state that can be read; empty where there is none
    QDateTime when;                    ///< of that state
    int molecules = 0;                 ///< that it shows
    QString files;                     ///< the names of its first files
    QString reading;                   ///< what was being opened when the program ended; empty for nothing
    bool asked_to_end = false;         ///< by a signal, with changes that were not saved
    std::shared_ptr<FolderLock> lock;  ///< held, so that no other program offers the same
  };

  explicit Recovery(SceneController& controller, const QString& root = default_root(), QObject* parent = nullptr);
  ~Recovery() override;

  /// $XDG_STATE_HOME/isolume/recovery.
  static QString default_root();
  /// Saves left by programs that have ended, newest first.
  static QList<Found> find(const QString& root = default_root());
  static void discard(const Found& found);

  QString folder() const { return folder_; }
  /// Seconds between states; 60 unless told.
  void set_interval(int seconds);
  /// Saves the scene where it changed since the last state; on a thread of the pool.
  void save();
  /// Marks the files being opened, so that the next start can name them; empty when that is done.
  void set_reading(const QStringList& paths);
  /// A clean end: nothing is left behind.
  void finish();
  /// The end that a signal asks for, where nobody can be asked whether to save: the scene is kept for the next start.
  void keep();

 Q_SIGNALS:
  void saved(const QString& path);

 private:
  SceneController& controller_;
  QString folder_;
  std::unique_ptr<FolderLock> lock_;
  QTimer timer_;
  Scene last_;
  int next_ = 0;  ///< place in the ring
};

}  // namespace isolume
