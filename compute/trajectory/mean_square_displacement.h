// Mean square displacements and diffusion coefficients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/trajectory/frame_set.h"

namespace isolume {

/// Undoes jumps through faces of the cell: every place is the image nearest to that of the frame before. Right where
/// nothing moves by half of the cell between two frames. Frames without a cell stay.
void follow_through_cells(FrameSet& set);

/// One point per group of atoms: its centre with these weights (one per atom). Groups are lists of places in set.atoms.
FrameSet centres_of(const FrameSet& set, std::span<const std::vector<std::uint32_t>> groups,
                    std::span<const double> weights);

struct MsdOptions {
  double step = 1;            ///< ps between two frames
  double first = 0.1;         ///< part of the longest lag from which the line is fitted,
  double last = 0.5;          ///< to here
  std::size_t blocks = 5;     ///< parts of the particles or of time, for the error
  bool without_drift = true;  ///< displacements are relative to the mean of all particles
};

struct MeanSquareDisplacement {
  std::vector<double> lags;     ///< ps, from 0
  std::vector<double> values;   ///< angstrom^2, the mean over particles and over all pairs of frames so far apart
  std::vector<double> x, y, z;  ///< its parts
  double diffusion = 0;         ///< slope / 6, in 1e-5 cm^2/s
  double error = 0;     ///< standard error of it: of `blocks` parts of the time, each by itself; NaN for too few
  double exponent = 0;  ///< slope of log(value) over log(lag) in the same range: 1 of diffusion
  std::size_t from = 0, to = 0;  ///< lags of the fit, both included
};

/// Of all lags up to the last frame, by Fourier transforms in the number of frames times its logarithm (V. Calandrini
/// et al., Collection SFN 12 (2011) 201); double precision. All particles alike. The line is the least squares of the
/// values at the lags of the fit. Throws Error (usage) for fewer than four frames, a step that is not positive and a
/// range without three lags.
MeanSquareDisplacement mean_square_displacement(const FrameSet& set, const MsdOptions& options, Job& job);

/// The values straight from the definition, without removing a drift.
std::vector<double> mean_square_displacement_reference(const FrameSet& set);

}  // namespace isolume
