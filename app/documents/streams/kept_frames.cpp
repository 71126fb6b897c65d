// Frames of a stream that are kept in memory.
#include "app/documents/streams/kept_frames.h"

#include <fmt/format.h>

#include <utility>

#include "molecule/base/error.h"

namespace isolume {
namespace {

/// Frames that are shared with the stream.
class SharedFrames final : public Trajectory {
 public:
  explicit SharedFrames(std::vector<std::shared_ptr<const Frame>> frames) : frames_(std::move(frames)) {}
  std::size_t frame_count() const override { return frames_.size(); }
  std::size_t atom_count() const override { return frames_.front()->positions.size(); }
  Frame frame(std::size_t index) const override {
    if (index >= frames_.size())
      throw Error(fmt::format("frame {}: the stream has 0 to {} so far", index, frames_.size() - 1),
                  Error::Kind::usage);
    return *frames_[index];
  }

 private:
  std::vector<std::shared_ptr<const Frame>> frames_;
};

std::size_t bytes_of(const Frame& frame) {
  return sizeof(Frame) + sizeof(glm::vec3) * (frame.positions.size() + frame.velocities.size() + frame.forces.size());
}

}  // namespace

void KeptFrames::add(Frame frame) {
  if (come_++ % every_ != 0) return;
  const std::size_t bytes = bytes_of(frame);
  while (frames_.size() > 1 && bytes_ + bytes > most_) {
    std::vector<std::shared_ptr<const Frame>> left;
    bytes_ = 0;
    for (std::size_t i = 0; i < frames_.size(); i += 2) {
      bytes_ += bytes_of(*frames_[i]);
      left.push_back(std::move(frames_[i]));
    }
    frames_ = std::move(left);
    every_ *= 2;
    if ((come_ - 1) % every_ != 0) return;
  }
  if (!frames_.empty() && bytes_ + bytes > most_) {
    frames_.clear();  // there is room for one, which is the newest
    bytes_ = 0;
  }
  bytes_ += bytes;
  frames_.push_back(std::make_shared<const Frame>(std::move(frame)));
}

std::shared_ptr<const Trajectory> KeptFrames::trajectory() const {
  if (frames_.empty()) return nullptr;
  return std::make_shared<SharedFrames>(frames_);
}

}  // namespace isolume
