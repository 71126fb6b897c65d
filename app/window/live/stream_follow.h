// A running simulation whose frames are those of a molecule of the scene.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>

#include "app/documents/streams/stream_follower.h"
#include "app/window/live/scene_controller.h"

namespace isolume {

/// Follows one simulation at a time. Its frames come into the scene as fast as the window takes them, five times a
/// second at most: those in between are kept, and shown when the user goes back. A scene at its last frame goes on to
/// the newest. The connection ends with the molecule.
class StreamFollow : public QObject {
  Q_OBJECT
 public:
  explicit StreamFollow(SceneController& controller, QObject* parent = nullptr);
  ~StreamFollow() override;

  /// Connects molecule `molecule` of the scene; another connection ends. The frames that the same simulation has sent
  /// this molecule before stay. It becomes a step of the history with the first frame.
  void follow(const QString& address, int molecule);
  /// Ends the connection; the frames stay.
  void end();
  void set_paused(bool paused);
  /// Writes all frames from the next one on (.dcd, .xtc, ...).
  void record(const QString& path);
  void stop_recording();

  /// Whether a connection is made or there.
  bool active() const;
  /// Of the last connection; ended where there was none.
  StreamFollower::State state() const;
  const QString& address() const { return address_; }

 Q_SIGNALS:
  /// state() is another one.
  void changed();
  void told(const QString& message);
  void failed(const QString& message);
  void written(const QString& path);

 private:
  void begin(std::shared_ptr<const Molecule> structure, std::size_t most_bytes);
  void look();
  void publish();
  void show_frames(const SceneMolecule& entry, std::size_t count, std::size_t every);
  void leave();
  void show_scene(const Scene& scene);
  void say_end(const StreamFollower::State& state);
  /// The molecule in the scene as it is now, and its place; -1 where it is gone.
  int place() const;
  void drop();

  SceneController& controller_;
  QTimer timer_;
  QString address_;
  StreamAddress peer_;
  std::vector<std::string> files_;  ///< the paths of the molecule, without the stream
  std::string path_;                ///< that stands for the stream among them
  bool shown_ = false;              ///< the scene has that path
  std::shared_ptr<StreamFollower> follower_;
  std::shared_ptr<const Molecule> structure_;
  std::uint64_t asked_ = 0;      ///< counts up with each connection
  std::uint64_t published_ = 0;  ///< frames received when the last ones were shown
  std::size_t count_ = 0, every_ = 1;
  bool publishing_ = false, ended_ = true;
  QElapsedTimer since_;  ///< the last frames were shown
  qint64 rest_ = 0;      ///< ms that the window has for itself after that
};

}  // namespace isolume
