// The kinds of fields: for each, its grid, its bytes, its name and how its values are computed.
#pragma once

#include <cstddef>
#include <memory>

#include "app/fields/device_volume.h"
#include "app/fields/field_memory.h"
#include "compute/base/stream.h"

namespace isolume {

/// A request of one kind, planned: made by field_kind(), which chooses the grid and finds the inputs.
class FieldKind {
 public:
  virtual ~FieldKind() = default;

  const Grid& grid() const { return grid_; }
  /// Bytes of the device that the computation takes apart from values and colours.
  std::size_t workspace() const { return workspace_; }
  /// Name and unit, of an orbital which one it is, of a volume its legend.
  virtual void describe(DeviceVolume& result) const = 0;
  /// True where the values exist already, so that nothing is computed.
  virtual bool given() const { return false; }

  /// True where layers() can give the values a few layers at a time, with the workspace that as many take.
  virtual bool has_layers() const { return false; }
  virtual std::size_t layers_workspace(int) const { return 0; }
  /// A source on a device; it may be asked for from any thread, as long as the kind lives.
  virtual LayerSource layers(Device) const { return {}; }
  /// For the spot check of values that devices share: the value at a point by another way; empty where that takes long.
  virtual std::function<double(glm::dvec3)> exact() const { return {}; }

  /// Into result.values, which has the size of the grid unless given(), and result.colours where there are some. With a
  /// `stream`, those of an orbital are put into it and not waited for.
  virtual void compute(DeviceVolume& result, FieldPlace& place, Job& job, Stream* stream) = 0;
  /// The stream on which values are still being made after compute(), null where they are ready; finish() waits.
  virtual Stream* making() { return nullptr; }
  virtual void finish(FieldPlace&) {}

 protected:
  Grid grid_;
  std::size_t workspace_ = 0;
};

/// Plans a request, whose atoms are there where its kind needs them. With `place`, what its last frame left is used.
/// Throws Error for what the molecule does not have.
std::unique_ptr<FieldKind> field_kind(const FieldRequest& request, Job& job, FieldPlace* place);

/// One for each kind of the scene; the request outlives what they make.
std::unique_ptr<FieldKind> gaussian_kind(const FieldRequest& request, Job& job, FieldPlace* place);
std::unique_ptr<FieldKind> solvent_kind(const FieldRequest& request, Job& job, FieldPlace* place);
std::unique_ptr<FieldKind> orbital_kind(const FieldRequest& request, Job& job, FieldPlace* place);
std::unique_ptr<FieldKind> potential_kind(const FieldRequest& request, Job& job, FieldPlace* place);
std::unique_ptr<FieldKind> contact_kind(const FieldRequest& request, Job& job, FieldPlace* place);
std::unique_ptr<FieldKind> volume_kind(const FieldRequest& request, Job& job, FieldPlace* place);

/// True for a surface of atoms that has their colours.
bool coloured_by_atoms(const Field& field);

}  // namespace isolume
