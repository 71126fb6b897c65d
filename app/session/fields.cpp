// From a field's values to its surfaces: one for each sign, into OpenGL buffers or into meshes.
#include "app/session/fields.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "app/session/device_volume.h"
#include "compute/isosurface/marching_cubes.h"
#include "render/draw/surface_buffers.h"

namespace isolume {
namespace {

// One surface of a field: the value at which it is cut, and its colour.
struct Sign {
  MarchingCubesOptions options;
  glm::u8vec4 colour;
};

std::vector<Sign> signs_of(const Field& field) {
  const auto isovalue = static_cast<float>(effective_isovalue(field));
  // A density is above its isovalue inside; a field of both signs is farther from zero there.
  const bool density = field.kind == Field::Kind::gaussian;
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

}  // namespace

FieldResult compute_field(const FieldRequest& request, GlShare* share, Job& job) {
  const auto begin = std::chrono::steady_clock::now();
  FieldResult result;
  result.number = request.number;
  result.field_index = request.field_index;
  const DeviceVolume volume = compute_on_device(request, job);
  result.grid = volume.grid;
  result.legend = volume.legend;
  const bool coloured = !volume.colours.empty();
  const Span<const float> values = volume.values.span();
  const Span<const glm::vec3> colours = volume.colours.span();
  result.path = share ? share->path() : "host";
  SurfaceCounts total;
  for (const Sign& sign : signs_of(request.field)) {
    Surface surface;
    if (share) {
      MarchingCubes cubes(values, volume.grid, sign.options);
      auto buffers = share->take();
      const GlShare::Filled filled = share->fill(*buffers, cubes, colours, request.device, job);
      total.vertices += filled.counts.vertices;
      total.triangles += filled.counts.triangles;
      result.host_bytes += filled.host_bytes;
      surface.buffers = std::move(buffers);
    } else {
      auto mesh = std::make_shared<Mesh>(marching_cubes(values, volume.grid, sign.options, colours, job));
      total.vertices += mesh->vertex_count();
      total.triangles += mesh->triangles.size();
      result.host_bytes += mesh->vertex_count() * (2 * sizeof(glm::vec3) + (coloured ? sizeof(glm::u8vec4) : 0)) +
                           mesh->triangles.size() * sizeof(glm::uvec3);
      surface.mesh = std::move(mesh);
    }
    result.items.push_back(make_item(std::move(surface), request.field, sign.colour));
  }
  job.check();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const glm::ivec3 counts = volume.grid.counts;
  result.summary =
      fmt::format("{}: {} x {} x {} points, {:.0f} ms, {} triangles, {}, {}", volume.name, counts.x, counts.y, counts.z,
                  result.seconds * 1000, total.triangles, to_string(request.device), result.path);
  if (const auto& legend = result.legend)
    result.summary +=
        fmt::format("; {} from {:g} {} (red) to {:g} {} (blue), {}, error {:.1e} {} rms ({:.1e} relative)",
                    legend->title, legend->lower, legend->unit, legend->upper, legend->unit, legend->method,
                    legend->error, legend->unit, legend->relative_error);
  return result;
}

}  // namespace isolume
