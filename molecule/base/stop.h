// A request to stop: what long work polls that has no job, such as reading and guessing bonds.
#pragma once

#include <atomic>

#include "molecule/base/error.h"

namespace isolume {

/// Set by the command line's signal handler: everything in the program stops.
inline std::atomic<bool> stop_everything{false};
static_assert(std::atomic<bool>::is_always_lock_free);

/// While it lives, check_stop() throws on this thread once `flag` is set. Of on_threads() the calling thread stops, and
/// with it the others after the part that each is at. A null flag asks for nothing. `flag` must outlive it.
class StopScope {
 public:
  explicit StopScope(const std::atomic<bool>* flag) : before_(current_) { current_ = flag; }
  ~StopScope() { current_ = before_; }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

  /// The flag of this thread, null for none.
  static const std::atomic<bool>* current() { return current_; }

 private:
  inline static thread_local const std::atomic<bool>* current_ = nullptr;
  const std::atomic<bool>* before_;
};

/// Whether the work on this thread was asked to stop.
inline bool stop_requested() {
  const std::atomic<bool>* flag = StopScope::current();
  return stop_everything.load(std::memory_order_relaxed) || (flag && flag->load(std::memory_order_relaxed));
}

/// Throws Error (cancelled) where stop_requested(). Loops call it every few milliseconds.
inline void check_stop() {
  if (stop_requested()) throw Error("cancelled", Error::Kind::cancelled);
}

}  // namespace isolume
