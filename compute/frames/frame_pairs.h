// Frame pairs: distances between two ranges of points in every frame of a group.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/job.h"
#include "compute/frames/frame_group.h"

namespace isolume {

/// The smallest distance between a point of `a` and one of `b` in each frame, angstrom, of nearest images where the
/// frame has a cell; the same bit by bit on all devices but for the rounding of one distance. Throws Error (usage) for
/// ranges beyond the points, cells of another number.
std::vector<double> smallest_distances(const FrameGroup& group, PointRange a, PointRange b, Job& job);

/// Of two ranges of points, which pairs can be contacts.
struct ContactPoint {
  std::uint32_t atom = 0, residue = 0, chain = 0;
};
struct ContactRule {
  double cutoff = 0;       ///< angstrom, at most half the shortest vector of the cell's lattice
  bool within = false;     ///< both ranges hold the same atoms: of a pair the one with the smaller atom first counts
  std::int64_t apart = 0;  ///< residues of one chain count from this difference of their numbers on; of one never
};
/// A pair of points by their places in the two ranges, and the distance that they had, angstrom.
struct NativePair {
  std::uint32_t a = 0, b = 0;
  float distance = 0;
};

/// Contacts of frames on one CUDA device: what all frames share is copied there once.
class FrameContacts {
 public:
  FrameContacts(std::span<const ContactPoint> a, std::span<const ContactPoint> b, std::span<const NativePair> native,
                const ContactRule& rule, Device device);

  struct Counts {
    std::uint64_t contacts = 0;
    double hard = 0, soft = 0;  ///< of the native ones, the parts as of native_contacts()
  };
  /// One for each frame. Distances are of the single-precision points in double precision, so that only pairs within
  /// their rounding of the cutoff are counted otherwise than by another program.
  std::vector<Counts> of(const FrameGroup& group, PointRange a, PointRange b, Job& job) const;

 private:
  ContactRule rule_;
  Device device_;
  DeviceArray<ContactPoint> a_, b_;
  DeviceArray<NativePair> native_;
};

/// Plain loops over all pairs of a frame in double precision; for tests.
double smallest_distance(std::span<const glm::dvec3> a, std::span<const glm::dvec3> b, const Cell& cell);
std::uint64_t count_contacts_reference(std::span<const glm::dvec3> points_a, std::span<const glm::dvec3> points_b,
                                       std::span<const ContactPoint> a, std::span<const ContactPoint> b,
                                       const ContactRule& rule, const Cell& cell);

}  // namespace isolume
