// A part while it is made: some frames after the others, kept in its file now and then.
#include "app/cli/over_time/part_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/cli/interrupt.h"
#include "app/cli/over_time/part_origin.h"
#include "compute/base/job_part.h"
#include "compute/base/memory.h"
#include "formats/parts/part_file.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

using Clock = PartTimes::Clock;

constexpr double piece_seconds = 4;
constexpr std::chrono::seconds between_files{8};
constexpr std::size_t first_piece = 4;  // frames

double bytes_of_frames(const FramePart& part) {
  double bytes = 8 * static_cast<double>(part.frames.size());
  for (const FrameArray& array : part.arrays)
    if (array.rule == FrameArray::Rule::rows || array.rule == FrameArray::Rule::lists)
      bytes += 8 * static_cast<double>(array.size());
  return bytes;
}

}  // namespace

PartRun::PartRun(Run& run, std::string path, const std::string& kind, std::vector<std::size_t> frames)
    : run_(run),
      path_(std::move(path)),
      frames_(std::move(frames)),
      options_(sampled_options()),
      inputs_(sampled_inputs()),
      times_(Clock::now(), between_files) {
  if (frames_.empty()) throw Error("--frames names no frame", Error::Kind::usage);
  for (std::size_t i = 1; i < frames_.size(); ++i)
    if (frames_[i - 1] >= frames_[i])
      throw Error("the frames of a part ascend: --frames with --partial takes a positive step", Error::Kind::usage);
  Interrupt::allow(std::chrono::seconds(5));  // finished frames are kept
  FramePart expected;
  expected.kind = kind;
  expected.fixed = options_;
  expected.inputs = inputs_;
  if (std::filesystem::exists(path_)) resume(expected);
}

PartRun::~PartRun() {
  try {
    keep();
  } catch (const Error&) {  // the run has ended with another error, which is said
  }
}

void PartRun::resume(const FramePart& expected) {
  FramePart found = read_part_file(path_);
  if (inputs_go_on(found)) found.inputs = inputs_;
  FramePart known;  // what can be compared before anything is computed
  known.kind = found.kind;
  known.inputs = found.inputs;
  for (const auto& pair : found.fixed)
    if (pair.first.starts_with("--")) known.fixed.push_back(pair);
  require_same_result(expected, known, path_);
  if (found.frames.size() > frames_.size() || !std::equal(found.frames.begin(), found.frames.end(), frames_.begin(),
                                                          [](std::uint64_t a, std::size_t b) { return a == b; }))
    throw Error::in_file(path_, 0,
                         fmt::format("holds the frames {}, which are not the first of --frames, so the part cannot go "
                                     "on from it",
                                     frames_in_words(found.frames)));
  part_ = std::move(found);
  kept_ = part_.frames.size();
  run_.say(fmt::format("note: {} has {} already", path_, counted(kept_, "frame")));
}

void PartRun::add(FramePart piece) {
  piece.inputs = inputs_;
  piece.program = ISOLUME_VERSION;
  piece.fixed.insert(piece.fixed.begin(), options_.begin(), options_.end());
  if (part_.frames.empty()) {
    part_ = std::move(piece);
  } else {
    join(part_, piece, path_);
  }
}

void PartRun::finish(const Compute& compute) {
  const auto all = static_cast<double>(frames_.size());
  std::size_t next = first_piece;
  while (part_.frames.size() < frames_.size()) {
    run_.job().check();
    const std::size_t done = part_.frames.size(), count = std::min(next, frames_.size() - done);
    const auto begin = Clock::now();
    JobPart job(run_.job(), static_cast<double>(done) / all, static_cast<double>(done + count) / all);
    FramePart piece = compute(std::span(frames_).subspan(done, count), job);
    // The frames that are left take what these do, and twice that while arrays grow.
    const double left = static_cast<double>(frames_.size() - done - count) / static_cast<double>(count);
    require_memory(static_cast<std::size_t>(bytes_of_frames(piece) * left), Device::cpu(),
                   fmt::format("the part of {}", counted(frames_.size(), "frame")));
    add(std::move(piece));
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    const double factor = std::clamp(piece_seconds / std::max(seconds, 1e-6), 0.25, 4.0);
    next = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(static_cast<double>(count) * factor)));
    if (times_.due(Clock::now())) keep();
  }
  keep();
}

void PartRun::keep() {
  if (part_.frames.size() == kept_) return;
  const auto begin = Clock::now();
  write_part_file(path_, part_);
  kept_ = part_.frames.size();
  times_.written(begin, Clock::now());
}

}  // namespace isolume::cli
