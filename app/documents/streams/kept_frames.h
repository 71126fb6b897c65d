// Frames of a stream that are kept in memory, within a bound.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "molecule/trajectory.h"

namespace isolume {

/// Frames one after another. Where they would take more than `most_bytes`, every second one is dropped, and from then
/// on every second, fourth, ... that comes is kept: what is kept covers the whole time evenly. One thread at a time.
class KeptFrames {
 public:
  explicit KeptFrames(std::size_t most_bytes) : most_(most_bytes) {}

  /// Keeps the frame, or not. One is always kept; where there is no room for two, the newest.
  void add(Frame frame);
  std::size_t count() const { return frames_.size(); }
  std::size_t bytes() const { return bytes_; }
  /// One of so many frames is kept: 1, 2, 4, ...
  std::size_t every() const { return every_; }
  /// The frames so far, which share their positions with these; null where there are none.
  std::shared_ptr<const Trajectory> trajectory() const;

 private:
  std::size_t most_;
  std::size_t bytes_ = 0;
  std::size_t every_ = 1;
  std::size_t come_ = 0;
  std::vector<std::shared_ptr<const Frame>> frames_;
};

}  // namespace isolume
