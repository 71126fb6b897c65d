// Which rows of a run's energies belong to which frames of its trajectory, by time.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "molecule/trajectory.h"

namespace isolume {

/// Times of the frames, ps; empty where a frame that was read has none. Of more than 64 frames 33 are read, from the
/// first to the last: where their times are on a line to a thousandth of the distance of two frames, the others are
/// taken from it; else all are read.
std::vector<double> frame_times(const Trajectory& trajectory, Job& job);

/// For each frame time the row nearest in time, where that is at most half the distance of two rows away (the median of
/// all). Rows ascend; frame times need not. One row, and no distance: the same time to 1e-3 ps.
std::vector<std::optional<std::size_t>> rows_of_frames(std::span<const double> row_times,
                                                       std::span<const double> frame_times);

/// For each row the frame number at its time, with a fraction between frames: 2.5 in the middle between frames 2 and 3.
/// NaN before the first and after the last frame (by more than a thousandth of the distance of two frames). Empty where
/// frame times do not ascend, or are fewer than two.
std::vector<double> frame_numbers(std::span<const double> row_times, std::span<const double> frame_times);

}  // namespace isolume
