// FrameAhead: while a trajectory plays, the next frame is read while this one is computed.
#include "app/documents/frame_ahead.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "app/documents/frames.h"

namespace isolume {

/// A thread that does one task after another: not one of those that compute, whose loops would wait for a file.
class FrameAhead::Reader {
 public:
  Reader() : thread_([this] { work(); }) {}
  ~Reader() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  void start(std::packaged_task<Frame()> task) {
    {
      const std::lock_guard lock(mutex_);
      task_ = std::move(task);
    }
    changed_.notify_all();
  }

 private:
  void work() {
    for (;;) {
      std::packaged_task<Frame()> task;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return stop_ || task_.valid(); });
        if (stop_) return;
        task = std::move(task_);
      }
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::packaged_task<Frame()> task_;
  bool stop_ = false;
  std::thread thread_;  // last, so that the others are there when it begins
};

FrameAhead::FrameAhead() = default;
FrameAhead::~FrameAhead() = default;

Frame FrameAhead::take(const std::shared_ptr<const Molecule>& molecule, std::size_t frame) {
  const std::size_t count = molecule->frame_count();
  if (count == 0) return frame_at(*molecule, frame);
  frame = std::min(frame, count - 1);
  const bool known = trajectory_ && trajectory_ == molecule->trajectory;
  was_ahead_ = known && reading_.valid() && next_ == frame;
  Frame result;
  if (was_ahead_) {
    result = reading_.get();
  } else {
    if (reading_.valid()) reading_.wait();
    reading_ = {};
    result = frame_at(*molecule, frame);
  }
  const std::size_t before = std::exchange(last_, frame);
  if (!known) {
    trajectory_ = molecule->trajectory;
  } else if (frame != before) {
    // Backwards too, modulo the range of the type.
    const std::size_t next = frame + (frame - before);
    if (next < count) begin(next);
  }
  return result;
}

void FrameAhead::begin(std::size_t frame) {
  std::packaged_task<Frame()> task([from = trajectory_, frame] { return from->frame(frame); });
  reading_ = task.get_future();
  next_ = frame;
  if (!reader_) reader_ = std::make_unique<Reader>();
  reader_->start(std::move(task));
}

}  // namespace isolume
