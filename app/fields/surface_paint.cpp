// Surfaces coloured by their own curvature, or by the values of a volume that is loaded.
#include "app/fields/surface_paint.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "app/fields/difference.h"
#include "app/fields/field_memory.h"
#include "app/fields/potential_paint.h"
#include "compute/analysis/level_sets.h"
#include "compute/analysis/resample.h"
#include "molecule/base/error.h"
#include "render/represent/diverging_scale.h"

namespace isolume {

bool painted_by_curvature(const Field& field) {
  return wraps_atoms(field.kind) && field.paint == Field::Paint::curvature;
}

void paint_by_curvature(const Field& field, DeviceVolume& volume, Job& job) {
  const std::vector<float> curvature = level_set_curvature(volume.grid, volume.values.copy_to_host(), job);
  // Of a radius of about two probes at full colour.
  const double range = field.paint_range > 0 ? field.paint_range : 0.4;
  const Device device = volume.values.device();
  volume.scalars = DeviceArray<float>::from_host(curvature, device, "curvature of the surface");
  if (device.is_cuda()) volume.host_bytes += 2 * curvature.size() * sizeof(float);
  volume.scalar_limit = static_cast<float>(range);
  volume.legend.emplace();
  volume.legend->title = "mean curvature";
  volume.legend->unit = "1/angstrom";
  volume.legend->lower = -range;
  volume.legend->upper = range;
  volume.legend->method = "of the level sets on the grid";
  volume.legend->colours = red_white_blue_colours();
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
  constexpr std::size_t most = 40;  // letters in a legend
  if (map.name.size() > most) return map.name.substr(0, map.name.find_last_of(' ', most)).substr(0, most) + "...";
  if (!map.name.empty() || molecule.paths.empty()) return map.name.empty() ? "map" : map.name;
  return std::filesystem::path(molecule.paths.back()).filename().string();
}

namespace {

bool is_error(const Volume& map) {
  return map.name.find("standard error") != std::string::npos;
}

}  // namespace

std::vector<float> map_at(const Volume& map, const Grid& grid, Job& job) {
  if (!is_error(map)) return resampled(map, grid, job);
  Volume known = map;  // -1 says that the frames were too few
  std::replace(known.values.begin(), known.values.end(), -1.0f, std::numeric_limits<float>::quiet_NaN());
  return resampled(known, grid, job);
}

void fill_scalars(const Volume& map, DeviceVolume& volume, Job& job) {
  const std::vector<float> values = map_at(map, volume.grid, job);
  const Device device = volume.scalars.device();
  copy_memory(volume.scalars.data(), device, values.data(), Device::cpu(), values.size() * sizeof(float));
  if (device.is_cuda()) volume.host_bytes += values.size() * sizeof(float);
}

void paint_by_map(const FieldRequest& request, DeviceVolume& volume, Job& job, FieldPlace& place) {
  const Field& field = request.field;
  const ColouringMap& map = request.map;
  if (!map.volume) throw Error("a surface coloured by a map, and no map", Error::Kind::usage);
  volume.scalars = place.scalars(volume.grid.size());
  fill_scalars(*map.volume, volume, job);
  move_outwards(field, volume, job);
  FieldLegend& legend = volume.legend.emplace();
  legend.title = map.title.empty() ? "map" : map.title;
  legend.unit = map.volume->unit;
  if (shows_difference(field)) take_off_colours(request, volume, place, job);
  const double range = fit_colours(field, volume, 1, job);
  legend.upper = range;
  legend.lower = -range;
  legend.colours = red_white_blue_colours();
  const bool error = is_error(*map.volume);
  if (!shows_difference(field) && std::none_of(map.volume->values.begin(), map.volume->values.end(),
                                               [&](float v) { return v < 0 && !(error && v == -1.0f); })) {
    legend.lower = 0;
    legend.colours.erase(legend.colours.begin(),
                         legend.colours.begin() + std::ssize(legend.colours) / 2);  // of both signs
  }
  const SurfaceSamples samples = sampled_surface(field, volume, 4000);
  const auto outside = std::count_if(samples.values.begin(), samples.values.end(), [](double v) { return v != v; });
  if (outside == 0) return;
  if (static_cast<std::size_t>(outside) == samples.values.size() && !error)
    throw Error(fmt::format("the surface is outside of the map {}", legend.title), Error::Kind::usage);
  legend.method +=
      fmt::format("{}white where the map has no value: {:.1f} % of the surface", legend.method.empty() ? "" : "; ",
                  100.0 * static_cast<double>(outside) / static_cast<double>(samples.values.size()));
}

}  // namespace isolume
