// Frame pairs: checks, the CPU's body of the smallest distance, and what contacts keep on a device.
#include "compute/frames/frame_pairs.h"

#include <fmt/core.h>

#include <algorithm>

#include "compute/base/parallel_for.h"
#include "compute/frames/frame_pairs_bodies.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

void check(const FrameGroup& group, PointRange range) {
  const std::size_t held = std::max(group.positions.size, group.precise.size);
  if (held != group.frames * group.points || range.first > group.points || range.count > group.points - range.first ||
      range.count == 0 || (!group.cells.empty() && group.cells.size() != group.frames))
    throw Error(
        fmt::format("pairs of frames: points {} to {} of {} frames of {} points, and {} points and {} cells",
                    range.first, range.first + range.count, group.frames, group.points, held, group.cells.size()),
        Error::Kind::usage);
}

std::vector<glm::dvec3> host_points(const FrameGroup& group, std::size_t frame, PointRange range) {
  const std::size_t begin = frame * group.points + range.first;
  std::vector<glm::dvec3> points;
  points.reserve(range.count);
  for (std::size_t i = begin; i < begin + range.count; ++i)
    points.push_back(group.precise.empty() ? glm::dvec3(group.positions.data[i]) : group.precise.data[i]);
  return points;
}

}  // namespace

std::vector<double> smallest_distances(const FrameGroup& group, PointRange a, PointRange b, Job& job) {
  check(group, a);
  check(group, b);
  std::vector<double> result(group.frames);
  if (group.device().is_cuda()) {
    smallest_distances_cuda(group, a, b, result, job);
    return result;
  }
  const auto one = [&](std::size_t frame) {
    result[frame] = smallest_distance(host_points(group, frame, a), host_points(group, frame, b),
                                      group.cells.empty() ? Cell{} : group.cells[frame]);
  };
  if (group.frames == 1) {
    one(0);
  } else {
    parallel_for(group.frames, job, "distances", one);
  }
  return result;
}

FrameContacts::FrameContacts(std::span<const ContactPoint> a, std::span<const ContactPoint> b,
                             std::span<const NativePair> native, const ContactRule& rule, Device device)
    : rule_(rule),
      device_(device),
      a_(DeviceArray<ContactPoint>::from_host(a, device, "atoms of contacts")),
      b_(DeviceArray<ContactPoint>::from_host(b, device, "atoms of contacts")),
      native_(DeviceArray<NativePair>::from_host(native, device, "native contacts")) {
  if (!device.is_cuda()) throw Error("contacts of frames: a CUDA device is needed", Error::Kind::usage);
}

std::vector<FrameContacts::Counts> FrameContacts::of(const FrameGroup& group, PointRange a, PointRange b,
                                                     Job& job) const {
  check(group, a);
  check(group, b);
  if (a.count != a_.size() || b.count != b_.size() || group.device() != device_)
    throw Error(
        fmt::format("contacts of frames: {} and {} points of {} and {} atoms", a.count, b.count, a_.size(), b_.size()),
        Error::Kind::usage);
  std::vector<Counts> result(group.frames);
  frame_contacts_cuda(group, a, b, a_.span(), b_.span(), native_.span(), rule_, result, job);
  return result;
}

}  // namespace isolume
