// Surfaces coloured by the electrostatic potential.
#include "app/fields/potential_paint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "app/fields/difference.h"
#include "app/fields/field_memory.h"
#include "compute/analysis/level_sets.h"
#include "compute/analysis/volume_samples.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/orbitals/enclosed_probability.h"
#include "render/represent/diverging_scale.h"

namespace isolume {
namespace {

// Brings a volume to host memory, and says so.
std::vector<float> to_host(const DeviceArray<float>& values, DeviceVolume& volume) {
  if (values.device().is_cuda()) volume.host_bytes += values.size() * sizeof(float);
  return values.copy_to_host();
}

// Where all surfaces of a field are.
struct Surfaces {
  float isovalue = 0;
  SurfaceSide side = SurfaceSide::above;
};

Surfaces surfaces_of(const Field& field, DeviceVolume& volume) {
  double isovalue = volume.sign * effective_isovalue(field);
  if (wraps_atoms(field.kind)) return {static_cast<float>(isovalue), SurfaceSide::above};
  if (field.kind == Field::Kind::orbital && field.enclosed > 0)
    isovalue = volume.sign * enclosed_probability_isovalue(to_host(volume.values, volume), field.enclosed);
  const SurfaceSide side = field.both_signs ? SurfaceSide::magnitude
                           : isovalue < 0   ? SurfaceSide::below
                                            : SurfaceSide::above;
  return {static_cast<float>(std::abs(isovalue)), side};
}

// Values of a field such that they grow from outside to inside of all surfaces.
std::vector<float> growing_inwards(const Surfaces& surfaces, std::vector<float> values) {
  for (float& value : values)
    value = surfaces.side == SurfaceSide::below       ? -value
            : surfaces.side == SurfaceSide::magnitude ? std::abs(value)
                                                      : value;
  return values;
}

// The corners of the cells that the surfaces cut. Those of both signs may cut one cell, all of whose magnitudes are
// beyond the isovalue.
std::vector<std::uint8_t> corners_of(const Surfaces& surfaces, const Grid& grid, std::vector<float> values, Job& job) {
  std::vector<std::uint8_t> corners;
  if (surfaces.side != SurfaceSide::below) corners = corners_at_level(grid, values, surfaces.isovalue, job);
  if (surfaces.side == SurfaceSide::above) return corners;
  for (float& value : values) value = -value;
  const std::vector<std::uint8_t> below = corners_at_level(grid, values, surfaces.isovalue, job);
  if (corners.empty()) return below;
  for (std::size_t i = 0; i < corners.size(); ++i) corners[i] |= below[i];
  return corners;
}

// The potential at a distance outwards from the surfaces, for the grid points whose values colour them; for all where
// these are wanted.
std::vector<float> shifted_outwards(const Field& field, const Surfaces& surfaces, DeviceVolume& volume, Job& job) {
  const PhaseTimer timer("potential: along the normals");
  const std::vector<float> values = to_host(volume.values, volume);
  std::vector<std::uint8_t> at;
  if (!volume.everywhere) at = corners_of(surfaces, volume.grid, values, job);
  return along_normals(volume.grid, growing_inwards(surfaces, values), to_host(volume.scalars, volume),
                       field.paint_offset, at, job);
}

// The grid points whose potentials colour the surfaces, or make the colours there: the corners of the cells that a
// surface cuts, or what these read along their normals. Where they are quickly told: on the CPU.
std::vector<std::uint8_t> points_of_colours(const Field& field, const PotentialPlan& plan, DeviceVolume& volume,
                                            Job& job) {
  const PotentialMethod method = method_of(plan.options);
  const bool by_points = method == PotentialMethod::pb || method == PotentialMethod::hcp;
  if (!by_points || volume.values.device().is_cuda() || volume.slabs || volume.everywhere) return {};
  const PhaseTimer timer("potential: points of the colours");
  const Surfaces surfaces = surfaces_of(field, volume);
  const std::vector<float> values = to_host(volume.values, volume);
  std::vector<std::uint8_t> at = corners_of(surfaces, volume.grid, values, job);
  if (field.paint_offset == 0) return at;
  return read_along_normals(volume.grid, growing_inwards(surfaces, values), field.paint_offset, at, job);
}

// Of the colours where they are seen: with what the grid between its points does to them.
MapError error_at_surface(const Field& field, const PotentialPlan& plan, DeviceVolume& volume, Job& job,
                          FieldPlace& place) {
  const PhaseTimer timer("potential: error at the surface");
  const KeptPotential& kept = place.potential();
  const std::vector<ChargedSphere>& spheres = plan.spheres.empty() ? kept.spheres : plan.spheres;
  SurfaceSamples samples = sampled_surface(field, volume, quick_error_points(spheres.size()) / 2);
  if (samples.places.empty()) return {};
  for (glm::dvec3& place : samples.places) place -= plan.origin;
  return measured_error_on_surface(spheres, plan.options, samples.places, samples.values, plan.device, job, &kept.room);
}

}  // namespace

bool painted_by_potential(const Field& field) {
  return field.kind != Field::Kind::potential && field.paint == Field::Paint::potential;
}

PotentialColours colours_of_potential(const Field& field, const FieldAtoms& atoms, DeviceVolume& volume, Job& job,
                                      FieldPlace& place, Stream* making) {
  const Grid& grid = volume.grid;
  PotentialColours result;
  result.plan = plan_potential(field, atoms, volume.values.device(), grid, &place.potential());
  volume.scalars = place.scalars(grid.size());
  if (!making) result.plan.wanted = points_of_colours(field, result.plan, volume, job);
  result.error = compute_potential(result.plan, volume.scalars.span(), job, &place.potential());
  if (making) making->synchronize("surface density");
  move_outwards(field, volume, job);
  const MapError at_surface = error_at_surface(field, result.plan, volume, job, place);
  result.at_surface = at_surface.points > 0;
  if (result.at_surface) result.error = at_surface;
  return result;
}

void paint_by_potential(const FieldRequest& request, DeviceVolume& volume, Job& job, FieldPlace& place,
                        Stream* making) {
  const Field& field = request.field;
  const PotentialColours own = colours_of_potential(field, *request.atoms, volume, job, place, making);
  volume.legend = potential_legend(field, own.plan, own.error);
  volume.legend->at_surface = own.at_surface;
  if (shows_difference(field)) take_off_colours(request, volume, place, job);
  const double range = fit_colours(field, volume, per_volt(field.potential), job);
  volume.legend->upper = range;
  volume.legend->lower = -range;
  volume.legend->colours = red_white_blue_colours();
}

void move_outwards(const Field& field, DeviceVolume& volume, Job& job) {
  if (field.paint_offset == 0) return;
  const std::vector<float> shifted = shifted_outwards(field, surfaces_of(field, volume), volume, job);
  const Device device = volume.scalars.device();
  copy_memory(volume.scalars.data(), device, shifted.data(), Device::cpu(), shifted.size() * sizeof(float));
  if (device.is_cuda()) volume.host_bytes += shifted.size() * sizeof(float);
}

double fit_colours(const Field& field, DeviceVolume& volume, double factor, Job& job) {
  double range = field.paint_range;
  if (range <= 0) {
    const PhaseTimer timer("field: range of the colours");
    const Surfaces surfaces = surfaces_of(field, volume);
    const DeviceArray<float>&shape = volume.values, &scalars = volume.scalars;
    const double usual =
        magnitude_at_surface(volume.grid, shape.span(), surfaces.isovalue, surfaces.side, scalars.span(), 0.95, job);
    range = round_number(usual * factor);
  }
  volume.scalar_limit = static_cast<float>(range / factor);
  return range;
}

SurfaceSamples sampled_surface(const Field& field, DeviceVolume& volume, std::size_t points) {
  const Surfaces surfaces = surfaces_of(field, volume);
  const DeviceArray<float>&shape = volume.values, &scalars = volume.scalars;
  return surface_samples(volume.grid, shape.span(), surfaces.isovalue, surfaces.side, scalars.span(),
                         field.paint_offset, points);
}

}  // namespace isolume
