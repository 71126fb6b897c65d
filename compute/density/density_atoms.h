// Atoms as Gaussian densities take them: from the host at each call, or resident on a device and moved.
#pragma once

#include <cstddef>
#include <glm/glm.hpp>
#include <span>

#include "compute/base/job.h"
#include "compute/base/kept_array.h"
#include "compute/base/span.h"

namespace isolume {

/// One Gaussian: where, how wide, and which colour it gives to the surface near it.
struct DensityAtom {
  glm::vec3 position;  ///< angstrom
  float radius;        ///< angstrom, > 0 (van der Waals, or whatever the user scales)
  glm::vec3 colour;    ///< linear or sRGB as the caller likes: only averages are formed
};

/// Where the bodies find atoms: `count` triples and quadruples of floats, each so many floats apart.
struct DensityAtomView {
  const float* positions = nullptr;  ///< x, y, z in angstrom
  const float* looks = nullptr;      ///< radius, red, green, blue
  std::size_t count = 0;
  unsigned position_stride = 3;
  unsigned look_stride = 4;
  float largest_radius = 0;
};

/// Atoms that stay on a device from frame to frame, while only their positions change.
class DensityAtoms {
 public:
  DensityAtoms() = default;
  /// Throws Error (usage) for radii that are not positive and for coordinates that are not finite.
  DensityAtoms(std::span<const DensityAtom> atoms, Device device);
  /// Other atoms in the memory that is there, where it is large enough.
  void assign(std::span<const DensityAtom> atoms);

  /// New positions from host memory (angstrom, as many as atoms; Error (usage) otherwise): copied by all threads into
  /// memory that the device copies from, piece by piece. With a `stream` they are put there and not waited for: the
  /// next call comes after waiting for it.
  void move(std::span<const glm::vec3> positions, Job& job, Stream* stream = nullptr);
  /// The positions, to be written by a computation on the device.
  Span<glm::vec3> positions() { return {positions_.data(), count_, device_}; }
  Span<const glm::vec3> positions() const { return {positions_.data(), count_, device_}; }

  std::size_t size() const { return count_; }
  Device device() const { return device_; }
  DensityAtomView view() const;
  /// Bytes that an object of so many atoms holds on its device.
  static std::size_t memory(std::size_t atoms) { return atoms * (sizeof(glm::vec3) + sizeof(glm::vec4)); }

 private:
  KeptArray<glm::vec3> positions_;
  KeptArray<glm::vec4> looks_;
  PinnedArray<glm::vec3> staging_;
  std::size_t count_ = 0;
  Device device_;
  float largest_radius_ = 0;
};

/// The atoms of a call, in host memory.
DensityAtomView view_of(std::span<const DensityAtom> atoms);

/// Throws Error (usage) that names the first atom whose radius is not positive or whose position is not finite.
void check_density_atoms(std::span<const DensityAtom> atoms);

}  // namespace isolume
