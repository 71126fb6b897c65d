// Frame sums: checks, and the choice of the body.
#include "compute/frames/frame_sums.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "compute/frames/frame_sums_bodies.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

void check(const FrameGroup& group, PointRange range, const PointData& data) {
  const std::size_t held = std::max(group.positions.size, group.precise.size);
  if (held != group.frames * group.points || range.first > group.points || range.count > group.points - range.first ||
      range.count == 0)
    throw Error(fmt::format("sums over frames: points {} to {} of {} frames of {} points, and {} points in memory",
                            range.first, range.first + range.count, group.frames, group.points, held),
                Error::Kind::usage);
  if (data.count() != range.count)
    throw Error(fmt::format("sums over frames: data of {} points for {}", data.count(), range.count),
                Error::Kind::usage);
  if (data.device() != group.device())
    throw Error(
        fmt::format("sums over frames: points on {}, data on {}", to_string(group.device()), to_string(data.device())),
        Error::Kind::usage);
}

void check(const FrameGroup& group, std::span<const RigidMotion> motions, const PointData& fixed) {
  if (motions.size() != group.frames || fixed.places().size() != fixed.count())
    throw Error(fmt::format("sums over frames: {} motions and {} places for {} frames of {} points", motions.size(),
                            fixed.places().size(), group.frames, fixed.count()),
                Error::Kind::usage);
}

}  // namespace

PointData::PointData(std::vector<glm::dvec3> places, std::vector<double> weights, std::size_t count, Device device)
    : count_(count), device_(device), places_(std::move(places)), weights_(std::move(weights)) {
  if ((!places_.empty() && places_.size() != count) || (!weights_.empty() && weights_.size() != count))
    throw Error(
        fmt::format("points of frames: {} places and {} weights for {} points", places_.size(), weights_.size(), count),
        Error::Kind::usage);
  weight_sum_ = weights_.empty() ? static_cast<double>(count) : std::accumulate(weights_.begin(), weights_.end(), 0.0);
  if (device.is_cuda() && !weights_.empty())
    device_weights_ = DeviceArray<double>::from_host(weights_, device, "weights of points");
  if (!places_.empty()) move_to(std::move(places_));
}

void PointData::move_to(std::vector<glm::dvec3> places) {
  if (places.size() != count_)
    throw Error(fmt::format("points of frames: {} places for {} points", places.size(), count_), Error::Kind::usage);
  places_ = std::move(places);
  centre_ = weighted_sum(places_, weights_) / weight_sum_;
  if (device_.is_cuda()) device_places_ = DeviceArray<glm::dvec3>::from_host(places_, device_, "places of points");
}

std::vector<glm::dvec3> frame_sums(const FrameGroup& group, PointRange range, const PointData& weights, Job& job) {
  check(group, range, weights);
  std::vector<glm::dvec3> result(group.frames);
  (group.device().is_cuda() ? frame_sums_cuda : frame_sums_cpu)(group, range, weights, result, job);
  return result;
}

std::vector<PointMoments> frame_moments(const FrameGroup& group, PointRange range, const PointData& weights, Job& job) {
  check(group, range, weights);
  std::vector<PointMoments> result(group.frames);
  (group.device().is_cuda() ? frame_moments_cuda : frame_moments_cpu)(group, range, weights, result, job);
  return result;
}

std::vector<PointCovariance> frame_covariances(const FrameGroup& group, PointRange range, const PointData& fixed,
                                               Job& job) {
  check(group, range, fixed);
  check(group, std::vector<RigidMotion>(group.frames), fixed);
  std::vector<PointCovariance> result(group.frames);
  (group.device().is_cuda() ? frame_covariances_cuda : frame_covariances_cpu)(group, range, fixed, result, job);
  return result;
}

std::vector<double> frame_deviations(const FrameGroup& group, PointRange range, std::span<const RigidMotion> motions,
                                     const PointData& fixed, Job& job) {
  check(group, range, fixed);
  check(group, motions, fixed);
  std::vector<double> result(group.frames);
  (group.device().is_cuda() ? frame_deviations_cuda : frame_deviations_cpu)(group, range, motions, fixed, result, job);
  return result;
}

DisplacementSums::DisplacementSums(std::size_t points, Device device)
    : sums(points, device, "sums of displacements"), squares(points, device, "sums of squared displacements") {
  clear();
}

void DisplacementSums::clear() {
  const std::vector<glm::dvec3> zeros(sums.size(), glm::dvec3(0));
  copy_memory(sums.data(), sums.device(), zeros.data(), Device::cpu(), sums.span().bytes());
  copy_memory(squares.data(), squares.device(), zeros.data(), Device::cpu(), squares.span().bytes());
}

std::vector<glm::dvec3> DisplacementSums::sums_on_host() const {
  return sums.copy_to_host();
}

std::vector<double> DisplacementSums::squares_on_host() const {
  return squares.copy_to_host();
}

void add_displacements(const FrameGroup& group, PointRange range, std::span<const RigidMotion> motions,
                       const PointData& fixed, DisplacementSums& sums, Job& job) {
  check(group, range, fixed);
  check(group, motions, fixed);
  if (sums.sums.size() != range.count || sums.sums.device() != group.device())
    throw Error(fmt::format("sums over frames: sums of {} points for {}", sums.sums.size(), range.count),
                Error::Kind::usage);
  (group.device().is_cuda() ? add_displacements_cuda : add_displacements_cpu)(group, range, motions, fixed, sums, job);
}

}  // namespace isolume
