// The panel of movies by key frames: a time axis, and what happens between its key frames.
#pragma once

#include <QElapsedTimer>
#include <QList>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <optional>

#include "app/window/live/scene_controller.h"

class QAction;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;

namespace isolume {

class KeyLine;

/// Key frames are added from the view, moved in time and removed; each is a step of the history. A time of the movie is
/// shown as a preview of the scene (SceneController::preview): an edit goes on from it.
class MoviePanel : public QWidget {
  Q_OBJECT
 public:
  /// `ready` says whether the last picture has been shown, with its fields.
  MoviePanel(SceneController& controller, std::function<bool()> ready, QWidget* parent = nullptr);

  /// Add, update and remove key frame, to the previous and the next one, play; each has an object name.
  const QList<QAction*>& actions() const { return actions_; }

  /// Shows the scene at a time of the movie.
  void go(double seconds);
  /// Adds a key frame of what is shown; at the current time, or where there is one, 2 s after the last one.
  void add_key();
  /// The same at a time; one that is there is replaced.
  void add_key_at(double seconds, std::optional<Easing> easing = std::nullopt);
  bool playing() const { return timer_.isActive(); }
  void play();
  /// Stops playing and shows the scene of before.
  void stop();

  KeyLine* line() const { return line_; }
  QDoubleSpinBox* time_box() const { return time_; }
  QComboBox* easing_box() const { return easing_; }
  QSpinBox* turns_box() const { return turns_; }
  QLabel* summary() const { return summary_; }

 Q_SIGNALS:
  /// The movie begins to play: the trajectory should not.
  void plays();
  void export_asked();
  /// A key frame was added: the panel wants to be seen.
  void added();

 private:
  void build_actions();
  void build();
  void show_scene(const Scene& scene);
  void show_current();
  void tick();
  void move(std::size_t key, double seconds);
  void remove();
  void edit_key(const QString& what, const std::function<void(MovieKey&)>& change);

  SceneController& controller_;
  std::function<bool()> ready_;
  QList<QAction*> actions_;
  QAction *add_, *update_, *remove_, *previous_, *next_, *play_, *export_;
  KeyLine* line_;
  QDoubleSpinBox* time_;
  QComboBox* easing_;
  QSpinBox* turns_;
  QLabel* summary_;
  QTimer timer_;
  QElapsedTimer clock_;
  double began_ = 0;     ///< seconds, of playing
  bool showed_ = false;  ///< a time of the movie was shown when it began to play
};

}  // namespace isolume
