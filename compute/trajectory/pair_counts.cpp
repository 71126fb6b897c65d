// Counting pairs of frames of a bond by their lag.
#include "compute/trajectory/pair_counts.h"

#include <algorithm>

namespace isolume {

std::vector<FrameRun> frame_runs(const std::vector<std::uint32_t>& frames, std::size_t gap) {
  std::vector<FrameRun> runs;
  for (const std::uint32_t frame : frames) {
    const FrameCount at = frame;
    if (!runs.empty() && at - runs.back().end <= static_cast<FrameCount>(gap)) {
      runs.back().end = at + 1;
    } else {
      runs.push_back({at, at + 1});
    }
  }
  return runs;
}

PairCounts::PairCounts(FrameBlocks blocks, std::size_t longest)
    : blocks_(blocks),
      longest_(static_cast<FrameCount>(longest)),
      before_(static_cast<FrameCount>(blocks.frames)),
      width_(blocks.frames + longest + 3),
      seconds_(width_ * blocks.count) {}

void PairCounts::clear() {
  std::fill(seconds_.begin(), seconds_.end(), 0);
}

void PairCounts::add(const FrameRun& from, const FrameRun& to) {
  for (std::size_t b = 0; b < blocks_.count; ++b) {
    const FrameCount begin = std::max(from.begin, blocks_.edge(b)), end = std::min(from.end, blocks_.edge(b + 1));
    if (begin >= end) continue;
    FrameCount* row = seconds_.data() + b * width_;
    put(row, to.begin - end + 1, 1);
    put(row, to.begin - begin + 1, -1);
    put(row, to.end - end + 1, -1);
    put(row, to.end - begin + 1, 1);
  }
}

void PairCounts::add(const PairCounts& other) {
  for (std::size_t i = 0; i < seconds_.size(); ++i) seconds_[i] += other.seconds_[i];
}

void PairCounts::fill(std::size_t b, std::vector<double>& counts) const {
  counts.resize(static_cast<std::size_t>(longest_) + 1);
  FrameCount slope = 0, value = 0;
  for (FrameCount at = 0; at <= before_ + longest_; ++at) {
    slope += seconds_[b * width_ + static_cast<std::size_t>(at)];
    value += slope;
    if (at >= before_) counts[static_cast<std::size_t>(at - before_)] = static_cast<double>(value);
  }
}

void PairCounts::put(FrameCount* row, FrameCount lag, FrameCount what) {
  const FrameCount at = lag + before_;
  if (at <= before_ + longest_) row[at] += what;
}

}  // namespace isolume
