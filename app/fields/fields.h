// Fields: from a request (numbers) to surfaces that can be drawn. The only way that leads to compute/ from the scene.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/fields/interop/gl_share.h"
#include "app/scene/scene.h"
#include "compute/base/device.h"
#include "compute/base/job.h"
#include "molecule/molecule.h"
#include "render/view/scene_view.h"

namespace isolume {

class FieldMemory;
struct FieldAtoms;

/// The volume that colours a surface (Paint::map), and its name; neither for other surfaces.
struct ColouringMap {
  std::shared_ptr<const Volume> volume;
  std::string title;
};

/// What Field::minus is of (app/fields/difference.h); nothing for a field that shows no difference.
struct TakenOff {
  SceneMolecule entry;
  std::shared_ptr<const Molecule> molecule;                 ///< of the entry, placed; null where `load` has to give it,
  std::function<std::shared_ptr<const Molecule>()> load{};  ///< on the thread that computes
  std::size_t frame = 0;                                    ///< of the molecule (Subtrahend::Kind::potential)
  std::shared_ptr<const Volume> own_error, error;           ///< null: none
  std::shared_ptr<const FieldAtoms> atoms;                  ///< as FieldRequest::atoms
  /// The same inputs, so that the same values follow.
  bool same(const TakenOff& other) const {
    return entry == other.entry && molecule == other.molecule && frame == other.frame && own_error == other.own_error &&
           error == other.error;
  }
};

/// A computation to do: values only, nothing of the window.
struct FieldRequest {
  std::uint64_t number = 0;  ///< counts up; a result with an older number than the newest request is stale
  std::size_t field_index = 0;
  Field field;
  std::shared_ptr<const Molecule> molecule;
  std::size_t frame = 0;
  Device device;
  std::optional<Grid> grid;  ///< instead of the one that suits the field
  double coarsening = 1;     ///< of the spacing that the field would have (orbitals), while something moves
  bool preview = false;      ///< orbitals to OrbitalAccuracy::preview, as wherever they are coarser
  /// The potential that colours a surface is wanted at all points of the grid, for a mesh that is moved: else where the
  /// colours of the surface need it.
  bool colours_everywhere = false;
  ColouringMap map;
  /// Whose atoms Field::zone is about; null where the field has no zone.
  std::shared_ptr<const Molecule> zone_molecule;
  TakenOff minus;
  std::shared_ptr<const FieldAtoms>
      atoms;  ///< field_atoms() of its field, molecule and frame where they are known already
};

/// The orbital that was drawn.
struct ShownOrbital {
  std::size_t index = 0;  ///< in Orbitals::orbitals of the frame
  double isovalue = 0;    ///< bohr^-3/2
  double enclosed = 0;    ///< part of the electron within the surfaces, of what the grid has; 0 where not computed
  bool followed = false;  ///< by overlap from Field::follow_from, with the following two
  double overlap = 1;     ///< weakest on the way
  bool weak = false;
  bool unrestricted = false;  ///< alpha and beta are different orbitals
  std::string pair{};         ///< of natural transition orbitals what it is, "hole of pair 1"
};

/// What the colours of a surface mean.
struct FieldLegend {
  std::string title, unit;
  double lower = 0, upper = 0;     ///< values of the first and the last colour
  std::vector<glm::vec3> colours;  ///< evenly from lower to upper, parts from 0 to 1
  std::string method;              ///< how the values were computed
  double error = 0;                ///< RMS, in the unit, measured against the exact sum, over all points of the map
  double relative_error = 0;       ///< over the RMS of the exact values there
  bool at_surface = false;         ///< both are of the colours at vertices of the surface instead
  double near_relative_error = 0;  ///< relative error near charges; 0 where not measured
  double maximum_error = 0;        ///< in the unit
  std::size_t error_points = 0;    ///< where it was measured
  bool error_estimated = false;    ///< by steps twice as long: there are no exact values (Poisson-Boltzmann)
  double total_charge = 0;         ///< e
  std::string note;                ///< the zero and the treatment of a net charge in periodic cells; or empty
  std::vector<std::pair<std::string, glm::vec3>> entries;  ///< names and their colours, instead of a scale
  bool isosurfaces = false;  ///< the colours are those of two surfaces, at `lower` and `upper`; no scale between
  bool operator==(const FieldLegend&) const = default;
};

/// What was computed.
struct FieldResult {
  std::uint64_t number = 0;
  std::size_t field_index = 0;
  std::optional<Field> field;                          ///< that was computed
  std::vector<std::shared_ptr<const DrawItem>> items;  ///< one per sign; of a slice the plane and its lines
  std::string summary;        ///< "HOMO (5 of 19): 96 x 96 x 96 points, 12 ms, 24 310 triangles, CUDA-OpenGL interop"
  std::vector<Label> labels;  ///< of extremes
  std::vector<glm::vec2> scatter;  ///< scatter_of() (app/fields/value_range.h)
  std::string extremes;            ///< what the summary says of them
  std::string path;                ///< GlShare::path(), or "host" for meshes
  Grid grid;
  std::optional<FieldLegend> legend;  ///< for surfaces whose colours are values, and potentials
  std::optional<ShownOrbital> orbital;
  double mean = 0, deviation = 0;  ///< of a volume's values; the deviation is 0 for other kinds
  double automatic_range = 0;      ///< of a cloud: automatic_cloud_range() of its values
  double coarsening = 1;           ///< as requested
  double seconds = 0;
  std::size_t host_bytes = 0;
  std::size_t predicted_bytes = 0;  ///< of the device, before it was computed
  std::string note;                 ///< what was done otherwise than asked for, and why (memory); or empty
  std::string error;                ///< not empty: it failed, and why
};

/// The scalar field of a request on the device, without a surface: used by compute_field and by `isolume compute`.
/// Colours only for kind gaussian with a colouring other than uniform, and where the potential colours the surface.
struct ComputedVolume {
  Grid grid;
  std::vector<float> values;  ///< host copy where `to_host`
  std::string name, unit;
};
ComputedVolume compute_volume(const FieldRequest& request, Job& job);

/// Computes a field and extracts its surfaces. With `share`, into OpenGL buffers (its context is current on this
/// thread); without, into host meshes. With `memory`, what stays the same from frame to frame stays on the device. What
/// does not fit there comes in slabs, or else with fewer points, which FieldResult::note says. Throws Error.
FieldResult compute_field(const FieldRequest& request, GlShare* share, Job& job, FieldMemory* memory = nullptr);

}  // namespace isolume
