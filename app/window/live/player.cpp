// Plays the frames of the scene.
#include "app/window/live/player.h"

#include <algorithm>
#include <cmath>

namespace isolume {

std::size_t advance(std::size_t frame, std::size_t count, std::size_t steps, const Playback& playback, int& direction) {
  if (count < 2) return 0;
  const std::size_t by = steps * std::max<std::size_t>(1, playback.stride);
  switch (playback.loop) {
    case Playback::Loop::once:
      return std::min(frame + by, count - 1);
    case Playback::Loop::loop:
      return (frame + by) % count;
    case Playback::Loop::rock: {
      // A period is there and back; the phase on it says where and which way.
      const std::size_t period = 2 * (count - 1);
      const std::size_t phase = ((direction > 0 ? frame : period - frame) + by) % period;
      direction = phase < count - 1 ? 1 : -1;
      return phase < count ? phase : period - phase;
    }
  }
  return frame;
}

Player::Player(SceneController& controller, std::function<bool()> ready, QObject* parent)
    : QObject(parent), controller_(controller), ready_(std::move(ready)) {
  timer_.setTimerType(Qt::PreciseTimer);
  connect(&timer_, &QTimer::timeout, this, &Player::tick);
}

void Player::play() {
  const std::size_t count = controller_.frame_count();
  if (playing() || count < 2) return;
  const Scene& scene = controller_.scene();
  const auto [first, last] = played();
  const bool outside = scene.frame < first || scene.frame > last;
  if (outside || (scene.playback.loop == Playback::Loop::once && scene.frame >= last)) {
    controller_.touch([first](Scene& s) { s.frame = first; });
  }
  owed_ = 0;
  direction_ = 1;
  clock_.start();
  timer_.start(5);
  Q_EMIT playing_changed(true);
}

void Player::set_range(std::optional<std::pair<std::size_t, std::size_t>> range) {
  if (range == range_) return;
  range_ = range;
  Q_EMIT range_changed();
}

std::pair<std::size_t, std::size_t> Player::played() const {
  const std::size_t end = std::max<std::size_t>(controller_.frame_count(), 1) - 1;
  if (!range_ || range_->first >= end) return {0, end};
  return {range_->first, std::min(range_->second, end)};
}

void Player::pause() {
  if (!playing()) return;
  timer_.stop();
  Q_EMIT playing_changed(false);
}

void Player::step(int by) {
  pause();
  const auto count = static_cast<long>(controller_.frame_count());
  if (count < 1) return;
  const long to = std::clamp(static_cast<long>(controller_.scene().frame) + by, 0L, count - 1);
  controller_.touch([to](Scene& s) { s.frame = static_cast<std::size_t>(to); });
}

void Player::tick() {
  const Scene& scene = controller_.scene();
  const std::size_t count = controller_.frame_count();
  if (count < 2) {
    pause();
    return;
  }
  owed_ += double(clock_.nsecsElapsed()) * 1e-9 * scene.playback.frames_per_second;
  clock_.start();
  if (owed_ < 1 || !ready_()) return;
  const auto steps = static_cast<std::size_t>(owed_);
  owed_ -= double(steps);
  const auto [first, last] = played();
  // Who went out of the range while it plays goes on from its beginning.
  const std::size_t within = scene.frame < first || scene.frame > last ? 0 : scene.frame - first;
  const std::size_t next = first + advance(within, last - first + 1, steps, scene.playback, direction_);
  if (next == scene.frame && scene.playback.loop == Playback::Loop::once) {
    pause();
    return;
  }
  controller_.touch([next](Scene& s) { s.frame = next; });
}

}  // namespace isolume
