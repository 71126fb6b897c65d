// Fields: from a request (numbers) to surfaces that can be drawn. The only way that leads to compute/ from the scene.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "app/session/gl_share.h"
#include "compute/device.h"
#include "compute/job.h"
#include "molecule/molecule.h"
#include "render/scene_view.h"

namespace isolume {

/// What is to be computed: values only, nothing of the window.
struct FieldRequest {
  std::uint64_t number = 0;  ///< counts up; a result with an older number than the newest request is stale
  std::size_t field_index = 0;
  Field field;
  std::shared_ptr<const Molecule> molecule;
  std::size_t frame = 0;
  Device device;
  std::optional<Grid> grid;  ///< instead of the one that suits the field
};

/// What was computed.
struct FieldResult {
  std::uint64_t number = 0;
  std::size_t field_index = 0;
  std::vector<std::shared_ptr<const DrawItem>> items;  ///< one per sign
  std::string summary;  ///< "HOMO (5 of 19): 96 x 96 x 96 points, 12 ms, 24 310 triangles, CUDA-OpenGL interop"
  std::string path;     ///< GlShare::path(), or "host" for meshes
  Grid grid;
  double seconds = 0;
  std::size_t host_bytes = 0;
  std::string error;  ///< not empty: it failed, and why
};

/// The scalar field of a request on the device, without a surface: used by compute_field and by `isolume compute`.
/// Colours only for kind gaussian with a colouring other than uniform.
struct ComputedVolume {
  Grid grid;
  std::vector<float> values;  ///< host copy where `to_host`
  std::string name, unit;
};
ComputedVolume compute_volume(const FieldRequest& request, Job& job);

/// Computes a field and extracts its surfaces. With `share`, into OpenGL buffers (its context is current on this
/// thread); without, into host meshes. Throws Error.
FieldResult compute_field(const FieldRequest& request, GlShare* share, Job& job);

}  // namespace isolume
