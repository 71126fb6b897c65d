// A trajectory: frames by number, read when asked for.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "molecule/frame.h"

namespace isolume {

/// Frames of one system. Implementations in formats/ keep the file mapped and an index of frame offsets, and decode one
/// frame per call; they are immutable, so any number of threads may call frame() at once.
class Trajectory {
 public:
  virtual ~Trajectory() = default;
  virtual std::size_t frame_count() const = 0;
  virtual std::size_t atom_count() const = 0;
  /// Frame `index` from 0. Throws Error (usage) beyond the end, Error (input) where the file is damaged there.
  virtual Frame frame(std::size_t index) const = 0;
};

/// Frames held in memory.
class MemoryTrajectory final : public Trajectory {
 public:
  /// All frames have the same number of positions; throws Error otherwise.
  explicit MemoryTrajectory(std::vector<Frame> frames);
  std::size_t frame_count() const override { return frames_.size(); }
  std::size_t atom_count() const override { return frames_.empty() ? 0 : frames_.front().positions.size(); }
  Frame frame(std::size_t index) const override;

 private:
  std::vector<Frame> frames_;
};

}  // namespace isolume
