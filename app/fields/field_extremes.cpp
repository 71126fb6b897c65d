// The extremes of the values that colour a surface, in the picture.
#include "app/fields/field_extremes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/fields/field_result.h"
#include "app/fields/surface_paint.h"
#include "compute/analysis/surface_values.h"
#include "molecule/grid.h"

namespace isolume {
namespace {

constexpr double apart = 1;  // angstrom along the surface within which there is one extreme
constexpr std::ptrdiff_t most = 12;
constexpr float ball = 0.12f;
constexpr glm::u8vec4 maximum_colour{20, 60, 160, 255}, minimum_colour{170, 25, 30, 255};  // the ends of the scale

}  // namespace

bool labels_extremes(const Field& field) {
  const bool painted = field.kind != Field::Kind::potential && field.paint == Field::Paint::potential;
  return field.extremes && (painted || painted_by_map(field));
}

void add_extremes(const Field& field, const std::vector<MarchingCubesOptions>& surfaces, const DeviceVolume& volume,
                  FieldResult& result, Job& job) {
  if (volume.slabs || volume.scalars.empty() || !volume.legend || volume.scalar_limit <= 0) return;
  const double factor = volume.legend->upper / double{volume.scalar_limit};  // to the unit shown
  const Volume scalars{volume.grid, volume.scalars.copy_to_host(), {}, {}};
  const std::vector<float> shape = volume.host_values(job);
  const Span<const float> on_host(shape.data(), shape.size(), Device::cpu());
  Spheres balls;
  SurfaceValues total;
  for (const MarchingCubesOptions& options : surfaces) {
    const Mesh mesh = marching_cubes(on_host, volume.grid, options, {}, job);
    std::vector<double> values;
    for (const glm::vec3& position : mesh.positions)
      values.push_back(factor * double{interpolate(scalars, glm::dvec3(position))});
    if (values.empty() || std::ranges::any_of(values, [](double v) { return !std::isfinite(v); })) continue;
    if (total.area == 0) total = surface_values(mesh, values);
    std::ptrdiff_t maxima = 0, minima = 0;
    for (const SurfaceExtreme& extreme : surface_extremes(mesh, values, apart, job)) {
      if (++(extreme.maximum ? maxima : minima) > most) continue;
      const glm::vec3 at = mesh.positions[extreme.vertex];
      balls.spheres.emplace_back(at, ball);
      balls.colours.push_back(extreme.maximum ? maximum_colour : minimum_colour);
      balls.parts.push_back(0);
      const double magnitude = std::abs(extreme.value);
      const int digits = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : 3;
      result.labels.push_back(
          {at + (ball + 0.05f) * mesh.normals[extreme.vertex], fmt::format("{:+.{}f}", extreme.value, digits)});
    }
  }
  if (balls.spheres.empty()) return;
  result.host_bytes += balls.spheres.size() * (sizeof(glm::vec4) + 8);
  add_item(result, field, std::move(balls));
  const std::string unit = volume.legend->unit.empty() ? "" : " " + volume.legend->unit;
  result.extremes = fmt::format(
      "; {} from {:.4g} to {:.4g}{} on the surface, {:.1f} A^2 positive (mean {:.4g}), {:.1f} A^2 negative (mean "
      "{:.4g})",
      volume.legend->title, total.minimum, total.maximum, unit, total.positive_area, total.positive_average,
      total.negative_area, total.negative_average);
}

}  // namespace isolume
