// A flexible fit that runs: its frames so far, and how it is stopped.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "app/documents/streams/kept_frames.h"
#include "compute/dynamics/flexible_fit.h"

namespace isolume {

/// Filled by the thread that computes, looked at by the window. Any thread may call.
class FlexibleFitRun {
 public:
  /// Frames within so many bytes are kept.
  explicit FlexibleFitRun(std::size_t most_bytes) : most_bytes_(most_bytes), kept_(most_bytes) {}

  struct State {
    std::size_t samples = 0;                  ///< fewer than before where it began again
    std::vector<double> times, correlations;  ///< ps; of every sample
  };
  State state() const;
  /// Null before the first.
  std::shared_ptr<const Trajectory> frames() const;

  /// Runs it to its end, or until it is stopped with frames to keep: on the device of the options, and where that fails
  /// again from the beginning on another. Throws Error, also (cancelled) after cancel().
  void run(const FlexibleFitInput& input, const FlexibleFitOptions& options, Job& progress);
  /// Ends it within a step; what there is stays.
  void stop();
  /// Ends it within a step.
  void cancel() { job_.cancel(); }
  bool stopped() const;

 private:
  void add(FlexibleFitSample sample);
  /// Nothing is kept any more.
  void begin_again();

  Job job_;
  const std::size_t most_bytes_;
  mutable std::mutex mutex_;
  KeptFrames kept_;
  State state_;
  bool stopped_ = false;
};

}  // namespace isolume
