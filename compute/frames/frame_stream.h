// Frame stream: frames of a trajectory in groups, the next group read and copied to the device while one is computed.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "compute/base/device.h"
#include "compute/base/device_array.h"
#include "compute/base/job.h"
#include "compute/frames/frame_group.h"
#include "molecule/frame.h"

namespace isolume {

/// How long reading and computing took, seconds. On a CUDA device they go on at the same time, so that the longer one
/// sets the pace. On the CPU every thread does both: these are their shares of the time that passed.
struct FrameTimes {
  double reading = 0;     ///< frames from the file, and gathering the points
  double copying = 0;     ///< to the device
  double computing = 0;   ///< what is computed of them
  double waiting = 0;     ///< of `computing`'s side for frames; on the CPU 0
  std::size_t group = 1;  ///< frames of a group

  /// Times of another device, of its larger groups.
  FrameTimes& operator+=(const FrameTimes& other);
};

/// What to read of which frames.
struct FrameStreamPlan {
  std::size_t rows = 0;                    ///< number of frames
  std::vector<std::uint32_t> atoms;        ///< whose positions are the points, in this order
  std::function<Frame(std::size_t)> read;  ///< the frame of a row; called by many threads
  std::function<void(std::size_t, const Frame&)> seen =
      {};               ///< each frame that was read, by many threads; may be empty
  bool single = false;  ///< single precision, also where the file has double
  Device device;
  const char* what = "frames";  ///< of the progress bar
  FrameTimes* times = nullptr;  ///< added to, where they are asked for
};

/// Frames as groups on a device. Groups are as large as some 32 MiB, of one frame on the CPU.
class FrameStream {
 public:
  explicit FrameStream(FrameStreamPlan plan);

  /// Calls body(first row, group) for all groups. On a CUDA device they come in their order, one at a time, while
  /// another thread reads the next; on the CPU in any order from many threads.
  using Body = std::function<void(std::size_t, const FrameGroup&)>;
  void each(Job& job, const Body& body);
  /// The same in their order on all devices, perhaps several times: where half of the device's memory holds all frames
  /// they are read in the first round alone. Progress goes from `begin` to `end`.
  void again(Job& job, double begin, double end, const Body& body);

  std::size_t rows() const { return plan_.rows; }
  std::size_t group_frames() const { return group_; }

 private:
  struct Held;  ///< a group in device memory
  void fill(Held& held, std::size_t number, void* stream, Job& job);
  void each_on_device(Job& job, double begin, double end, bool keep, const Body& body);
  void one_on_cpu(std::size_t row, const Body& body, double& reading, double& computing);
  std::size_t groups() const { return (plan_.rows + group_ - 1) / group_; }

  FrameStreamPlan plan_;
  std::size_t group_ = 1;
  std::vector<std::shared_ptr<Held>> kept_;
};

}  // namespace isolume
