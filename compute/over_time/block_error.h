// The standard error of a mean of correlated values, by blocks.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

namespace isolume {

/// Statistics of blocks of one length: block means over `length` consecutive frames each.
struct BlockVariance {
  double length = 1;
  std::uint64_t blocks = 0;
  double variance = 0;  ///< of the block means, over blocks - 1
};

/// What can be said of the mean of a series.
struct MeanError {
  /// NaN where there are too few blocks: the values are correlated over too long a time for the number of frames.
  double standard_error = std::numeric_limits<double>::quiet_NaN();
  /// The statistical inefficiency: how many frames say as much as one independent one. NaN as above.
  double inefficiency = std::numeric_limits<double>::quiet_NaN();
  double degrees = 0;       ///< of freedom of the standard error; 0 where it is NaN
  double block_length = 0;  ///< frames, of the blocks that it comes from

  bool known() const { return degrees > 0; }
  /// Whether it comes from fewer than `enough_independent` of so many frames.
  bool rough(std::uint64_t frames) const;
};

/// The fewest blocks that an error is estimated from.
inline constexpr std::uint64_t fewest_blocks = 10;

/// An error from fewer independent frames (frames over the inefficiency) is rough: it may be half of the true one,
/// since runs that look less correlated than they are pass.
inline constexpr double enough_independent = 50;

/// The standard error of the mean of `frames` values from block lengths 1, 2, 4, ... (`levels`, ascending), after
/// H. Flyvbjerg and H. G. Petersen, J. Chem. Phys. 91 (1989) 461.
///
/// The first length tried grows with the number of frames, as 0.75 N^0.45, so that it does not depend on the values.
/// Blocks of B and of 2B frames give the correlation r of neighbouring blocks. Where r is at most 0.4 (0.5 for the
/// longest blocks of which there are 24) the variance is multiplied by what exponential decay with that r adds beyond
/// the block, 1 + 2 r for small r. Blocks half as long have less noise: where their r is above it, by two standard
/// deviations, r is at least what exponential decay makes of theirs. Where it is larger, or above 0.72 for blocks half
/// as long, longer blocks are tried, and where no length will do the error is NaN: the frames are fewer than some 50
/// times the inefficiency. A series whose values are all the same has the error 0.
MeanError mean_error(std::uint64_t frames, std::span<const BlockVariance> levels);

/// By what a standard error with so many degrees of freedom is multiplied for half of the interval that holds the true
/// mean in 95 of 100 cases: the quantile of Student's t; 1.96 for many.
double interval_factor(double degrees);

}  // namespace isolume
