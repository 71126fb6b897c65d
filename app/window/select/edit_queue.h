// Edits that are computed before they are made, one after another.
#pragma once

#include <deque>
#include <functional>

namespace isolume {

/// Begins an edit when the one before it was made, so that they are made in the order in which the user asked for them.
/// On the window's thread.
class EditQueue {
 public:
  /// `begin` starts the computation; end() has to be called once when its edit was made, or will not be.
  void add(std::function<void()> begin) {
    waiting_.push_back(std::move(begin));
    if (waiting_.size() == 1) begin_first();
  }
  void end() {
    waiting_.pop_front();
    if (!waiting_.empty()) {
      begin_first();
    } else if (idle_) {
      idle_();
    }
  }
  bool busy() const { return !waiting_.empty(); }
  /// Called each time when the last edit has ended.
  void when_idle(std::function<void()> idle) { idle_ = std::move(idle); }

 private:
  void begin_first() {
    const std::function<void()> begin = waiting_.front();  // which end() may take away while it runs
    begin();
  }

  std::deque<std::function<void()>> waiting_;  ///< the first is being computed
  std::function<void()> idle_;
};

}  // namespace isolume
