// A trajectory whose frames fail where a test wants it.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <utility>

#include "molecule/trajectory.h"

namespace isolume::test {

/// Frames of another trajectory; `act` is called with the number of the call (from 0) before each and may throw.
class FailingTrajectory : public Trajectory {
 public:
  using Act = std::function<void(int call)>;
  FailingTrajectory(std::shared_ptr<const Trajectory> frames, Act act)
      : frames_(std::move(frames)), act_(std::move(act)) {}

  std::size_t frame_count() const override { return frames_->frame_count(); }
  std::size_t atom_count() const override { return frames_->atom_count(); }
  Frame frame(std::size_t index) const override {
    act_(calls_++);
    return frames_->frame(index);
  }

 private:
  std::shared_ptr<const Trajectory> frames_;
  Act act_;
  mutable std::atomic<int> calls_{0};
};

}  // namespace isolume::test
