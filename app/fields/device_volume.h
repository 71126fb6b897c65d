// The scalar field of a request where it was computed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/fields/fields.h"
#include "compute/base/device_array.h"
#include "compute/density/gaussian_density.h"
#include "compute/electrostatics/debye_hueckel/debye_hueckel.h"
#include "compute/isosurface/slab_surface.h"
#include "compute/schedule/tile_run.h"

namespace isolume {

class FieldMemory;

/// Values on the device of the request, with what colours a surface: colours for a surface of atoms that is coloured by
/// them, scalars for one that is coloured by the potential, by its curvature or by a map. A volume that does not fit
/// has no values, but slabs.
struct DeviceVolume {
  Grid grid;
  DeviceArray<float> values;
  DeviceArray<glm::u8vec4> colours;
  DeviceArray<float> scalars;       ///< volts, 1/angstrom, or a map's own unit
  bool everywhere = false;          ///< FieldRequest::colours_everywhere
  float scalar_limit = 1;           ///< the scalar at the last of the legend's colours; the first is its negative
  std::optional<SlabVolume> slabs;  ///< how the layers are computed
  std::string name, unit;
  std::optional<FieldLegend> legend;
  std::optional<ShownOrbital> orbital;
  std::size_t predicted_bytes = 0;  ///< FieldPlan::bytes
  std::size_t host_bytes = 0;       ///< of what went between host memory and another device as whole volumes
  int sign = 1;  ///< factor of the values: -1 where an orbital that is followed has turned its phase over

  bool coloured() const { return !colours.empty() || !scalars.empty() || (slabs && slabs->coloured); }
  /// What the surface of the values is coloured by.
  SurfaceColours surface_colours() const;
  /// The surface at an isovalue, of the values or in slabs.
  Mesh mesh(const MarchingCubesOptions& options, Job& job) const;
  /// All values in host memory, slab by slab where they do not fit on the device.
  std::vector<float> host_values(Job& job) const;
};

/// Predicts the bytes and computes; what does not fit goes through in slabs (a gaussian field that is not coloured by
/// the potential, a volume) or is refused. With `memory`, what stays the same from frame to frame stays on the device.
/// Throws Error. The values of an orbital that is followed are still to be multiplied by `sign`. With a `stream` (of
/// the request's CUDA device) those of an orbital are put into it and not waited for.
DeviceVolume compute_on_device(const FieldRequest& request, Job& job, FieldMemory* memory = nullptr,
                               Stream* stream = nullptr);

/// A surface in host memory that several devices made.
struct SharedMesh {
  Mesh mesh;
  DeviceVolume of;    ///< grid, name, unit and legend; no values
  TileReport report;  ///< what each device did
};

/// The surface of the request's values, made in slabs by several devices at once: bit by bit the mesh of one of their
/// kind. Nothing for what one device makes as a whole: all but gaussian fields and volumes that are not coloured by
/// values. Throws Error.
std::optional<SharedMesh> mesh_by_devices(const FieldRequest& request, std::span<const Device> devices,
                                          const MarchingCubesOptions& options, Job& job);

/// The grid that compute_on_device() uses, and the bytes of the device that it takes (values, colours, workspace).
struct FieldPlan {
  Grid grid;
  std::size_t bytes = 0;
  int layers = 0;  ///< at a time where it goes through in slabs, else 0
};
FieldPlan plan_field(const FieldRequest& request);

/// True for an orbital in a frame without orbitals of a molecule that has some in other frames: it is shown without.
bool shows_nothing(const Field& field, const Molecule& molecule, std::size_t frame);

}  // namespace isolume
