// The part of a surface whose colours are values in a range.
#include "app/fields/value_range.h"

#include <algorithm>
#include <cmath>

#include "app/fields/surface_paint.h"
#include "compute/isosurface/mesh_zone.h"

namespace isolume {
namespace {

constexpr std::size_t most_points = 6000;

/// From the scalars to the unit of the legend.
double factor_of(const DeviceVolume& volume) {
  return volume.legend && volume.scalar_limit > 0 ? volume.legend->upper / double{volume.scalar_limit} : 1;
}

}  // namespace

bool has_scatter(const Field& field) {
  return field.kind == Field::Kind::contacts || (field.kind == Field::Kind::volume && painted_by_map(field));
}

bool shows_range(const Field& field) {
  return has_scatter(field) && field.shown_lower < field.shown_upper;
}

std::vector<glm::vec2> scatter_of(const Field& field, const DeviceVolume& volume, Job& job) {
  if (volume.slabs || volume.scalars.empty() || volume.values.empty()) return {};
  const std::vector<float> values = volume.host_values(job), colours = volume.scalars.copy_to_host();
  const double level = std::abs(effective_isovalue(field)), factor = factor_of(volume);
  const bool contacts = field.kind == Field::Kind::contacts;
  const float widest = 2 * volume.scalar_limit;
  // Contacts are above the level, reduced gradients below it.
  const auto counts = [&](std::size_t i) {
    const double value = std::abs(double{values[i]});
    return std::abs(colours[i]) <= widest && (contacts ? value >= 0.05 * level : value <= 4 * level);
  };
  std::size_t count = 0;
  for (std::size_t i = 0; i < values.size(); ++i) count += counts(i);
  const std::size_t every = std::max<std::size_t>(1, (count + most_points - 1) / most_points);
  std::vector<glm::vec2> points;
  std::size_t n = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (counts(i) && n++ % every == 0) points.emplace_back(factor * double{colours[i]}, values[i]);
  std::sort(points.begin(), points.end(), [](glm::vec2 a, glm::vec2 b) { return a.x < b.x; });
  return points;
}

Mesh mesh_in_range(const Mesh& mesh, const Field& field, const DeviceVolume& volume) {
  const Volume scalars{volume.grid, volume.scalars.copy_to_host(), {}, {}};
  const double factor = factor_of(volume);
  std::vector<std::uint8_t> inside;
  inside.reserve(mesh.vertex_count());
  for (const glm::vec3& position : mesh.positions) {
    const double value = factor * double{interpolate(scalars, glm::dvec3(position))};
    inside.push_back(value >= field.shown_lower && value <= field.shown_upper);
  }
  return mesh_of_vertices(mesh, inside);
}

}  // namespace isolume
