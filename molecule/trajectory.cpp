// Trajectories that are held in memory.
#include "molecule/trajectory.h"

#include <string>
#include <utility>

#include "molecule/base/error.h"

namespace isolume {

MemoryTrajectory::MemoryTrajectory(std::vector<Frame> frames) : frames_(std::move(frames)) {
  for (std::size_t i = 1; i < frames_.size(); ++i) {
    if (frames_[i].positions.size() != frames_.front().positions.size()) {
      throw Error("frame " + std::to_string(i) + " has " + std::to_string(frames_[i].positions.size()) +
                      " atoms; the first has " + std::to_string(frames_.front().positions.size()),
                  Error::Kind::input);
    }
  }
}

Frame MemoryTrajectory::frame(std::size_t index) const {
  if (index >= frames_.size()) {
    throw Error(
        "frame " + std::to_string(index) + ": there are " + std::to_string(frames_.size()) + " frames, counted from 0",
        Error::Kind::usage);
  }
  return frames_[index];
}

}  // namespace isolume
