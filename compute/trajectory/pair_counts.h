// How many pairs of frames a bond has at each lag, by blocks of the time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace isolume {

/// Number of a frame, or of pairs of frames.
using FrameCount = std::int64_t;

/// Frames [begin, end) without interruption.
struct FrameRun {
  FrameCount begin = 0, end = 0;
};

/// The runs of a bond from the frames in which it is there; gaps of up to `gap` frames are filled.
std::vector<FrameRun> frame_runs(const std::vector<std::uint32_t>& frames, std::size_t gap);

/// The parts of the time: block b is frames [edge(b), edge(b + 1)).
struct FrameBlocks {
  std::size_t frames, count;
  FrameCount edge(std::size_t b) const { return static_cast<FrameCount>(b * frames / count); }
};

/// For every block of origins and every lag up to `longest`, how many pairs of frames so far apart count. Pairs of an
/// origin in [a, b) and a target in [c, d) make a trapezoid over the lags, which four second differences say.
class PairCounts {
 public:
  PairCounts(FrameBlocks blocks, std::size_t longest);

  void clear();

  /// All pairs with an origin in `from` and a target in `to`.
  void add(const FrameRun& from, const FrameRun& to);
  void add(const PairCounts& other);

  /// Of block b, at lags 0 to longest.
  void fill(std::size_t b, std::vector<double>& counts) const;

 private:
  void put(FrameCount* row, FrameCount lag, FrameCount what);

  FrameBlocks blocks_;
  FrameCount longest_, before_;
  std::size_t width_;
  std::vector<FrameCount> seconds_;
};

}  // namespace isolume
