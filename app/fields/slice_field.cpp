// Fields as colours on a plane, instead of surfaces.
#include "app/fields/slice_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/fields/difference.h"
#include "app/fields/field_memory.h"
#include "app/fields/field_result.h"
#include "compute/orbitals/enclosed_probability.h"
#include "molecule/base/error.h"
#include "render/represent/diverging_scale.h"

namespace isolume {
namespace {

constexpr double finest = 0.05;      // angstrom between points of a plane
constexpr int most_points = 400;     // along an edge
constexpr float line_offset = 0.01;  // angstrom above and below the plane, where lines are seen from both sides
constexpr int legend_colours = 17;

std::vector<float> interpolated(const Volume& volume, const Grid& layer) {
  std::vector<float> values;
  values.reserve(layer.size());
  for (int k = 0; k < layer.counts.z; ++k)
    for (int j = 0; j < layer.counts.y; ++j)
      for (int i = 0; i < layer.counts.x; ++i) values.push_back(interpolate(volume, layer.point(i, j, k)));
  return values;
}

// The values of the field in its unit, and where they are.
std::vector<float> values_of(const FieldRequest& request, const PlaneFrame& plane, const Grid& box, Slice& slice,
                             Job& job, FieldMemory* memory) {
  const Field& field = request.field;
  const double spacing = std::min(finest, glm::length(box.step[0])) * std::max(1.0, request.coarsening);
  slice.grid = slice_grid(plane, box, spacing, most_points);
  FieldRequest on_plane = request;
  const bool direct = field.kind == Field::Kind::orbital;
  if (direct) on_plane.grid = slice.grid;
  const DeviceVolume volume = compute_on_device(on_plane, job, direct ? nullptr : memory);
  slice.name = volume.name;
  slice.predicted_bytes = volume.predicted_bytes;
  slice.orbital = volume.orbital;
  slice.legend.title = volume.name;
  slice.legend.unit = volume.unit;
  std::vector<float> values = volume.host_values(job);
  if (!direct) values = interpolated({volume.grid, std::move(values), {}, {}}, slice.grid);
  if (field.kind == Field::Kind::potential) {
    if (!values_differ(field)) slice.legend.title = "electrostatic potential";
    slice.legend.unit = name(field.potential.unit);
    if (volume.legend) {
      slice.legend.error = volume.legend->error;
      slice.legend.relative_error = volume.legend->relative_error;
      slice.legend.near_relative_error = volume.legend->near_relative_error;
      slice.legend.error_points = volume.legend->error_points;
      slice.legend.error_estimated = volume.legend->error_estimated;
      slice.legend.total_charge = volume.legend->total_charge;
      slice.legend.note = volume.legend->note;
    }
  }
  const double factor = volume.sign * shown_factor(field);
  for (float& value : values) value = static_cast<float>(factor * static_cast<double>(value));
  return values;
}

// The isovalue of a field in its unit; of an orbital by probability it takes the whole orbital.
double isovalue_of(const FieldRequest& request, Job& job, FieldMemory* memory) {
  const Field& field = request.field;
  if (field.kind == Field::Kind::orbital && field.enclosed > 0) {
    const DeviceVolume whole = compute_on_device(request, job, memory);
    return enclosed_probability_isovalue(whole.host_values(job), field.enclosed);
  }
  return std::abs(shown_isovalue(field));
}

glm::u8vec4 darker(glm::u8vec4 colour) {
  return {glm::u8vec3(glm::vec3(glm::u8vec3(colour)) * 0.6f), 255};
}

void add_lines(Slice& slice, const std::vector<glm::vec3>& segments, glm::u8vec4 colour, glm::vec3 offset) {
  for (const glm::vec3& point : segments) slice.lines.push_back(point + offset);
  slice.line_colours.resize(slice.lines.size(), colour);
}

}  // namespace

bool sliced(const Field& field) {
  return field.slice.kind != SlicePlane::Kind::none;
}

std::string describe(const SlicePlane& slice) {
  std::string text;
  if (slice.kind == SlicePlane::Kind::atoms) {
    text = fmt::format("plane through {}", slice.selection);
  } else {
    constexpr char axes[] = "?xyz";
    text = fmt::format("plane across {}", axes[std::min<std::size_t>(static_cast<std::size_t>(slice.kind), 3)]);
  }
  if (slice.offset == 0)
    return text + (slice.kind == SlicePlane::Kind::atoms ? "" : " through the middle of the atoms");
  return text + fmt::format(", {:g} angstrom from the middle of the atoms", slice.offset);
}

Slice compute_slice(const FieldRequest& given, Job& job, FieldMemory* memory) {
  FieldRequest request = given;
  request.field.paint = Field::Paint::atoms;  // its own values are its colours
  const Field& field = request.field;
  if (wraps_atoms(field.kind))
    throw Error("slices are for orbitals, potentials and volumes, not for surfaces of atoms", Error::Kind::usage);
  const Grid box = plan_field(request).grid;
  const PlaneFrame plane = slice_frame(field.slice, *request.molecule, request.frame, box);
  Slice slice;
  const std::vector<float> values = values_of(request, plane, box, slice, job, memory);
  const double isovalue = isovalue_of(request, job, memory);
  if (slice.orbital) slice.orbital->isovalue = isovalue;
  const double range = field.paint_range > 0 ? field.paint_range : 2 * isovalue;
  slice.legend.lower = -range;
  slice.legend.upper = range;
  slice.legend.colours = diverging_colours(field.negative_colour, field.colour, legend_colours);
  slice.legend.method = describe(field.slice);
  std::vector<glm::u8vec4> colours;
  colours.reserve(values.size());
  // A finer scale than the legend's: one step is not seen.
  constexpr int steps = 512;
  const std::vector<glm::vec3> scale = diverging_colours(field.negative_colour, field.colour, 2 * steps + 1);
  for (const float value : values) {
    const double t = std::clamp(static_cast<double>(value) / range, -1.0, 1.0);
    const glm::vec3 c = t == t ? scale[static_cast<std::size_t>(std::lround(steps * (1 + t)))] : scale[steps];
    colours.emplace_back(glm::u8vec3(glm::round(255.0f * c)), 255);
  }
  slice.mesh = slice_mesh(slice.grid, plane.normal, values, colours);
  slice.mesh.scalars.front() = {slice.name, slice.legend.unit, values};
  if (slice.grid.size() == 0) return slice;
  for (const float side : {-line_offset, line_offset}) {
    const glm::vec3 offset = side * glm::vec3(plane.normal);
    add_lines(slice, border(slice.grid), {120, 120, 120, 255}, offset);
    add_lines(slice, contour(slice.grid, values, isovalue), darker(field.colour), offset);
    if (field.both_signs)
      add_lines(slice, contour(slice.grid, values, -isovalue), darker(field.negative_colour), offset);
  }
  return slice;
}

FieldResult slice_result(const FieldRequest& request, Job& job, FieldMemory* memory) {
  const auto begin = std::chrono::steady_clock::now();
  Slice slice = compute_slice(request, job, memory);
  job.check();
  FieldResult result = result_of(request);
  result.grid = slice.grid;
  result.predicted_bytes = slice.predicted_bytes;
  result.legend = slice.legend;
  result.orbital = slice.orbital;
  const std::string plane = describe(request.field.slice);
  if (slice.grid.size() == 0) {
    result.summary = fmt::format("{}: {} does not meet it", slice.name, plane);
    return result;
  }
  result.host_bytes = slice.mesh.vertex_count() * (2 * sizeof(glm::vec3) + sizeof(glm::u8vec4)) +
                      slice.mesh.triangles.size() * sizeof(glm::uvec3);
  Surface surface;
  surface.mesh = std::make_shared<const Mesh>(std::move(slice.mesh));
  auto item = std::make_shared<DrawItem>();
  item->shape = std::move(surface);
  item->opacity = request.field.opacity;
  item->lit = false;  // colours are values
  auto lines = std::make_shared<DrawItem>();
  lines->shape = Lines{std::move(slice.lines), std::move(slice.line_colours), {}, 1.5f};
  lines->lit = false;
  result.items = {std::move(item), std::move(lines)};
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result.summary = fmt::format("{}: {}, {} points, {:.0f} ms, {}", slice.name, plane, slice.grid.size(),
                               result.seconds * 1000, to_string(request.device));
  return result;
}

}  // namespace isolume
