// Progress on a terminal, or as lines for a program that reads them.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "app/cli/interrupt.h"
#include "compute/base/job.h"

namespace isolume::cli {

/// A job whose progress is drawn as a bar on stderr, where that is a terminal and `quiet` is not set, once it has taken
/// half a second. With ISOLUME_PROGRESS=lines in the environment it is lines on stderr, "progress: 25 % words", one
/// for each whole per cent.
class ProgressJob {
 public:
  explicit ProgressJob(bool quiet);
  ~ProgressJob();
  ProgressJob(const ProgressJob&) = delete;
  ProgressJob& operator=(const ProgressJob&) = delete;

  Job& job() { return job_; }
  /// The share of the bar that the next computation fills, and words before its own ("frame 3 of 20").
  void part(double from, double to, std::string prefix = {});
  /// Takes the bar away, so that a line can be written.
  void clear();

 private:
  void show(double fraction, const std::string& what);

  void write_line(int percent, const std::string& text);

  bool lines_, enabled_;
  int percent_ = -1;  ///< of the last line
  bool drawn_ = false;
  double from_ = 0, to_ = 1;
  std::string prefix_;
  std::chrono::steady_clock::time_point begin_, last_;
  Job job_;
  CancelOnSignal cancel_on_signal_{job_};
};

}  // namespace isolume::cli
