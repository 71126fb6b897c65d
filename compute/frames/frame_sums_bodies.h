// The bodies of the frame sums: arguments are checked.
#pragma once

#include "compute/frames/frame_sums.h"

namespace isolume {

void frame_sums_cpu(const FrameGroup& group, PointRange range, const PointData& weights, std::span<glm::dvec3> out,
                    Job& job);
void frame_moments_cpu(const FrameGroup& group, PointRange range, const PointData& weights, std::span<PointMoments> out,
                       Job& job);
void frame_covariances_cpu(const FrameGroup& group, PointRange range, const PointData& fixed,
                           std::span<PointCovariance> out, Job& job);
void frame_deviations_cpu(const FrameGroup& group, PointRange range, std::span<const RigidMotion> motions,
                          const PointData& fixed, std::span<double> out, Job& job);
void add_displacements_cpu(const FrameGroup& group, PointRange range, std::span<const RigidMotion> motions,
                           const PointData& fixed, DisplacementSums& sums, Job& job);

void frame_sums_cuda(const FrameGroup& group, PointRange range, const PointData& weights, std::span<glm::dvec3> out,
                     Job& job);
void frame_moments_cuda(const FrameGroup& group, PointRange range, const PointData& weights,
                        std::span<PointMoments> out, Job& job);
void frame_covariances_cuda(const FrameGroup& group, PointRange range, const PointData& fixed,
                            std::span<PointCovariance> out, Job& job);
void frame_deviations_cuda(const FrameGroup& group, PointRange range, std::span<const RigidMotion> motions,
                           const PointData& fixed, std::span<double> out, Job& job);
void add_displacements_cuda(const FrameGroup& group, PointRange range, std::span<const RigidMotion> motions,
                            const PointData& fixed, DisplacementSums& sums, Job& job);

}  // namespace isolume
