// Frame sums: sums over the points of every frame of a group, which analyses of trajectories are made of.
#pragma once

#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/frames/frame_group.h"
#include "compute/frames/point_sums.h"
#include "molecule/rigid_motion.h"

namespace isolume {

/// All of these have one result for each frame of the group, on the device of the group. A frame's result does not
/// depend on the others of its group, and is the same bit by bit in every run. The CPU and CUDA sum in another order:
/// they agree to 1e-12 of the largest term. Errors (usage): a range beyond the points, data of another number of points
/// or on another device.

/// sum w p.
std::vector<glm::dvec3> frame_sums(const FrameGroup& group, PointRange range, const PointData& weights, Job& job);

/// The weighted centre and tensor of gyration.
std::vector<PointMoments> frame_moments(const FrameGroup& group, PointRange range, const PointData& weights, Job& job);

/// What the superposition of each frame on the places of `fixed` is found from.
std::vector<PointCovariance> frame_covariances(const FrameGroup& group, PointRange range, const PointData& fixed,
                                               Job& job);

/// sum w |motion(p) - q|^2 / sum w, angstrom^2; `motions` has one for each frame.
std::vector<double> frame_deviations(const FrameGroup& group, PointRange range, std::span<const RigidMotion> motions,
                                     const PointData& fixed, Job& job);

/// Sums over frames of each point's displacement d = motion(p) - q from the place q of `fixed`, kept on its device.
struct DisplacementSums {
  DisplacementSums(std::size_t points, Device device);

  /// Back to 0.
  void clear();
  std::vector<glm::dvec3> sums_on_host() const;
  std::vector<double> squares_on_host() const;

  DeviceArray<glm::dvec3> sums;  ///< of d, angstrom
  DeviceArray<double> squares;   ///< of d . d, angstrom^2
};

/// Adds the frames of a group one after another: the sums are the same bit by bit for any division into groups.
void add_displacements(const FrameGroup& group, PointRange range, std::span<const RigidMotion> motions,
                       const PointData& fixed, DisplacementSums& sums, Job& job);

}  // namespace isolume
