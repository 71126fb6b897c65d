// The average over frames, by blocks.
#include "compute/sampling/ligand_average.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "compute/sampling/probe_field.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

std::size_t blocks_for_frames(std::size_t frames) {
  return std::clamp<std::size_t>(frames, 1, LigandAverage::most_blocks);
}

}  // namespace

std::size_t LigandAverage::memory(std::size_t points, std::size_t frames) {
  return points * (blocks_for_frames(frames) * sizeof(float) + sizeof(double));
}

LigandAverage::LigandAverage(std::size_t points, std::size_t frames)
    : points_(points), frames_(frames), blocks_(blocks_for_frames(frames)) {
  require_memory(memory(points, frames), Device::cpu(), "the average over frames");
  sums_.assign(points * blocks_, 0.0f);
  squares_.assign(points, 0.0);
  counts_.assign(blocks_, 0.0);
}

LigandAverage::LigandAverage(std::size_t points, std::size_t frames, std::span<const double> sums,
                             std::span<const double> squares, std::span<const double> counts)
    : points_(points), frames_(frames), blocks_(blocks_for_frames(frames)) {
  if (sums.size() / blocks_ != points || sums.size() % blocks_ != 0 || squares.size() != points ||
      counts.size() != blocks_ || frames == 0)
    throw Error("a ligand average was kept with other numbers of points, blocks and frames", Error::Kind::input);
  sums_.assign(sums.begin(), sums.end());
  squares_.assign(squares.begin(), squares.end());
  counts_.assign(counts.begin(), counts.end());
  double added = 0;
  for (const double count : counts_) {
    if (!(count >= 0 && count <= static_cast<double>(frames)))
      throw Error("a ligand average was kept with other numbers of frames in its blocks", Error::Kind::input);
    added += count;
  }
  added_ = static_cast<std::size_t>(added);
}

void LigandAverage::add(std::span<const float> free_energy, Job& job) {
  add_at(added_, free_energy, job);
}

void LigandAverage::add_at(std::size_t place, std::span<const float> free_energy, Job& job) {
  if (free_energy.size() != points_ || place >= frames_)
    throw Error(fmt::format("ligand average: {} values for {} points, frame {} of {}", free_energy.size(), points_,
                            place + 1, frames_),
                Error::Kind::usage);
  const std::size_t number = place * blocks_ / frames_;
  float* const block = sums_.data() + number * points_;
  constexpr std::size_t run = 16384;
  parallel_for((points_ + run - 1) / run, job, "average", [&](std::size_t r) {
    for (std::size_t p = r * run; p < std::min(points_, (r + 1) * run); ++p) {
      // What never fits counts as nothing, not as a little.
      const double g = static_cast<double>(free_energy[p]);
      const double w = g >= probe_ceiling ? 0.0 : std::exp(-std::max(g, -probe_ceiling));
      block[p] += static_cast<float>(w);
      squares_[p] += w * w;
    }
  });
  ++added_;
  ++counts_[number];
}

LigandPoint LigandAverage::at(std::size_t point) const {
  double total = 0;
  for (std::size_t b = 0; b < blocks_; ++b) total += static_cast<double>(sums_[b * points_ + point]);
  LigandPoint result{probe_ceiling, nothing, nothing, 0};
  const auto frames = static_cast<double>(added_);
  if (!(total > 0) || added_ == 0) return result;
  result.free_energy = std::min(probe_ceiling, -std::log(total / frames));
  result.effective = squares_[point] > 0 ? std::clamp(total * total / squares_[point], 1.0, frames) : 1.0;
  if (added_ < 2 || blocks_ < 2) return result;
  double means = 0, mean_squares = 0, kept = 0, kept_squares = 0;
  bool finite = true;
  const auto blocks = static_cast<double>(blocks_);
  for (std::size_t b = 0; b < blocks_; ++b) {
    if (counts_[b] == 0) return result;
    const double sum = static_cast<double>(sums_[b * points_ + point]), mean = sum / counts_[b];
    means += mean;
    mean_squares += mean * mean;
    const double rest = total - sum;
    finite = finite && rest > 1e-6 * total;
    const double without = finite ? -std::log(rest / (frames - counts_[b])) : 0;
    kept += without;
    kept_squares += without * without;
  }
  const double average = means / blocks;
  const double spread = std::max(0.0, mean_squares / blocks - average * average) * blocks / (blocks - 1);
  result.linear_error = std::sqrt(spread / blocks) / average;
  if (finite && result.effective >= 2)
    result.error = std::sqrt((blocks - 1) * std::max(0.0, kept_squares / blocks - kept / blocks * (kept / blocks)));
  return result;
}

std::vector<std::size_t> free_energy_minima(const Grid& grid, std::span<const float> values) {
  std::vector<std::size_t> found;
  for (int k = 1; k + 1 < grid.counts.z; ++k)
    for (int j = 1; j + 1 < grid.counts.y; ++j)
      for (int i = 1; i + 1 < grid.counts.x; ++i) {
        const std::size_t at = grid.index(i, j, k);
        bool lowest = values[at] < static_cast<float>(probe_ceiling);
        for (int n = 0; n < 27 && lowest; ++n) {
          const std::size_t other = grid.index(i + n % 3 - 1, j + n / 3 % 3 - 1, k + n / 9 - 1);
          lowest = other == at || values[at] < values[other] || (values[at] == values[other] && at < other);
        }
        if (lowest) found.push_back(at);
      }
  std::sort(found.begin(), found.end(),
            [&](std::size_t a, std::size_t b) { return values[a] != values[b] ? values[a] < values[b] : a < b; });
  return found;
}

}  // namespace isolume
