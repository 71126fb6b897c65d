// An average in progress: its part file, its convergence and its final output.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/over_time/average_options.h"
#include "app/cli/over_time/part_file.h"
#include "app/cli/over_time/part_times.h"
#include "compute/over_time/frame_alignment.h"

namespace isolume::cli {

/// Where the results of an average go.
struct AverageOutputs {
  std::string out;  ///< a map, or lines mean,standard error; empty: nowhere, of points stdout
  std::string error_out, convergence;
  std::string faded_out;  ///< a map (compute/over_time/significance.h)
  std::string variance_out;
};

/// Those of the options, with the mean in `out`.
inline AverageOutputs outputs_of(const AverageOptions& options, const std::string& out) {
  return {out, options.error_out, options.convergence, options.faded_out, options.variance_out};
}

/// Writes the mean, its error and its convergence, and puts into the report what is known of them. `molecule` (may be
/// null) and `frame`: atoms for formats that have them.
void write_average(Run& run, const AveragePart& part, const AverageOutputs& outputs, const Molecule* molecule = nullptr,
                   std::size_t frame = 0);

/// Writes the first mean less the second and its standard error, of frames that have nothing to do with each other: the
/// root of the sum of both errors' squares. The report has at how many points the difference is larger than half of its
/// 95 % interval.
void write_difference(Run& run, const AveragePart& part, const AveragePart& minus, const AverageOutputs& outputs);

/// Writes the values faded where they are within their errors, where `path` is not empty.
void write_faded(const AveragePart& part, std::span<const float> values, std::span<const float> errors,
                 const std::string& name, const std::string& comment, const std::string& path);

/// Errors that are not known become -1: readers of maps take no NaN.
void flag_unknown(std::span<float> errors);

/// Takes the values of frame after frame, keeps them in a part file (after two seconds, then less and less often, every
/// half minute in the end), when it is destroyed and at the end, and goes on from the file where it is there.
class Averager {
 public:
  /// `part`: all but its frames and statistics. Throws Error (input) where the part file is of another average or holds
  /// other frames than the first of `frames`.
  Averager(Run& run, const AverageOptions& options, AveragePart part, std::vector<std::size_t> frames);
  ~Averager();
  Averager(const Averager&) = delete;
  Averager& operator=(const Averager&) = delete;

  /// The frames that are left to be added, in this order.
  std::span<const std::size_t> left() const;
  /// The values of the next of them, and how far it was from the reference (angstrom).
  template <typename Value>
  void add(std::span<const Value> values, double rmsd) {
    part_.statistics.add(values, run_.job());
    added(rmsd);
  }
  /// `factor` times the values, which are where use_device() has put the statistics.
  void add(Span<const float> values, double factor, double rmsd) {
    part_.statistics.add(values, factor, run_.job());
    added(rmsd);
  }
  /// Moves the statistics to a device where it has the memory for them and `others` bytes. Returns whether it has.
  bool use_device(Device device, std::size_t others);
  const RunningStatistics& statistics() const { return part_.statistics; }
  /// Keeps and writes everything.
  void finish(const AverageOutputs& outputs, const FrameAlignment& alignment, const Molecule* molecule = nullptr,
              std::size_t frame = 0);

 private:
  void added(double rmsd);
  void keep();

  Run& run_;
  std::string path_;  ///< of the part file; empty for none
  AveragePart part_;
  std::vector<std::size_t> frames_;
  std::size_t resumed_ = 0, kept_ = 0, next_check_ = 16;
  double rmsd_sum_ = 0, rmsd_most_ = 0;
  PartTimes times_;
};

}  // namespace isolume::cli
