// The progress of work without a job, such as reading, for those who wait for it.
#pragma once

#include <atomic>

namespace isolume {

/// While it lives, report() of work on this thread sets a fraction, which only rises.
class WorkPart {
 public:
  /// The whole work: `fraction` from 0 to 1. Null tells nobody. It must outlive this.
  explicit WorkPart(std::atomic<double>* fraction) : before_(current_) { current_ = {fraction, 0, 1}; }
  /// From `begin` to `end` of the work that this is a part of.
  WorkPart(double begin, double end) : before_(current_) {
    const double size = before_.end - before_.begin;
    current_ = {before_.fraction, before_.begin + begin * size, before_.begin + end * size};
    report(0);
  }
  ~WorkPart() { current_ = before_; }
  WorkPart(const WorkPart&) = delete;
  WorkPart& operator=(const WorkPart&) = delete;

  /// `done`, from 0 to 1, of the innermost part of this thread.
  static void report(double done) {
    if (!current_.fraction) return;
    const double now = current_.begin + done * (current_.end - current_.begin);
    if (now > current_.fraction->load(std::memory_order_relaxed))
      current_.fraction->store(now, std::memory_order_relaxed);
  }

 private:
  struct Range {
    std::atomic<double>* fraction;
    double begin, end;
  };
  inline static thread_local Range current_{nullptr, 0, 1};
  const Range before_;
};

}  // namespace isolume
