// The scalar field of a request: planned by its kind, computed whole or in layers, and painted.
#include "app/fields/device_volume.h"

#include <algorithm>

#include "app/fields/difference.h"
#include "app/fields/field_atoms.h"
#include "app/fields/field_fit.h"
#include "app/fields/field_kind.h"
#include "app/fields/field_memory.h"
#include "app/fields/legend.h"
#include "app/fields/potential_paint.h"
#include "app/fields/slice_field.h"
#include "app/fields/surface_paint.h"
#include "compute/base/timing.h"
#include "compute/isosurface/surface_tiles.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

bool painted_by_values(const Field& field) {
  return painted_by_potential(field) || painted_by_curvature(field) || painted_by_map(field);
}

/// The bytes of a field that is computed whole.
FieldPlan plan_whole(const Field& field, const FieldKind& kind) {
  std::size_t per_point = sizeof(float);
  if (coloured_by_atoms(field)) per_point += sizeof(glm::u8vec4);
  if (painted_by_values(field)) per_point += sizeof(float);
  if (shows_difference(field)) per_point += sizeof(float);
  FieldPlan plan;
  plan.grid = kind.grid();
  plan.bytes = kind.workspace() + plan.grid.size() * per_point;
  return plan;
}

bool made_in_layers(const Field& field, const FieldKind& kind) {
  return kind.has_layers() && !painted_by_values(field) && !shows_difference(field);
}

/// Where the whole does not fit, and layer by layer does: how many layers at a time. Changes the plan then.
std::optional<SlabVolume> plan_slabs(const Field& field, const FieldKind& kind, Device device, FieldPlan& plan) {
  if (!made_in_layers(field, kind)) return std::nullopt;
  const std::size_t available = available_memory(device);
  const Grid& grid = plan.grid;
  if (plan.bytes + marching_cubes_memory(grid, device) <= available || grid.size() == 0) return std::nullopt;
  SlabVolume slabs;
  slabs.grid = grid;
  slabs.device = device;
  slabs.coloured = coloured_by_atoms(field);
  const auto workspace = [&](int layers) { return kind.layers_workspace(layers); };
  const int layers = layers_that_fit(slabs, available, workspace);
  if (layers == 0 || layers >= grid.counts.z) return std::nullopt;
  plan.layers = slabs.layers = layers;
  plan.bytes =
      workspace(layers) + slab_memory(grid, device, layers, slabs.element, slabs.coloured, slabs.colour_element);
  return slabs;
}

void describe(const FieldRequest& request, const FieldKind& kind, DeviceVolume& result) {
  kind.describe(result);
  if (wraps_atoms(request.field.kind) && request.atoms && request.atoms->chosen->key)
    result.legend = legend_of(*request.atoms->chosen->key);
}

/// The request with its atoms, which are read and chosen once for all that follows.
FieldRequest with_atoms(FieldRequest request, FieldPlace* place) {
  if (!request.molecule) throw Error("a field of no molecule");
  if (!request.atoms && needs_atoms(request.field))
    request.atoms = field_atoms(request.field, request.molecule, request.frame, place ? &place->chosen() : nullptr,
                                place ? &place->ahead() : nullptr);
  if (shows_difference(request.field)) prepare_difference(request, place);
  return request;
}

}  // namespace

bool shows_nothing(const Field& field, const Molecule& molecule, std::size_t frame) {
  if (field.kind != Field::Kind::orbital || molecule.orbitals.empty()) return false;
  return !molecule.orbitals_at(std::min(frame, molecule.orbitals.size() - 1));
}

FieldPlan plan_field(const FieldRequest& asked) {
  Job job;
  const FieldRequest request = with_atoms(asked, nullptr);
  const std::unique_ptr<FieldKind> kind = field_kind(request, job, nullptr);
  if (painted_by_potential(request.field)) require_charges(*request.molecule);
  FieldPlan plan = plan_whole(request.field, *kind);
  plan_slabs(request.field, *kind, request.device, plan);
  return plan;
}

DeviceVolume compute_on_device(const FieldRequest& asked, Job& job, FieldMemory* memory, Stream* stream) {
  FieldMemory own;
  FieldPlace& place = (memory ? *memory : own).of(asked.field_index, asked.device);
  const FieldRequest request = with_atoms(asked, memory ? &place : nullptr);
  const Field& field = request.field;
  DeviceVolume result;  // destroyed after the kind, which waits for work still running in it
  std::optional<PhaseTimer> timer(std::in_place, "field: planning");
  const std::unique_ptr<FieldKind> kind = field_kind(request, job, &place);
  if (painted_by_potential(field)) require_charges(*request.molecule);
  FieldPlan plan = plan_whole(field, *kind);
  std::optional<SlabVolume> slabs = plan_slabs(field, *kind, request.device, plan);
  timer.reset();
  job.check();
  result.grid = plan.grid;
  result.everywhere = request.colours_everywhere;
  result.predicted_bytes = plan.bytes;
  describe(request, *kind, result);
  if (!kind->given()) require_memory_of_grid(plan.bytes, request.device, result.name, plan.grid);
  if (slabs) {
    result.slabs = std::move(slabs);
    result.slabs->source = kind->layers(request.device);
    return result;
  }
  if (!kind->given()) result.values = place.values(plan.grid.size());
  if (coloured_by_atoms(field)) result.colours = place.colours(plan.grid.size());
  kind->compute(result, place, job, stream);
  if (values_differ(field)) take_off_values(request, result, place, job);
  if (painted_by_potential(field)) paint_by_potential(request, result, job, place, kind->making());
  kind->finish(place);
  if (painted_by_curvature(field)) paint_by_curvature(field, result, job);
  if (painted_by_map(field)) paint_by_map(request, result, job, place);
  return result;
}

std::optional<SharedMesh> mesh_by_devices(const FieldRequest& asked, std::span<const Device> devices,
                                          const MarchingCubesOptions& options, Job& job) {
  const FieldRequest request = with_atoms(asked, nullptr);
  const std::unique_ptr<FieldKind> kind = field_kind(request, job, nullptr);
  if (!made_in_layers(request.field, *kind) || kind->grid().size() == 0) return std::nullopt;
  SharedMesh result;
  result.of.grid = kind->grid();
  describe(request, *kind, result.of);
  SurfaceTiles surface;
  surface.what = result.of.name;
  surface.grid = kind->grid();
  surface.options = options;
  surface.coloured = coloured_by_atoms(request.field);
  surface.source = [&](Device device) { return kind->layers(device); };
  surface.workspace = [&](int layers) { return kind->layers_workspace(layers); };
  surface.exact = kind->exact();
  result.mesh = surface_in_tiles(surface, devices, result.report, job);
  return result;
}

ComputedVolume compute_volume(const FieldRequest& request, Job& job) {
  const DeviceVolume volume = compute_on_device(request, job);
  ComputedVolume result{volume.grid, volume.host_values(job), volume.name, volume.unit};
  if (volume.sign < 0) {
    for (float& value : result.values) value = -value;
  }
  return result;
}

}  // namespace isolume
