// Fluctuation: how far points move about their mean places over many frames.
#pragma once

#include <cstddef>
#include <functional>
#include <glm/glm.hpp>
#include <vector>

#include "compute/base/job.h"

namespace isolume {

/// The points of one frame.
struct FluctuationFrame {
  std::vector<glm::dvec3> points;  ///< whose fluctuation is asked for, angstrom
  std::vector<glm::dvec3> fitted;  ///< by which the frame is superposed; empty: it stays where it is
};

struct Fluctuations {
  std::vector<glm::dvec3> mean;  ///< of the points, angstrom
  std::vector<double> squares;   ///< the mean of |p - mean|^2 over the frames, angstrom^2; RMSF is its root
  int rounds = 0;                ///< of superposing on the mean
  double change = 0;             ///< of the fitted points' mean in the last round, RMS, angstrom
};

/// Superposes all frames on the first by their fitted points (unweighted least squares), then, round after round, on
/// the mean of the round before, until that moves by less than `tolerance` (angstrom, RMS) or after `rounds`.
///
/// Frames are read again in every round, one at a time: `read(index, frame)` fills one, for 0 to count - 1.
/// Throws Error (usage) where there are no frames, or frames differ in their numbers of points.
Fluctuations fluctuations(std::size_t count, const std::function<void(std::size_t, FluctuationFrame&)>& read, Job& job,
                          int rounds = 20, double tolerance = 1e-4);

/// The isotropic displacement B = 8 pi^2 / 3 <|p - mean|^2> of a mean square, angstrom^2.
double b_factor(double mean_square);

}  // namespace isolume
