// When a part that is made is kept in its file.
#pragma once

#include <algorithm>
#include <chrono>

namespace isolume::cli {

/// The first time after two seconds, then after twice as long each time, up to `longest`. What takes long to write is
/// written less often: writing takes a tenth of the time at most.
class PartTimes {
 public:
  using Clock = std::chrono::steady_clock;
  PartTimes(Clock::time_point begin, Clock::duration longest) : next_(begin + first), longest_(longest) {}

  bool due(Clock::time_point now) const { return now >= next_; }
  /// The file was written from `begin` to `end`.
  void written(Clock::time_point begin, Clock::time_point end) {
    between_ = std::min(2 * between_, std::max(longest_, first));
    next_ = end + std::max(between_, 9 * (end - begin));
  }

 private:
  static constexpr Clock::duration first = std::chrono::seconds(2);
  Clock::time_point next_;
  Clock::duration between_ = first, longest_;
};

}  // namespace isolume::cli
