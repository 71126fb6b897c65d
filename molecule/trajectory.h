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
  /// Frame `index` where only the first `atoms` atoms are wanted: with positions of exactly these, or of all atoms, and
  /// velocities of as many or none. Quicker where the others need not be decoded; they are not looked at then, and
  /// damage there is not found. Throws as frame().
  virtual Frame leading_frame(std::size_t index, std::size_t atoms) const {
    (void)atoms;
    return frame(index);
  }
  /// Whether frame `index` is in memory, so that who keeps frames need not keep this one too.
  virtual bool holds(std::size_t index) const {
    (void)index;
    return false;
  }
};

/// Frames held in memory.
class MemoryTrajectory final : public Trajectory {
 public:
  /// All frames have the same number of positions; throws Error otherwise.
  explicit MemoryTrajectory(std::vector<Frame> frames);
  std::size_t frame_count() const override { return frames_.size(); }
  std::size_t atom_count() const override { return frames_.empty() ? 0 : frames_.front().positions.size(); }
  Frame frame(std::size_t index) const override;
  bool holds(std::size_t) const override { return true; }

 private:
  std::vector<Frame> frames_;
};

}  // namespace isolume
