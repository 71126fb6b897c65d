// From a field's values to its surfaces: one for each sign, into OpenGL buffers or into meshes.
#include "app/fields/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/documents/frames.h"
#include "app/fields/bond_path_field.h"
#include "app/fields/cloud.h"
#include "app/fields/device_volume.h"
#include "app/fields/difference.h"
#include "app/fields/field_extremes.h"
#include "app/fields/field_fit.h"
#include "app/fields/field_memory.h"
#include "app/fields/field_result.h"
#include "app/fields/legend.h"
#include "app/fields/line_field.h"
#include "app/fields/slice_field.h"
#include "app/fields/surface_paint.h"
#include "app/fields/value_range.h"
#include "app/scene/density_name.h"
#include "compute/density/volume_statistics.h"
#include "compute/isosurface/marching_cubes.h"
#include "compute/isosurface/mesh_zone.h"
#include "compute/orbitals/enclosed_probability.h"
#include "molecule/base/error.h"
#include "molecule/selection/selection.h"
#include "render/draw/surface_buffers.h"

namespace isolume {
namespace {

// One surface of a field: the value at which it is cut, and its colour.
struct Sign {
  MarchingCubesOptions options;
  glm::u8vec4 colour;
};

std::vector<Sign> signs_of(const Field& field, double level) {
  const auto isovalue = static_cast<float>(level);
  // A density is above its isovalue inside; a field of both signs is farther from zero there.
  const bool density = wraps_atoms(field.kind) || field.kind == Field::Kind::contacts;
  std::vector<Sign> signs{{{isovalue, density || isovalue > 0}, field.colour}};
  if (!density && field.both_signs) signs.push_back({{-isovalue, isovalue < 0}, field.negative_colour});
  return signs;
}

std::shared_ptr<const DrawItem> make_item(Surface surface, const Field& field, glm::u8vec4 colour) {
  surface.colour = colour;
  surface.style = field.style;
  auto item = std::make_shared<DrawItem>();
  item->shape = std::move(surface);
  item->opacity = field.opacity;
  return item;
}

/// Waits for a stream, if any, where an error ends the work early too.
struct WaitFor {
  Stream* stream;
  ~WaitFor() {
    try {
      if (stream) stream->synchronize();
    } catch (const Error&) {
      // Whoever waited first has said so, or is saying it.
    }
  }
};

/// How much of the electron an orbital's surfaces hold is counted on the host: of frames that follow on each other on a
/// CUDA device it is not, where it would take longer than the frame.
bool counts_on_host(const Molecule& molecule, Device device) {
  return !device.is_cuda() || std::max(molecule.frame_count(), molecule.orbitals.size()) <= 1;
}
bool counts_enclosed(const Field& field, const Molecule& molecule, Device device) {
  return field.enclosed > 0 || counts_on_host(molecule, device);
}

/// The isovalue of an orbital, and where `counted` how much of the electron its surfaces hold.
void choose_isovalue(const Field& field, bool counted, DeviceVolume& volume, ShownOrbital& shown) {
  shown.isovalue = effective_isovalue(field);
  const Span<const float> on_device = std::as_const(volume.values).span();
  if (!counted) return;
  std::vector<float> copy;
  if (on_device.device.is_cuda()) {
    copy = volume.values.copy_to_host();
    volume.host_bytes += copy.size() * sizeof(float);
  }
  const std::span<const float> values =
      on_device.device.is_cuda() ? std::span<const float>(copy) : std::span(on_device.data, on_device.size);
  if (field.enclosed > 0) {
    shown.isovalue = enclosed_probability_isovalue(values, field.enclosed);
    shown.enclosed = field.enclosed;
  } else {
    shown.enclosed = enclosed_probability(values, std::abs(shown.isovalue));
  }
}

std::string orbital_summary(const ShownOrbital& shown, const Field& field) {
  std::string text;
  if (shown.followed) {
    text = fmt::format(", followed from frame {} (overlap {:.2f}{})", field.follow_from, shown.overlap,
                       shown.weak ? ", a weak match" : "");
  }
  if (shown.enclosed > 0) {
    text += fmt::format(", isovalue {:.4f} encloses {:.1f} %", std::abs(shown.isovalue), 100 * shown.enclosed);
  }
  return text;
}

/// The atoms near which a volume is shown; none where all of it is.
std::vector<glm::vec3> zone_of(const Field& field, const Molecule* molecule) {
  std::vector<glm::vec3> places;
  if (field.kind != Field::Kind::volume || !(field.zone > 0) || !molecule || !molecule->topology ||
      molecule->frame_count() == 0)
    return places;
  const Frame frame = frame_at(*molecule, 0);
  for (const std::uint32_t i : Selection(field.selection).atoms(*molecule->topology, frame))
    places.push_back(frame.positions[i]);
  if (places.empty())
    throw Error(fmt::format("the selection '{}' of the zone holds no atoms", field.selection), Error::Kind::usage);
  return places;
}

/// The values as they are, drawn by the renderer.
void show_as_cloud(const Field& field, DeviceVolume& volume, FieldPlace& place, FieldResult& result, Job& job) {
  auto values = std::make_shared<Volume>();
  values->grid = volume.grid;
  values->name = volume.name;
  values->values = volume.host_values(job);
  if (volume.sign < 0)
    for (float& value : values->values) value = -value;
  result.host_bytes = values->values.size() * sizeof(float);
  result.path = "host";
  auto item = std::make_shared<DrawItem>();
  result.automatic_range = automatic_cloud_range(field, *values);
  item->shape = cloud_of(field, result.automatic_range, std::move(values));
  item->opacity = field.opacity;
  result.items.push_back(std::move(item));
  place.keep(std::move(volume.values), std::move(volume.colours), std::move(volume.scalars));
}

/// The surfaces at the isovalue and, of both signs, its negative: items of the result, with their bytes and their path.
/// With a zone, what is near its atoms.
SurfaceCounts add_surfaces(const Field& field, const std::vector<glm::vec3>& zone, double isovalue,
                           DeviceVolume& volume, FieldPlace& place, GlShare* share, FieldResult& result, Job& job) {
  const bool coloured = volume.coloured();
  const SurfaceColours by = volume.surface_colours();
  const Device device = place.device();
  result.path = share ? share->path() : "host";
  SurfaceCounts total;
  std::size_t number = 0;
  std::optional<MarchingCubes> slabs;
  std::vector<GlShare::Part> parts;
  const auto fill = [&] {
    const GlShare::Filled filled = share->fill(parts, by, coloured, device, job);
    total.vertices += filled.counts.vertices;
    total.triangles += filled.counts.triangles;
    result.host_bytes += filled.host_bytes;
    parts.clear();
  };
  for (const Sign& sign : signs_of(field, isovalue)) {
    Surface surface;
    if (volume.slabs) slabs.emplace(marching_cubes_in_slabs(*volume.slabs, sign.options));
    MarchingCubes& cubes = slabs ? *slabs : place.cubes(number, volume.values.span(), volume.grid, sign.options);
    ++number;
    if (share) {
      auto buffers = share->take();
      parts.push_back({buffers.get(), &cubes});
      surface.buffers = std::move(buffers);
      // Both signs at once, but for slabs, of which memory holds one surface's only.
      if (volume.slabs) fill();
    } else {
      auto mesh = std::make_shared<Mesh>(marching_cubes(cubes, device, by, coloured, job));
      if (!zone.empty()) *mesh = mesh_near(*mesh, zone, field.zone, job);
      if (shows_range(field) && !volume.scalars.empty()) *mesh = mesh_in_range(*mesh, field, volume);
      total.vertices += mesh->vertex_count();
      total.triangles += mesh->triangles.size();
      result.host_bytes += mesh->vertex_count() * (2 * sizeof(glm::vec3) + (coloured ? sizeof(glm::u8vec4) : 0)) +
                           mesh->triangles.size() * sizeof(glm::uvec3);
      surface.mesh = std::move(mesh);
    }
    result.items.push_back(make_item(std::move(surface), field, sign.colour));
  }
  if (!parts.empty()) fill();
  return total;
}

/// "HOMO (5 of 19): 96 x 96 x 96 points, 12 ms, 24 310 triangles, cuda:0, CUDA-OpenGL interop; ...".
std::string summary_of(const Field& field, Device device, const std::string& name, const SurfaceCounts& total,
                       int slab_layers, const FieldResult& result) {
  const glm::ivec3 counts = result.grid.counts;
  std::string text = fmt::format("{}{}: {} x {} x {} points, {:.0f} ms, {} triangles, {}{}", name,
                                 result.orbital ? orbital_summary(*result.orbital, field) : "", counts.x, counts.y,
                                 counts.z, result.seconds * 1000, total.triangles, to_string(device),
                                 device.is_cuda() ? ", " + result.path : std::string());
  if (slab_layers > 0) text += fmt::format(", in slabs of {} layers", slab_layers);
  const bool contacts = field.kind == Field::Kind::contacts;
  if (const auto& legend = result.legend) {
    if (!legend->isosurfaces && (!legend->method.empty() || painted_by_map(field)))
      text += fmt::format("; {} from {:g} {} ({}) to {:g} {} ({})", legend->title, legend->lower, legend->unit,
                          contacts            ? "blue"
                          : legend->lower < 0 ? "red"
                                              : "white",
                          legend->upper, legend->unit, contacts ? "red" : "blue");
    if (!legend->method.empty()) text += ", " + legend->method;
    if (legend->error_points > 0) text += ", " + error_text(*legend);
    if (legend->error_points > 0 && !contacts)
      text += fmt::format(", total charge {} e", charge_text(legend->total_charge));
    if (shows_difference(field) && !legend->note.empty()) text += "; " + legend->note;
  }
  return text;
}

FieldResult compute_as_asked(const FieldRequest& request, GlShare* share, Job& job, FieldMemory* memory) {
  const auto begin = std::chrono::steady_clock::now();
  FieldResult result = result_of(request);
  if (request.molecule && shows_nothing(request.field, *request.molecule, request.frame)) {
    result.path = share ? share->path() : "host";
    result.summary = fmt::format("no orbitals in frame {}", request.frame);
    return result;
  }
  if (request.field.kind == Field::Kind::volume && request.field.volume < request.molecule->volumes.size() &&
      !values_differ(request.field)) {
    const VolumeStatistics statistics = statistics_of(request.molecule->volumes[request.field.volume]->values, job);
    result.mean = statistics.mean;
    result.deviation = statistics.deviation;
  }
  if (shows_bond_paths(request.field)) return bond_paths_result(request, job);
  if (sliced(request.field) || shows_lines(request.field)) {
    FieldResult other = sliced(request.field) ? slice_result(request, job, memory) : lines_result(request, job, memory);
    other.mean = result.mean;
    other.deviation = result.deviation;
    return other;
  }
  // The values of an orbital may be in the making until its surfaces are there, where nothing on the host needs them.
  const bool counted =
      request.field.kind != Field::Kind::orbital || counts_enclosed(request.field, *request.molecule, request.device);
  Stream* const stream = share && !counted && !is_cloud(request.field) ? share->stream_on(request.device) : nullptr;
  DeviceVolume volume = compute_on_device(request, job, memory, stream);
  const WaitFor before_memory_goes{stream};
  FieldPlace& place = memory->of(request.field_index, request.device);
  result.orbital = volume.orbital;
  if (result.orbital) choose_isovalue(request.field, counted, volume, *result.orbital);
  const double isovalue = volume.sign * (result.orbital ? result.orbital->isovalue : effective_isovalue(request.field));
  result.grid = volume.grid;
  result.predicted_bytes = volume.predicted_bytes;
  result.legend = volume.legend;
  result.host_bytes = volume.host_bytes;
  if (is_cloud(request.field)) {
    show_as_cloud(request.field, volume, place, result, job);
    job.check();
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    result.summary =
        fmt::format("{}: cloud of {} x {} x {} points, {:.0f} ms, {}", volume.name, result.grid.counts.x,
                    result.grid.counts.y, result.grid.counts.z, result.seconds * 1000, to_string(request.device));
    return result;
  }
  const std::vector<glm::vec3> zone = zone_of(request.field, request.zone_molecule.get());
  // Triangles are left out on the host.
  if (!zone.empty() || shows_range(request.field)) share = nullptr;
  if (has_scatter(request.field) && counts_on_host(*request.molecule, request.device))
    result.scatter = scatter_of(request.field, volume, job);
  const SurfaceCounts total = add_surfaces(request.field, zone, isovalue, volume, place, share, result, job);
  if (labels_extremes(request.field)) {
    std::vector<MarchingCubesOptions> surfaces;
    for (const Sign& sign : signs_of(request.field, isovalue)) surfaces.push_back(sign.options);
    add_extremes(request.field, surfaces, volume, result, job);
  }
  // A level beyond all values shows nothing: what there is says where a surface would be.
  std::string empty;
  if (total.triangles == 0 && zone.empty() && !shows_range(request.field) && !volume.values.empty()) {
    const std::vector<float> values = volume.host_values(job);
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    empty = fmt::format("; no surface at {:g}{}: values are from {:.4g} to {:.4g}", isovalue,
                        volume.unit.empty() ? "" : " " + volume.unit, *least, *most);
  }
  const int slab_layers = volume.slabs ? volume.slabs->layers : 0;
  place.keep(std::move(volume.values), std::move(volume.colours), std::move(volume.scalars));
  job.check();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result.summary =
      summary_of(request.field, request.device, volume.name, total, slab_layers, result) + result.extremes + empty;
  return result;
}

}  // namespace

FieldResult compute_field(const FieldRequest& asked, GlShare* share, Job& job, FieldMemory* memory) {
  FieldMemory own;
  if (!memory) memory = &own;
  FieldRequest request = asked;
  std::optional<DoesNotFit> first;
  for (;;) {
    try {
      FieldResult result = compute_as_asked(request, share, job, memory);
      if (first) {
        result.note = fewer_points_note(request.field.spacing, *first);
        result.summary += "; " + result.note;
      }
      return result;
    } catch (const DoesNotFit& fault) {
      if (!first) first = fault;
      if (request.grid) throw;
      request.field.spacing = coarser_spacing(request.field.kind, fault);
      request.coarsening = 1;
    }
  }
}

}  // namespace isolume
