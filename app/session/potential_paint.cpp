// Surfaces coloured by the electrostatic potential.
#include "app/session/potential_paint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/session/potential_map.h"
#include "compute/memory.h"
#include "compute/parallel_for.h"

namespace isolume {
namespace {

// Pairs of charge and point that the direct sum does in about a second.
double quick_pairs(Device device) {
  return device.is_cuda() ? 1e12 : 1e10;
}

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

}  // namespace

bool painted_by_potential(const Field& field) {
  return field.kind == Field::Kind::gaussian && field.paint == Field::Paint::potential;
}

void paint_by_potential(const FieldRequest& request, DeviceVolume& volume, Job& job) {
  const std::vector<ChargedSphere> spheres = charged_spheres(request);
  const Grid& grid = volume.grid;
  PotentialOptions options;
  if (static_cast<double>(spheres.size()) * static_cast<double>(grid.size()) > quick_pairs(request.device)) {
    options.method = PotentialMethod::msm;
    choose_msm(2.5e-3, spheres, grid, request.device, options);
  }
  require_memory(potential_map_memory(spheres, grid, options, request.device), request.device,
                 "potential on the surface");
  std::vector<float> potential;
  {
    DeviceArray<float> map(grid.size(), request.device, "potential on the surface");
    potential_map(spheres, grid, options, map.span(), job);
    potential = map.copy_to_host();
  }
  const MapError error = potential_map_error(spheres, grid, options, potential, job);
  double range = request.field.paint_range;
  if (range <= 0) {
    const auto isovalue = static_cast<float>(effective_isovalue(request.field));
    range = round_number(usual_range(grid, volume.values.copy_to_host(), potential, isovalue));
  }
  std::vector<glm::vec3> colours(grid.size());
  constexpr std::size_t tile = 1 << 16;
  const auto scale = static_cast<float>(1 / range);
  parallel_for((colours.size() + tile - 1) / tile, job, "colours", [&](std::size_t t) {
    for (std::size_t i = t * tile; i < std::min(colours.size(), (t + 1) * tile); ++i)
      colours[i] = red_white_blue(potential[i] * scale);
  });
  volume.colours = DeviceArray<glm::vec3>::from_host(colours, request.device, "colours of the surface");
  volume.legend =
      FieldLegend{"electrostatic potential", "V", -range, range, {}, describe(options), error.rms, error.relative};
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
