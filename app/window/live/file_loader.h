// Opening and saving, on threads of the pool.
#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>
#include <atomic>
#include <memory>

#include "app/window/live/scene_controller.h"

namespace isolume {

/// Loads files and sessions without holding the window up, and puts them into the scene.
class FileLoader : public QObject {
  Q_OBJECT
 public:
  explicit FileLoader(SceneController& controller, QObject* parent = nullptr);

  /// Opens files: one session, or molecules that are added to the scene. A trajectory without a structure is joined to
  /// a molecule of the scene whose atom count fits.
  void open(const QStringList& paths, double aspect);
  /// `with_data`: with the files of the scene in it (app/scene/packed_session.h); always where they came so.
  void save_session(const QString& path, bool with_data = false);
  /// Opens a session that was saved by itself: it stays unsaved and has no path.
  void recover(const QString& path);
  /// Opens a session that the user trusts; files that are not where it says are looked for by their names next to it
  /// and in `folders`.
  void open_session_with(const QString& path, const QStringList& folders);
  /// Stops reading, and drops the result.
  void cancel();
  bool busy() const { return running_ > 0; }
  /// True for a look that a dark window should begin with.
  void set_dark(bool dark) { dark_ = dark; }

 Q_SIGNALS:
  /// The file being read, and the part done (below 0 where that is not known); empty at the end.
  void progress(const QString& what, double fraction);
  /// The file being read, so that it can be named where reading ends the program; empty at the end.
  void reading(const QStringList& paths);
  void opened(const QStringList& paths);
  void session_opened(const QString& path);
  void recovered();
  /// Files of a session that are not found.
  void missing(const QString& session, const QStringList& paths);
  /// Files of a session that are outside its folder. They are opened once the user has agreed (open_session_with()).
  void foreign(const QString& session, const QStringList& paths);
  void session_saved(const QString& path);
  void note(const QString& message);
  void failed(const QString& message);

 private:
  struct Loaded {
    Scene base;         ///< the scene as it was when loading began
    Scene scene;        ///< with what was loaded
    int replaced = -1;  ///< molecule that got a trajectory, -1 for none
    std::vector<std::string> notes;
  };
  static Loaded load(Documents& documents, Scene base, const std::vector<std::string>& paths, double aspect);
  void open_session(const QString& path, const QStringList& folders, bool recovering, bool trusted);
  void take(Loaded loaded, const QStringList& paths);
  /// Returns the fraction that the work is to set.
  std::shared_ptr<std::atomic<double>> begin(const QString& what);
  void end();

  SceneController& controller_;
  int running_ = 0;
  std::shared_ptr<std::atomic<bool>> stop_ = std::make_shared<std::atomic<bool>>(false);  ///< of the files being read
  QString what_;                                                                          ///< is being read since last,
  std::shared_ptr<std::atomic<double>> fraction_;                                         ///< and how much of it was
  QTimer watch_;                                                                          ///< while something is read
  std::uint64_t epoch_ = 0;  ///< counts up with cancel(): results of an older one are dropped
  bool dark_ = false;
  double aspect_ = 1;  ///< of the picture, when it was last known
};

}  // namespace isolume
