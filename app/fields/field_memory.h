// What the fields of a window keep on the device from frame to frame.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "app/fields/field_atoms.h"
#include "app/fields/potential_field.h"
#include "compute/density/gaussian_density.h"
#include "compute/isosurface/marching_cubes.h"

namespace isolume {

struct KeptDifference;

/// Memory of one field on one device: while a trajectory plays only the positions of its atoms travel, and which atoms
/// there are, volumes and workspaces stay as they are. Results do not depend on it, but for the parameters of a method
/// that was planned for an accuracy.
class FieldPlace {
 public:
  explicit FieldPlace(Device device) : device_(device) {}

  /// The atoms on the device: made again where their number, a radius or a colour changed, else moved.
  /// With a `stream` moved there, and not waited for.
  const DensityAtoms& atoms(std::span<const DensityAtom> atoms, Job& job, Stream* stream = nullptr);
  DensityWorkspace& workspace() { return workspace_; }
  std::shared_ptr<const ChosenAtoms>& chosen() { return chosen_; }
  FrameAhead& ahead() { return ahead_; }
  KeptPotential& potential() { return potential_; }
  /// The same of what is taken off the field's values.
  FieldPlace& minus() {
    if (!minus_) minus_ = std::make_unique<FieldPlace>(device_);
    return *minus_;
  }

  /// What was last taken off (app/fields/difference.h).
  std::shared_ptr<const KeptDifference>& taken_off() { return taken_off_; }

  /// Memory for a frame's atoms; comes back with keep_atoms().
  std::vector<DensityAtom> take_atoms() { return std::move(atom_room_); }
  void keep_atoms(std::vector<DensityAtom> atoms);

  /// Arrays of the last frame where they have this size, else new ones; unneeded ones are given back.
  DeviceArray<float> values(std::size_t count);
  DeviceArray<glm::u8vec4> colours(std::size_t count);
  DeviceArray<float> scalars(std::size_t count);
  void keep(DeviceArray<float> values, DeviceArray<glm::u8vec4> colours, DeviceArray<float> scalars);

  /// Marching cubes of one of the field's surfaces (0 or 1), with the last frame's memory.
  MarchingCubes& cubes(std::size_t number, ConstValues volume, const Grid& grid, const MarchingCubesOptions& options);
  Device device() const { return device_; }

 private:
  Device device_;
  std::shared_ptr<const ChosenAtoms> chosen_;
  FrameAhead ahead_;
  KeptPotential potential_;
  std::vector<glm::vec4> looks_;
  std::vector<glm::vec3> positions_;
  std::vector<DensityAtom> atom_room_;
  std::optional<DensityAtoms> atoms_;
  DensityWorkspace workspace_;
  DeviceArray<float> values_, scalars_;
  DeviceArray<glm::u8vec4> colours_;
  std::array<std::optional<MarchingCubes>, 2> cubes_;
  std::unique_ptr<FieldPlace> minus_;
  std::shared_ptr<const KeptDifference> taken_off_;
};

/// The places of a window's fields. Used by one thread at a time.
class FieldMemory {
 public:
  /// The place of a field; what it had on another device is given back.
  FieldPlace& of(std::size_t field_index, Device device) {
    std::unique_ptr<FieldPlace>& place = places_[field_index];
    if (!place || place->device() != device) place = std::make_unique<FieldPlace>(device);
    return *place;
  }
  void clear() { places_.clear(); }

 private:
  std::map<std::size_t, std::unique_ptr<FieldPlace>> places_;
};

}  // namespace isolume
