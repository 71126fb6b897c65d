// Surfaces coloured by the electrostatic potential.
#include "app/session/potential_paint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "app/session/field_memory.h"
#include "app/session/potential_field.h"
#include "app/session/surface_paint.h"
#include "compute/memory.h"
#include "compute/orbitals/enclosed_probability.h"

namespace isolume {
namespace {

// The 95th percentile of |V| at the grid points on both sides of the surface; 0 where there is no surface.
double usual_range(const Grid& grid, std::span<const float> density, std::span<const float> potential, float isovalue) {
  std::vector<float> near;
  const glm::ivec3 n = grid.counts;
  const std::size_t strides[3] = {1, static_cast<std::size_t>(n.x),
                                  static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y)};
  for (int k = 0; k < n.z; ++k)
    for (int j = 0; j < n.y; ++j)
      for (int i = 0; i < n.x; ++i) {
        const std::size_t at = grid.index(i, j, k);
        const glm::ivec3 p(i, j, k);
        for (int axis = 0; axis < 3; ++axis) {
          if (p[axis] + 1 >= n[axis]) continue;
          const std::size_t other = at + strides[axis];
          if ((density[at] > isovalue) == (density[other] > isovalue)) continue;
          near.push_back(std::abs(0.5f * (potential[at] + potential[other])));
        }
      }
  if (near.empty()) return 0;
  const auto place = near.begin() + static_cast<std::ptrdiff_t>(near.size() * 95 / 100);
  std::nth_element(near.begin(), place, near.end());
  return static_cast<double>(*place);
}

// Makes the values of a field grow from outside to inside of all its surfaces, and returns where they then are.
float grow_inwards(const Field& field, int sign, std::span<float> values) {
  double isovalue = sign * effective_isovalue(field);
  if (wraps_atoms(field.kind)) return static_cast<float>(isovalue);
  if (field.kind == Field::Kind::orbital && field.enclosed > 0)
    isovalue = sign * enclosed_probability_isovalue(values, field.enclosed);
  for (float& value : values)
    if (field.both_signs ? value < 0 : isovalue < 0) value = -value;
  return static_cast<float>(std::abs(isovalue));
}

}  // namespace

bool painted_by_potential(const Field& field) {
  return field.kind != Field::Kind::potential && field.paint == Field::Paint::potential;
}

void paint_by_potential(const FieldRequest& request, DeviceVolume& volume, Job& job, FieldPlace& place) {
  const Field& field = request.field;
  const Grid& grid = volume.grid;
  FieldRequest on_grid = request;
  on_grid.grid = grid;
  PotentialPlan plan = plan_potential(on_grid);
  volume.scalars = place.scalars(grid.size());
  const MapError error = compute_potential(on_grid, plan, volume.scalars.span(), job);
  const double factor = per_volt(field.potential);
  double range = field.paint_range;
  if (range <= 0 || field.paint_offset != 0) {
    std::vector<float> values = volume.values.copy_to_host();
    std::vector<float> potential = volume.scalars.copy_to_host();
    const float isovalue = grow_inwards(field, volume.sign, values);
    if (field.paint_offset != 0) {
      potential = along_normals(grid, values, potential, field.paint_offset, job);
      copy_memory(volume.scalars.data(), request.device, potential.data(), Device::cpu(),
                  potential.size() * sizeof(float));
    }
    if (range <= 0) range = round_number(usual_range(grid, values, potential, isovalue) * factor) / factor;
  }
  volume.scalar_limit = static_cast<float>(range);
  volume.legend = potential_legend(field, plan, error);
  // A round number of the unit stays one although it went through volts.
  volume.legend->upper = std::strtod(fmt::format("{:.6g}", range * factor).c_str(), nullptr);
  volume.legend->lower = -volume.legend->upper;
  for (int i = -4; i <= 4; ++i) volume.legend->colours.push_back(red_white_blue(static_cast<float>(i) / 4.0f));
}

glm::vec3 red_white_blue(float t) {
  const glm::vec3 white(0.97f), red(0.80f, 0.09f, 0.11f), blue(0.10f, 0.25f, 0.80f);
  if (!(t == t)) return white;
  const float part = std::min(1.0f, std::abs(t));
  return glm::mix(white, t < 0 ? red : blue, part);
}

double round_number(double value) {
  if (!(value > 0) || !std::isfinite(value)) return 1;
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  double best = power;
  for (const double factor : {1.0, 2.0, 3.0, 5.0, 10.0})
    if (std::abs(std::log(factor * power / value)) < std::abs(std::log(best / value))) best = factor * power;
  return best;
}

}  // namespace isolume
