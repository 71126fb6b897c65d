// Numbers at the vertices of a mesh, and colours by them.
#include "app/cli/compute/mesh_scalars.h"

#include <algorithm>
#include <cmath>

#include "app/cli/compute/compute.h"
#include "app/fields/device_volume.h"
#include "app/fields/field_atoms.h"
#include "app/fields/potential_paint.h"
#include "app/fields/potential_settings.h"
#include "compute/analysis/mesh_shape.h"
#include "render/represent/diverging_scale.h"

namespace isolume::cli {

MeshScalar potential_scalar(const Field& field, const FieldAtoms& atoms, const DeviceVolume& volume, const Mesh& mesh,
                            Job& job) {
  const PotentialSettings& settings = field.potential;
  const double factor = per_volt(settings);
  MeshScalar scalar{"potential", name(settings.unit), std::vector<float>(mesh.vertex_count())};
  if (settings.method == PotentialMethod::pb) {  // where they are taken from the surface already
    scalar.values = sample_at_vertices({volume.grid, volume.scalars.copy_to_host(), {}, {}}, mesh, 0);
    for (float& value : scalar.values) value = static_cast<float>(value * factor);
    return scalar;
  }
  const std::vector<ChargedSphere> spheres = charged_spheres(atoms);
  const glm::dvec3 origin = atoms.origin;
  const PotentialOptions options = basic_options(settings, atoms.frame.cell);
  in_tiles(mesh.vertex_count(), job, "potential at the vertices", [&](std::size_t begin, std::size_t end) {
    std::vector<glm::dvec3> points;
    std::vector<double> values(end - begin);
    for (std::size_t i = begin; i < end; ++i)
      points.push_back(glm::dvec3(mesh.positions[i]) - origin + field.paint_offset * glm::dvec3(mesh.normals[i]));
    potential_exact(spheres, options, points, values);
    for (std::size_t i = begin; i < end; ++i) scalar.values[i] = static_cast<float>(factor * values[i - begin]);
  });
  return scalar;
}

double colour_by_scalar(Mesh& mesh, const MeshScalar& scalar, double range) {
  if (range <= 0 && !scalar.values.empty()) {
    std::vector<float> sizes;
    for (const float value : scalar.values) sizes.push_back(std::abs(value));
    const auto place = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() * 95 / 100);
    std::nth_element(sizes.begin(), place, sizes.end());
    range = round_number(static_cast<double>(*place));
  }
  mesh.colours.resize(mesh.vertex_count());
  for (std::size_t i = 0; i < mesh.vertex_count(); ++i) {
    const glm::vec3 c = red_white_blue(scalar.values[i] / static_cast<float>(range));
    mesh.colours[i] = glm::u8vec4(glm::u8vec3(glm::round(c * 255.0f)), 255);
  }
  return range;
}

}  // namespace isolume::cli
