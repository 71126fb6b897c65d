// Frame sums on CUDA: a block takes 4096 points of a frame; displacements are added by a thread a point.
#include <algorithm>
#include <vector>

#include "compute/frames/frame_kernels.cuh"
#include "compute/frames/frame_sums_bodies.h"

namespace isolume {
namespace {

using frame_kernels::Points;
using frame_kernels::threads;
using frame_kernels::totals;
using frame_kernels::with_points;

/// A turn by rows, then a shift.
struct Motion {
  double turn[9], shift[3];

  __device__ double3 operator()(double3 p) const {
    return {turn[0] * p.x + turn[1] * p.y + turn[2] * p.z + shift[0],
            turn[3] * p.x + turn[4] * p.y + turn[5] * p.z + shift[1],
            turn[6] * p.x + turn[7] * p.y + turn[8] * p.z + shift[2]};
  }
};

DeviceArray<Motion> motions_on(const Stream& stream, std::span<const RigidMotion> motions) {
  std::vector<Motion> result;
  result.reserve(motions.size());
  for (const RigidMotion& motion : motions) {
    const glm::dmat3 m = glm::mat3_cast(motion.rotation);
    Motion one{};
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column) one.turn[3 * row + column] = m[column][row];
      one.shift[row] = motion.translation[row];
    }
    result.push_back(one);
  }
  return DeviceArray<Motion>::from_host(result, stream, "motions of frames");
}

__device__ double weight_of(const double* weights, std::size_t i) {
  return weights ? weights[i] : 1.0;
}

template <class T>
struct WeightedSum {
  Points<T> points;
  const double* weights;

  __device__ void add(std::size_t frame, std::size_t i, double* sums) const {
    const double3 p = points.at(frame, i);
    const double w = weight_of(weights, i);
    sums[0] += w * p.x;
    sums[1] += w * p.y;
    sums[2] += w * p.z;
  }
};

/// xx, xy, xz, yy, yz, zz about the centre of the frame.
template <class T>
struct Tensor {
  Points<T> points;
  const double* weights;
  const double* centres;

  __device__ void add(std::size_t frame, std::size_t i, double* sums) const {
    const double3 p = points.at(frame, i);
    const double* c = centres + 3 * frame;
    const double w = weight_of(weights, i), x = p.x - c[0], y = p.y - c[1], z = p.z - c[2];
    sums[0] += w * x * x;
    sums[1] += w * x * y;
    sums[2] += w * x * z;
    sums[3] += w * y * y;
    sums[4] += w * y * z;
    sums[5] += w * z * z;
  }
};

template <class T>
struct Covariance {
  Points<T> points;
  const double* weights;
  const double* centres;
  const double* places;
  double fixed[3];

  __device__ void add(std::size_t frame, std::size_t i, double* sums) const {
    const double3 p = points.at(frame, i);
    const double* c = centres + 3 * frame;
    const double w = weight_of(weights, i);
    const double moving[3] = {w * (p.x - c[0]), w * (p.y - c[1]), w * (p.z - c[2])};
    const double other[3] = {places[3 * i] - fixed[0], places[3 * i + 1] - fixed[1], places[3 * i + 2] - fixed[2]};
#pragma unroll
    for (int a = 0; a < 3; ++a)
#pragma unroll
      for (int b = 0; b < 3; ++b) sums[3 * a + b] += moving[a] * other[b];
  }
};

template <class T>
struct Deviation {
  Points<T> points;
  const double* weights;
  const Motion* motions;
  const double* places;

  __device__ void add(std::size_t frame, std::size_t i, double* sums) const {
    const double3 p = motions[frame](points.at(frame, i));
    const double x = p.x - places[3 * i], y = p.y - places[3 * i + 1], z = p.z - places[3 * i + 2];
    sums[0] += weight_of(weights, i) * (x * x + y * y + z * z);
  }
};

template <class T>
__global__ void __launch_bounds__(threads)
    displacement_kernel(Points<T> points, std::size_t frames, std::size_t count, const Motion* __restrict__ motions,
                        const double* __restrict__ places, double* __restrict__ sums, double* __restrict__ squares) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
  if (i >= count) return;
  const double place[3] = {places[3 * i], places[3 * i + 1], places[3 * i + 2]};
  double sum[3] = {sums[3 * i], sums[3 * i + 1], sums[3 * i + 2]}, square = squares[i];
  for (std::size_t frame = 0; frame < frames; ++frame) {
    const double3 p = motions[frame](points.at(frame, i));
    const double x = p.x - place[0], y = p.y - place[1], z = p.z - place[2];
    sum[0] += x;
    sum[1] += y;
    sum[2] += z;
    square += x * x + y * y + z * z;
  }
  for (int axis = 0; axis < 3; ++axis) sums[3 * i + axis] = sum[axis];
  squares[i] = square;
}

