// Fluctuation: how far points move about their mean places over many frames.
#pragma once

#include <cstddef>
#include <functional>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/frames/frame_group.h"

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

/// Frames as groups on a device, in their order: calls the last argument for each group, with progress from the first
/// number to the second.
using GroupsInOrder = std::function<void(Job&, double, double, const std::function<void(const FrameGroup&)>&)>;

/// The same of groups, summed on their device. `fitted` of no points: frames stay where they are; it may be the same
/// range as `points`. `first` has the points of a group in the first frame. The CPU and CUDA agree to 1e-9 angstrom.
Fluctuations fluctuations(std::size_t count, const GroupsInOrder& groups, PointRange points, PointRange fitted,
                          std::span<const glm::dvec3> first, Device device, Job& job, int rounds = 20,
                          double tolerance = 1e-4);

/// The isotropic displacement B = 8 pi^2 / 3 <|p - mean|^2> of a mean square, angstrom^2.
double b_factor(double mean_square);

}  // namespace isolume
