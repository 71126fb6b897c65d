// Surfaces coloured by their own curvature, or by the values of a volume that is loaded.
#include "app/fields/surface_paint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/fields/field_memory.h"
#include "app/fields/potential_paint.h"
#include "compute/analysis/resample.h"
#include "compute/base/parallel_for.h"
#include "molecule/base/error.h"

namespace isolume {

bool painted_by_curvature(const Field& field) {
  return wraps_atoms(field.kind) && field.paint == Field::Paint::curvature;
}

std::vector<float> level_set_curvature(const Grid& grid, std::span<const float> values, Job& job) {
  std::vector<float> result(grid.size(), 0.0f);
  const glm::ivec3 n = grid.counts;
  if (n.x < 3 || n.y < 3 || n.z < 3) return result;
  const double hx = grid.step[0][0], hy = grid.step[1][1], hz = grid.step[2][2];
  parallel_for(static_cast<std::size_t>(n.z - 2), job, "curvature", [&](std::size_t layer) {
    const int k = static_cast<int>(layer) + 1;
    for (int j = 1; j < n.y - 1; ++j)
      for (int i = 1; i < n.x - 1; ++i) {
        const auto f = [&](int a, int b, int c) {
          return static_cast<double>(values[grid.index(i + a, j + b, k + c)]);
        };
        const double here = f(0, 0, 0);
        const double x = (f(1, 0, 0) - f(-1, 0, 0)) / (2 * hx), y = (f(0, 1, 0) - f(0, -1, 0)) / (2 * hy),
                     z = (f(0, 0, 1) - f(0, 0, -1)) / (2 * hz);
        const double square = x * x + y * y + z * z;
        if (!(square > 1e-20)) continue;
        const double xx = (f(1, 0, 0) - 2 * here + f(-1, 0, 0)) / (hx * hx),
                     yy = (f(0, 1, 0) - 2 * here + f(0, -1, 0)) / (hy * hy),
                     zz = (f(0, 0, 1) - 2 * here + f(0, 0, -1)) / (hz * hz);
        const double xy = (f(1, 1, 0) - f(1, -1, 0) - f(-1, 1, 0) + f(-1, -1, 0)) / (4 * hx * hy),
                     xz = (f(1, 0, 1) - f(1, 0, -1) - f(-1, 0, 1) + f(-1, 0, -1)) / (4 * hx * hz),
                     yz = (f(0, 1, 1) - f(0, 1, -1) - f(0, -1, 1) + f(0, -1, -1)) / (4 * hy * hz);
        // The divergence of grad f / |grad f|; the outward normal is its opposite.
        const double divergence = (square * (xx + yy + zz) - (x * x * xx + y * y * yy + z * z * zz) -
                                   2 * (x * y * xy + x * z * xz + y * z * yz)) /
                                  (square * std::sqrt(square));
        result[grid.index(i, j, k)] = static_cast<float>(-0.5 * divergence);
      }
  });
  return result;
}

std::vector<float> along_normals(const Grid& grid, std::span<const float> field, std::span<const float> map,
                                 double offset, Job& job) {
  std::vector<float> result(map.begin(), map.end());
  const glm::ivec3 n = grid.counts;
  if (n.x < 2 || n.y < 2 || n.z < 2) return result;
  const glm::dmat3 to_space = glm::transpose(glm::inverse(grid.step));  // of gradients
  parallel_for(static_cast<std::size_t>(n.z), job, "map along the normals", [&](std::size_t layer) {
    const int k = static_cast<int>(layer);
    for (int j = 0; j < n.y; ++j)
      for (int i = 0; i < n.x; ++i) {
        const glm::ivec3 at(i, j, k);
        glm::dvec3 by_step;
        for (int axis = 0; axis < 3; ++axis) {
          glm::ivec3 low = at, high = at;
          low[axis] = std::max(at[axis] - 1, 0);
          high[axis] = std::min(at[axis] + 1, n[axis] - 1);
          by_step[axis] = (static_cast<double>(field[grid.index(high.x, high.y, high.z)]) -
                           static_cast<double>(field[grid.index(low.x, low.y, low.z)])) /
                          (high[axis] - low[axis]);
        }
        const glm::dvec3 inwards = to_space * by_step;
        const double length = glm::length(inwards);
        if (!(length > 1e-12)) continue;
        const glm::dvec3 place = grid.point(i, j, k) - offset / length * inwards;
        const glm::dvec3 inside = glm::clamp(grid.coordinates(place), glm::dvec3(0), glm::dvec3(n - 1));
        const glm::ivec3 cell = glm::min(glm::ivec3(inside), n - 2);
        const glm::dvec3 part = inside - glm::dvec3(cell);
        double value = 0;
        for (int corner = 0; corner < 8; ++corner) {
          const glm::ivec3 step(corner & 1, corner >> 1 & 1, corner >> 2);
          double weight = 1;
          for (int axis = 0; axis < 3; ++axis) weight *= step[axis] ? part[axis] : 1 - part[axis];
          value += weight * static_cast<double>(map[grid.index(cell.x + step.x, cell.y + step.y, cell.z + step.z)]);
        }
        result[grid.index(i, j, k)] = static_cast<float>(value);
      }
  });
  return result;
}

void paint_by_curvature(const FieldRequest& request, DeviceVolume& volume, Job& job) {
  const std::vector<float> curvature = level_set_curvature(volume.grid, volume.values.copy_to_host(), job);
  // Of a radius of about two probes at full colour.
  const double range = request.field.paint_range > 0 ? request.field.paint_range : 0.4;
  volume.scalars = DeviceArray<float>::from_host(curvature, request.device, "curvature of the surface");
  if (request.device.is_cuda()) volume.host_bytes += 2 * curvature.size() * sizeof(float);
  volume.scalar_limit = static_cast<float>(range);
  volume.legend.emplace();
  volume.legend->title = "mean curvature";
  volume.legend->unit = "1/angstrom";
  volume.legend->lower = -range;
  volume.legend->upper = range;
  volume.legend->method = "of the level sets on the grid";
  for (int i = -4; i <= 4; ++i) volume.legend->colours.push_back(red_white_blue(static_cast<float>(i) / 4.0f));
}

bool painted_by_map(const Field& field) {
  return field.kind != Field::Kind::potential && field.paint == Field::Paint::map;
}

std::shared_ptr<const Volume> map_of(const Field& field, const Molecule* molecule) {
  if (!molecule)
    throw Error(fmt::format("map_molecule {}: the scene has no such molecule", field.map_molecule), Error::Kind::usage);
  if (field.map_volume < molecule->volumes.size()) return molecule->volumes[field.map_volume];
  const std::string file = molecule->paths.empty() ? "the molecule" : molecule->paths.front();
  throw Error(molecule->volumes.empty() ? fmt::format("{} has no volume to colour the surface by", file)
                                        : fmt::format("map_volume {}: {} has {} (they count from 0)", field.map_volume,
                                                      file, molecule->volumes.size()),
              Error::Kind::usage);
}

std::string map_title(const Volume& map, const Molecule& molecule) {
  if (!map.name.empty() || molecule.paths.empty()) return map.name.empty() ? "map" : map.name.substr(0, 40);
  return std::filesystem::path(molecule.paths.back()).filename().string();
}

void paint_by_map(const FieldRequest& request, DeviceVolume& volume, Job& job, FieldPlace& place) {
  if (!request.map) throw Error("a surface coloured by a map, and no map", Error::Kind::usage);
  const Volume& map = *request.map;
  const std::vector<float> values = resampled(map, volume.grid, job);
  volume.scalars = place.scalars(volume.grid.size());
  copy_memory(volume.scalars.data(), request.device, values.data(), Device::cpu(), values.size() * sizeof(float));
  if (request.device.is_cuda()) volume.host_bytes += values.size() * sizeof(float);
  const double range = fit_colours(request, volume, 1, job);
  FieldLegend& legend = volume.legend.emplace();
  legend.title = request.map_title.empty() ? "map" : request.map_title;
  legend.unit = map.unit;
  legend.upper = range;
  legend.lower = -range;
  legend.colours = red_white_blue_colours();
  const SurfaceSamples samples = sampled_surface(request, volume, 4000);
  const auto outside = std::count_if(samples.values.begin(), samples.values.end(), [](double v) { return v != v; });
  if (outside == 0) return;
  if (static_cast<std::size_t>(outside) == samples.values.size())
    throw Error(fmt::format("the surface is outside of the map {}", legend.title), Error::Kind::usage);
  legend.method = fmt::format("white where the map has no value: {:.1f} % of the surface",
                              100.0 * static_cast<double>(outside) / static_cast<double>(samples.values.size()));
}

}  // namespace isolume
