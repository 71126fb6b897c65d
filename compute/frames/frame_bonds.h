// Frame bonds: the hydrogen bonds in every frame of a group.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/job.h"
#include "compute/frames/frame_group.h"
#include "molecule/hydrogen_bonds.h"

namespace isolume {

/// A site as a device takes it; see HydrogenBondSites::Site.
struct FrameBondSite {
  std::uint32_t atom, point, around_begin, around_end, barred_begin, barred_end, carbon;
  std::uint32_t element, sets, altloc, both;
};

/// Hydrogen bonds of frames: what all frames share is looked up once, and on a CUDA device copied there once.
class FrameBonds {
 public:
  FrameBonds(HydrogenBondSites sites, const HydrogenBondRule& rule, Device device);

  /// Of which the points of a group are the positions, in single precision.
  const std::vector<std::uint32_t>& atoms() const { return atoms_; }
  /// The bonds of each frame: those of hydrogen_bonds(), the same bit by bit on all devices. Without periodic images.
  /// Throws Error (usage) for a group of other points, and for more bonds in a frame than HydrogenBondSites::most().
  std::vector<std::vector<HydrogenBond>> of(const FrameGroup& group, Job& job) const;
  /// How many there are in each frame.
  std::vector<std::size_t> count(const FrameGroup& group, Job& job) const;

 private:
  void check(const FrameGroup& group) const;

  HydrogenBondSites sites_;
  HydrogenBondRule rule_;
  Device device_;
  std::vector<std::uint32_t> atoms_;
  DeviceArray<FrameBondSite> donors_, acceptors_;
  DeviceArray<std::uint32_t> around_, around_atoms_, barred_;
};

/// The bonds of one frame by plain loops over all donors and acceptors in double precision; for tests.
std::vector<HydrogenBond> frame_bonds_reference(const HydrogenBondSites& sites, std::span<const glm::dvec3> positions,
                                                const HydrogenBondRule& rule);

}  // namespace isolume
