// Plays the frames of the scene.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <functional>
#include <optional>
#include <utility>

#include "app/window/live/scene_controller.h"

namespace isolume {

/// Advances the scene's frame by the clock. Where a frame is not yet shown when the next is due, frames are dropped,
/// so that playing keeps its speed and nothing lags behind.
class Player : public QObject {
  Q_OBJECT
 public:
  /// `ready` says whether the last frame has been shown, with its fields.
  Player(SceneController& controller, std::function<bool()> ready, QObject* parent = nullptr);

  bool playing() const { return timer_.isActive(); }
  void play();
  void pause();
  void toggle() { playing() ? pause() : play(); }
  /// Goes `by` frames on, stopping at the ends.
  void step(int by);
  /// Plays these frames alone, first and last included; nothing for all. Steps and clicks go anywhere.
  void set_range(std::optional<std::pair<std::size_t, std::size_t>> range);
  const std::optional<std::pair<std::size_t, std::size_t>>& range() const { return range_; }

 Q_SIGNALS:
  void playing_changed(bool playing);
  void range_changed();

 private:
  void tick();
  /// The frames that are played: the range, as far as there are frames.
  std::pair<std::size_t, std::size_t> played() const;

  SceneController& controller_;
  std::function<bool()> ready_;
  QTimer timer_;
  QElapsedTimer clock_;
  double owed_ = 0;  ///< frames by which the clock is ahead of the picture
  int direction_ = 1;
  std::optional<std::pair<std::size_t, std::size_t>> range_;
};

/// The frame that follows `frame` after `steps` steps of `stride` among `count`; `direction` turns at the ends of a
/// rock. Equal to `frame` at the end of Loop::once.
std::size_t advance(std::size_t frame, std::size_t count, std::size_t steps, const Playback& playback, int& direction);

}  // namespace isolume
