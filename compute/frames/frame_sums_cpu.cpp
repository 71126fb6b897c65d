// Frame sums on the CPU: frames on all threads, each by the plain loops of point_sums.h.
#include "compute/base/parallel_for.h"
#include "compute/frames/frame_sums_bodies.h"

namespace isolume {
namespace {

/// Calls body(frame, points of the range), in the calling thread where there is one frame alone.
template <class Body>
void for_each_frame(const FrameGroup& group, PointRange range, Job& job, const Body& body) {
  const auto one = [&](std::size_t frame) {
    const std::size_t begin = frame * group.points + range.first;
    if (!group.precise.empty())
      return body(frame, std::span<const glm::dvec3>(group.precise.data + begin, range.count));
    const glm::vec3* from = group.positions.data + begin;
    const std::vector<glm::dvec3> points(from, from + range.count);
    body(frame, std::span<const glm::dvec3>(points));
  };
  if (group.frames == 1) return one(0);
  parallel_for(group.frames, job, "frames", one);
}

}  // namespace

void frame_sums_cpu(const FrameGroup& group, PointRange range, const PointData& weights, std::span<glm::dvec3> out,
                    Job& job) {
  for_each_frame(group, range, job, [&](std::size_t frame, std::span<const glm::dvec3> points) {
    out[frame] = weighted_sum(points, weights.weights());
  });
}

void frame_moments_cpu(const FrameGroup& group, PointRange range, const PointData& weights, std::span<PointMoments> out,
                       Job& job) {
  for_each_frame(group, range, job, [&](std::size_t frame, std::span<const glm::dvec3> points) {
    out[frame] = point_moments(points, weights.weights(), weights.weight_sum());
  });
}

void frame_covariances_cpu(const FrameGroup& group, PointRange range, const PointData& fixed,
                           std::span<PointCovariance> out, Job& job) {
  for_each_frame(group, range, job, [&](std::size_t frame, std::span<const glm::dvec3> points) {
    out[frame] = point_covariance(points, fixed.places(), fixed.weights(), fixed.weight_sum(), fixed.centre());
  });
}

void frame_deviations_cpu(const FrameGroup& group, PointRange range, std::span<const RigidMotion> motions,
                          const PointData& fixed, std::span<double> out, Job& job) {
  for_each_frame(group, range, job, [&](std::size_t frame, std::span<const glm::dvec3> points) {
    out[frame] = mean_square(points, fixed.places(), fixed.weights(), fixed.weight_sum(), motions[frame]);
  });
}

void add_displacements_cpu(const FrameGroup& group, PointRange range, std::span<const RigidMotion> motions,
                           const PointData& fixed, DisplacementSums& sums, Job& job) {
  const auto add = [&](std::size_t point, std::size_t frame) {
    const std::size_t at = frame * group.points + range.first + point;
    const glm::dvec3 p = group.precise.empty() ? glm::dvec3(group.positions.data[at]) : group.precise.data[at];
    const glm::dvec3 d = motions[frame](p) - fixed.places()[point];
    sums.sums.data()[point] += d;
    sums.squares.data()[point] += glm::dot(d, d);
  };
  job.check();
  for (std::size_t frame = 0; frame < group.frames; ++frame)
    for (std::size_t point = 0; point < range.count; ++point) add(point, frame);
}

}  // namespace isolume
