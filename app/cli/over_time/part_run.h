// A part while it is made: some frames after the others, kept in its file now and then.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/over_time/part_times.h"
#include "molecule/frame_part.h"

namespace isolume::cli {

/// Computes the frames of a part in pieces that take some seconds each, keeps what is done in the part's file (after
/// two seconds, then every few seconds), when it is destroyed (after Ctrl-C, too) and at the end, and goes on from the
/// file where it is there.
class PartRun {
 public:
  using Compute = std::function<FramePart(std::span<const std::size_t> frames, Job& job)>;

  /// `kind` names the computation; its options are those of the command line. Throws Error (input) where the file is a
  /// part of something else or holds other frames than the first of `frames`, which ascend.
  PartRun(Run& run, std::string path, const std::string& kind, std::vector<std::size_t> frames);
  ~PartRun();
  PartRun(const PartRun&) = delete;
  PartRun& operator=(const PartRun&) = delete;

  /// All frames that are left.
  void finish(const Compute& compute);
  const FramePart& part() const { return part_; }

 private:
  void resume(const FramePart& expected);
  void add(FramePart piece);
  void keep();

  Run& run_;
  std::string path_;
  std::vector<std::size_t> frames_;
  std::vector<std::pair<std::string, std::string>> options_, inputs_;
  FramePart part_;
  std::size_t kept_ = 0;
  PartTimes times_;
};

}  // namespace isolume::cli
