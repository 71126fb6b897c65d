// Trajectories made of others.
#include "formats/joined_trajectory.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "molecule/base/error.h"

namespace isolume {
namespace {

/// Any number of parts, so that joining many files one by one stays flat.
class JoinedTrajectory final : public Trajectory {
 public:
  explicit JoinedTrajectory(std::vector<std::shared_ptr<const Trajectory>> parts) : parts_(std::move(parts)) {
    for (const auto& part : parts_) ends_.push_back((ends_.empty() ? 0 : ends_.back()) + part->frame_count());
  }

  std::size_t frame_count() const override { return ends_.back(); }
  std::size_t atom_count() const override { return parts_.front()->atom_count(); }
  Frame frame(std::size_t index) const override {
    const auto [part, own] = place_of(index);
    return parts_[part]->frame(own);
  }
  Frame leading_frame(std::size_t index, std::size_t atoms) const override {
    const auto [part, own] = place_of(index);
    return parts_[part]->leading_frame(own, atoms);
  }
  const std::vector<std::shared_ptr<const Trajectory>>& parts() const { return parts_; }

 private:
  /// The part that has the frame, and its number there.
  std::pair<std::size_t, std::size_t> place_of(std::size_t index) const {
    const auto end = std::upper_bound(ends_.begin(), ends_.end(), index);
    if (end == ends_.end()) {
      throw Error(
          "frame " + std::to_string(index) + ": there are " + std::to_string(frame_count()) + ", counted from 0",
          Error::Kind::usage);
    }
    const auto part = static_cast<std::size_t>(end - ends_.begin());
    return {part, index - (part == 0 ? 0 : ends_[part - 1])};
  }

  std::vector<std::shared_ptr<const Trajectory>> parts_;
  std::vector<std::size_t> ends_;  ///< frames up to and with each part
};

class CelledTrajectory final : public Trajectory {
 public:
  CelledTrajectory(std::shared_ptr<const Trajectory> frames, const Cell& cell)
      : frames_(std::move(frames)), cell_(cell) {}
  std::size_t frame_count() const override { return frames_->frame_count(); }
  std::size_t atom_count() const override { return frames_->atom_count(); }
  Frame frame(std::size_t index) const override { return celled(frames_->frame(index)); }
  Frame leading_frame(std::size_t index, std::size_t atoms) const override {
    return celled(frames_->leading_frame(index, atoms));
  }

 private:
  Frame celled(Frame frame) const {
    if (!frame.cell.exists()) frame.cell = cell_;
    return frame;
  }

  std::shared_ptr<const Trajectory> frames_;
  Cell cell_;
};

}  // namespace

std::shared_ptr<const Trajectory> with_cell(std::shared_ptr<const Trajectory> trajectory, const Cell& cell) {
  return std::make_shared<CelledTrajectory>(std::move(trajectory), cell);
}

std::shared_ptr<const Trajectory> with_velocities(const Trajectory& trajectory, const Trajectory& velocities) {
  if (trajectory.frame_count() != 1) {
    throw Error("velocities of one frame, and " + std::to_string(trajectory.frame_count()) + " frames to put them on",
                Error::Kind::input);
  }
  Frame frame = trajectory.frame(0);
  frame.velocities = velocities.frame(0).velocities;
  return std::make_shared<MemoryTrajectory>(std::vector<Frame>{std::move(frame)});
}

std::shared_ptr<const Trajectory> join_trajectories(std::shared_ptr<const Trajectory> first,
                                                    std::shared_ptr<const Trajectory> second) {
  if (first->atom_count() != second->atom_count()) {
    throw Error("a trajectory of " + std::to_string(second->atom_count()) + " atoms cannot follow one of " +
                    std::to_string(first->atom_count()),
                Error::Kind::input);
  }
  std::vector<std::shared_ptr<const Trajectory>> parts;
  for (const auto& trajectory : {first, second}) {
    if (const auto* joined = dynamic_cast<const JoinedTrajectory*>(trajectory.get())) {
      parts.insert(parts.end(), joined->parts().begin(), joined->parts().end());
    } else {
      parts.push_back(trajectory);
    }
  }
  return std::make_shared<JoinedTrajectory>(std::move(parts));
}

}  // namespace isolume
