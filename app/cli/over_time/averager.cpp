// An average while it is made: its part file and its convergence.
#include "app/cli/over_time/averager.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/cli/interrupt.h"
#include "app/cli/over_time/part_origin.h"
#include "compute/base/memory.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::chrono::seconds between_parts{30};

Json number_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json row_of(const StatisticsSummary& summary) {
  return {{"frames", summary.frames},
          {"standard_error", number_or_null(summary.rms_error)},
          {"rms", summary.rms_mean},
          {"inefficiency", number_or_null(summary.inefficiency)},
          {"without_error",
           static_cast<double>(summary.without) / static_cast<double>(std::max<std::size_t>(1, summary.points))}};
}

}  // namespace

Averager::Averager(Run& run, const AverageOptions& options, AveragePart part, std::vector<std::size_t> frames)
    : run_(run),
      path_(options.partial),
      part_(std::move(part)),
      frames_(std::move(frames)),
      times_(PartTimes::Clock::now(), between_parts) {
  if (frames_.empty()) throw Error("--frames names no frame", Error::Kind::usage);
  std::vector<std::size_t> sorted = frames_;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    throw Error("--frames names a frame twice", Error::Kind::usage);
  part_.statistics = RunningStatistics(part_.size(), Device::cpu(), position_of(frames_));
  if (path_.empty()) return;
  part_.inputs = sampled_inputs();
  Interrupt::allow(std::chrono::seconds(5));  // finished frames are kept
  if (!std::filesystem::exists(path_)) return;
  AveragePart found = read_part(path_);
  FramePart files;
  files.inputs = found.inputs;
  if (inputs_go_on(files)) found.inputs = part_.inputs;  // a trajectory may have grown
  require_same_average(part_, found, path_);
  const auto same = [](std::uint64_t a, std::size_t b) { return a == b; };
  if (found.frames.size() > frames_.size() ||
      !std::equal(found.frames.begin(), found.frames.end(), frames_.begin(), same))
    throw Error::in_file(path_, 0,
                         fmt::format("holds {} other than the first of --frames, so the average cannot go on from it",
                                     counted(found.frames.size(), "frame")));
  part_.frames = std::move(found.frames);
  part_.statistics = std::move(found.statistics);
  part_.convergence = std::move(found.convergence);
  resumed_ = kept_ = part_.frames.size();
  while (next_check_ <= resumed_) next_check_ += std::max<std::size_t>(1, next_check_ / 4);
  run_.say(fmt::format("note: {} has {} already", path_, counted(resumed_, "frame")));
}

Averager::~Averager() {
  try {
    keep();
  } catch (const Error&) {  // the run has ended with another error, which is said
  }
}

bool Averager::use_device(Device device, std::size_t others) {
  const std::size_t bytes = RunningStatistics::memory(part_.size(), frames_.size(), part_.statistics.range().first);
  const bool fits = !device.is_cuda() || bytes + others <= available_memory(device);
  const Device place = fits ? device : Device::cpu();
  require_memory(bytes, place, fmt::format("the average over {} frames at {} points", frames_.size(), part_.size()));
  if (place.is_cuda())
    part_.statistics = RunningStatistics(part_.size(), part_.statistics.levels(), part_.statistics.range(), place);
  return fits;
}

std::span<const std::size_t> Averager::left() const {
  return std::span(frames_).subspan(resumed_);
}

void Averager::added(double rmsd) {
  part_.frames.push_back(frames_[part_.frames.size()]);
  rmsd_sum_ += rmsd;
  rmsd_most_ = std::max(rmsd_most_, rmsd);
  const std::size_t count = part_.frames.size();
  if (count == next_check_ || count == frames_.size()) {
    part_.convergence.push_back(row_of(part_.statistics.summary()));
    next_check_ += std::max<std::size_t>(1, next_check_ / 4);
  }
  run_.job().progress(static_cast<double>(count) / static_cast<double>(frames_.size()),
                      fmt::format("frame {} of {}", count, frames_.size()));
  if (times_.due(PartTimes::Clock::now())) keep();
}

void Averager::keep() {
  if (path_.empty() || part_.frames.size() == kept_) return;
  const auto begin = PartTimes::Clock::now();
  write_part(path_, part_);
  kept_ = part_.frames.size();
  times_.written(begin, PartTimes::Clock::now());
}

void Averager::finish(const AverageOutputs& outputs, const FrameAlignment& alignment, const Molecule* molecule,
                      std::size_t frame) {
  run_.report.phase("compute");
  keep();
  const auto added = static_cast<double>(part_.frames.size() - resumed_);
  run_.report.result["alignment"] = {{"selection", alignment.selection()},
                                     {"atoms", alignment.atoms().size()},
                                     {"reference_frame", alignment.reference()},
                                     {"rmsd_mean", added > 0 ? rmsd_sum_ / added : 0.0},
                                     {"rmsd_max", rmsd_most_}};
  if (resumed_ > 0) run_.report.result["resumed_from"] = resumed_;
  write_average(run_, part_, outputs, molecule, frame);
}

}  // namespace isolume::cli
