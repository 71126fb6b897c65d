// FrameAhead: while a trajectory plays, the next frame is read while this one is computed.
#pragma once

#include <cstddef>
#include <future>
#include <memory>

#include "molecule/frame.h"
#include "molecule/molecule.h"

namespace isolume {

/// Frames of one molecule after another. Once two requests have told a stride, the frame that would follow is read on
/// another thread; where it is not the one that is asked for, it is thrown away. Used by one thread at a time.
class FrameAhead {
 public:
  FrameAhead();
  ~FrameAhead();
  FrameAhead(const FrameAhead&) = delete;
  FrameAhead& operator=(const FrameAhead&) = delete;

  /// frame_at(*molecule, frame). Throws Error, as that does.
  Frame take(const std::shared_ptr<const Molecule>& molecule, std::size_t frame);
  /// True where the last take() found its frame read, or being read.
  bool was_ahead() const { return was_ahead_; }

 private:
  class Reader;
  void begin(std::size_t frame);

  std::unique_ptr<Reader> reader_;  ///< from the first frame on that is read ahead

  std::shared_ptr<const Trajectory> trajectory_;
  std::size_t last_ = 0;  ///< frame that was taken last
  std::size_t next_ = 0;  ///< frame that is read
  std::future<Frame> reading_;
  bool was_ahead_ = false;
};

}  // namespace isolume
