// LigandAverage: free energies of frames into their average, its error, how many frames carry it, and where it is
// lowest.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "molecule/grid.h"

namespace isolume {

/// Results at one point after all frames. Energies in kT.
struct LigandPoint {
  double free_energy;   ///< -ln of the mean weight w = exp(-G / kT) of the frames; probe_ceiling at most
  double error;         ///< jackknife over blocks; NaN where there is none to be had
  double linear_error;  ///< standard deviation of the blocks' mean weights / (sqrt(blocks) mean), NaN for one block
  double effective;     ///< effective number of frames, (sum w)^2 / sum w^2: 1 where one frame carries the average
};

/// The average of exp(-G / kT) over frames at many points, in blocks of frames in their order: at most
/// LigandAverage::most_blocks of them, whose sizes differ by one at most.
///
/// The error is that of leaving out one block after the other (jackknife): the root of (B-1)/B sum_b (G_b - mean G_b)^2
/// with G_b = -ln of the mean weight without block b. An exponential average that fewer than two effective frames carry
/// tells nothing of its own spread: error is NaN there, as it is for one frame and where the probe never fits.
class LigandAverage {
 public:
  static constexpr std::size_t most_blocks = 20;

  LigandAverage(std::size_t points, std::size_t frames);
  /// What was kept of one: sums of weights (block * points + point), of their squares, and the frames of each block.
  /// Throws Error (input) where they do not fit together.
  LigandAverage(std::size_t points, std::size_t frames, std::span<const double> sums, std::span<const double> squares,
                std::span<const double> counts);

  /// G / kT of the next frame at all points; below -80 counts as -80. Throws Error (usage) for too many frames or
  /// another number of points.
  void add(std::span<const float> free_energy, Job& job);
  /// The same of the frame that is at `place` of all, wherever the next one is.
  void add_at(std::size_t place, std::span<const float> free_energy, Job& job);
  std::size_t frames() const { return added_; }
  std::size_t all_frames() const { return frames_; }
  std::span<const float> sums() const { return sums_; }
  std::span<const double> squares() const { return squares_; }
  std::span<const double> counts() const { return counts_; }
  /// Of the frames added so far.
  LigandPoint at(std::size_t point) const;

  static std::size_t memory(std::size_t points, std::size_t frames);

 private:
  std::size_t points_, frames_, blocks_, added_ = 0;
  std::vector<float> sums_;      // of weights, block * points + point
  std::vector<double> squares_;  // of weights
  std::vector<double> counts_;   // frames of each block
};

/// The points (grid.index()) that are below all of their 26 neighbours, of equal ones the first, and below
/// probe_ceiling; the lowest first. Points on the faces of the grid are none.
///
/// @param values  kT, x fastest
std::vector<std::size_t> free_energy_minima(const Grid& grid, std::span<const float> values);

}  // namespace isolume