const double* numbers(Span<const glm::dvec3> places) {
  return reinterpret_cast<const double*>(places.data);
}

/// The weighted centre of each frame.
DeviceArray<double> centres_of(const Stream& stream, const FrameGroup& group, PointRange range, const PointData& data) {
  DeviceArray<double> centres;
  with_points(group, range, [&](auto points) {
    const WeightedSum<std::remove_cvref_t<decltype(*points.values)>> term{points, data.device_weights().data};
    centres = totals<3>("centres of frames", stream, term, group.frames, range.count, 1 / data.weight_sum());
  });
  return centres;
}

}  // namespace

void frame_sums_cuda(const FrameGroup& group, PointRange range, const PointData& weights, std::span<glm::dvec3> out,
                     Job& job) {
  Stream stream(group.device());
  job.check();
  with_points(group, range, [&](auto points) {
    const WeightedSum<std::remove_cvref_t<decltype(*points.values)>> term{points, weights.device_weights().data};
    const std::vector<double> found =
        totals<3>("sums of points", stream, term, group.frames, range.count).copy_to_host();
    for (std::size_t f = 0; f < group.frames; ++f) out[f] = {found[3 * f], found[3 * f + 1], found[3 * f + 2]};
  });
}

void frame_moments_cuda(const FrameGroup& group, PointRange range, const PointData& weights,
                        std::span<PointMoments> out, Job& job) {
  Stream stream(group.device());
  job.check();
  const DeviceArray<double> centres = centres_of(stream, group, range, weights);
  with_points(group, range, [&](auto points) {
    const Tensor<std::remove_cvref_t<decltype(*points.values)>> term{points, weights.device_weights().data,
                                                                     centres.data()};
    const std::vector<double> tensors =
        totals<6>("tensors of gyration", stream, term, group.frames, range.count, 1 / weights.weight_sum())
            .copy_to_host();
    const std::vector<double> middles = centres.copy_to_host();
    for (std::size_t f = 0; f < group.frames; ++f) {
      const double* c = middles.data() + 3 * f;
      const double* t = tensors.data() + 6 * f;
      out[f] = {{c[0], c[1], c[2]}, {{t[0], t[1], t[2]}, {t[1], t[3], t[4]}, {t[2], t[4], t[5]}}};
    }
  });
}

void frame_covariances_cuda(const FrameGroup& group, PointRange range, const PointData& fixed,
                            std::span<PointCovariance> out, Job& job) {
  Stream stream(group.device());
  job.check();
  const DeviceArray<double> centres = centres_of(stream, group, range, fixed);
  with_points(group, range, [&](auto points) {
    const glm::dvec3 c = fixed.centre();
    const Covariance<std::remove_cvref_t<decltype(*points.values)>> term{
        points, fixed.device_weights().data, centres.data(), numbers(fixed.device_places()), {c.x, c.y, c.z}};
    const std::vector<double> found =
        totals<9>("covariances of frames", stream, term, group.frames, range.count).copy_to_host();
    const std::vector<double> middles = centres.copy_to_host();
    for (std::size_t f = 0; f < group.frames; ++f) {
      out[f].centre = {middles[3 * f], middles[3 * f + 1], middles[3 * f + 2]};
      for (std::size_t k = 0; k < 9; ++k) out[f].s[k / 3][k % 3] = found[9 * f + k];
    }
  });
}

void frame_deviations_cuda(const FrameGroup& group, PointRange range, std::span<const RigidMotion> motions,
                           const PointData& fixed, std::span<double> out, Job& job) {
  Stream stream(group.device());
  job.check();
  const DeviceArray<Motion> moves = motions_on(stream, motions);
  with_points(group, range, [&](auto points) {
    const Deviation<std::remove_cvref_t<decltype(*points.values)>> term{points, fixed.device_weights().data,
                                                                        moves.data(), numbers(fixed.device_places())};
    const std::vector<double> found =
        totals<1>("deviations of frames", stream, term, group.frames, range.count, 1 / fixed.weight_sum())
            .copy_to_host();
    std::copy(found.begin(), found.end(), out.begin());
  });
}

void add_displacements_cuda(const FrameGroup& group, PointRange range, std::span<const RigidMotion> motions,
                            const PointData& fixed, DisplacementSums& sums, Job& job) {
  Stream stream(group.device());
  job.check();
  const DeviceArray<Motion> moves = motions_on(stream, motions);
  with_points(group, range, [&](auto points) {
    launch("displacements", stream, displacement_kernel<std::remove_cvref_t<decltype(*points.values)>>,
           blocks_for(range.count, threads), {threads, 1, 1}, points, group.frames, range.count, moves.data(),
           numbers(fixed.device_places()), reinterpret_cast<double*>(sums.sums.data()), sums.squares.data());
  });
  stream.synchronize("displacements");
}

}  // namespace isolume
