// The electron density of a frame as its critical points and bond paths, instead of surfaces.
#include "app/fields/bond_path_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "app/documents/derived.h"
#include "app/documents/frames.h"
#include "app/fields/field_result.h"
#include "compute/base/memory.h"
#include "compute/electron_density/topology/critical_points.h"
#include "compute/electron_density/topology/interatomic_surfaces.h"
#include "compute/orbitals/electron_density.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr double least_density = 1e-4;      // bohr^-3: what holds molecules together is well above
constexpr double at_nucleus = 0.5;          // bohr; maxima farther from their atom are drawn
constexpr float ball = 0.2f, tube = 0.06f;  // radii, angstrom; balls are larger than sticks

/// The colours that Multiwfn's users know: purple, orange, yellow, green.
struct Kind {
  const char* name;
  const char* one;
  const char* more;
  glm::u8vec4 colour;
};
constexpr Kind kinds[] = {{"Maximum of the density", "maximum", "maxima", {148, 80, 190, 255}},
                          {"Bond point", "bond point", "bond points", {235, 120, 20, 255}},
                          {"Ring point", "ring point", "ring points", {240, 205, 30, 255}},
                          {"Cage point", "cage point", "cage points", {60, 165, 75, 255}}};
constexpr glm::u8vec4 path_colour{150, 110, 70, 255}, surface_colour{120, 150, 190, 255};
constexpr double surface_density = 1e-3;  // bohr^-3, where the surfaces between atoms end

glm::vec3 in_angstrom(glm::dvec3 bohr) {
  return glm::vec3(units::bohr_in_angstrom * bohr);
}

bool is_drawn(const CriticalPoint& point, std::span<const glm::dvec3> centres) {
  if (point.kind != CriticalKind::nucleus) return true;
  return point.atoms[0] < 0 ||
         glm::distance(centres[static_cast<std::size_t>(point.atoms[0])], point.position) > at_nucleus;
}

Spheres balls_of(const CriticalPoints& all, std::span<const glm::dvec3> centres) {
  Spheres balls;
  for (const CriticalPoint& point : all.points) {
    if (!is_drawn(point, centres)) continue;
    balls.spheres.emplace_back(in_angstrom(point.position), ball);
    balls.colours.push_back(kinds[static_cast<std::size_t>(point.kind)].colour);
    balls.parts.push_back(0);
  }
  return balls;
}

Cylinders tubes_of(const CriticalPoints& all) {
  Cylinders tubes;
  tubes.round_ends = true;
  for (const CriticalPoint& point : all.points)
    for (std::size_t i = 1; i < point.trace.size(); ++i)
      tubes.cylinders.push_back({in_angstrom(point.trace[i - 1]), in_angstrom(point.trace[i]), tube});
  tubes.colours_a.assign(tubes.cylinders.size(), path_colour);
  tubes.colours_b = tubes.colours_a;
  tubes.parts_a.assign(tubes.cylinders.size(), 0);
  tubes.parts_b = tubes.parts_a;
  return tubes;
}

FieldLegend legend_of_kinds(const CriticalPoints& all, std::span<const glm::dvec3> centres) {
  FieldLegend legend;
  legend.title = "Critical points of the density";
  for (std::size_t k = 0; k < std::size(kinds); ++k) {
    const bool any = std::ranges::any_of(all.points, [&](const CriticalPoint& point) {
      return static_cast<std::size_t>(point.kind) == k && is_drawn(point, centres);
    });
    if (any) legend.entries.emplace_back(kinds[k].name, glm::vec3(kinds[k].colour) / 255.0f);
  }
  return legend;
}

std::string counts_of(const CriticalPoints& all) {
  std::string text;
  for (std::size_t k = 0; k < std::size(kinds); ++k) {
    const std::size_t count = all.count(static_cast<CriticalKind>(k));
    if (count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, count == 1 ? kinds[k].one : kinds[k].more);
  }
  return text;
}

}  // namespace

FieldResult bond_paths_result(const FieldRequest& request, Job& job) {
  const auto begin = std::chrono::steady_clock::now();
  FieldResult result = result_of(request);
  const auto orbitals = orbitals_of(*request.molecule, request.frame);
  if (orbitals->electron_count() == 0)
    throw Error("critical points: no orbital of this frame is occupied", Error::Kind::usage);
  const DensityEvaluator density(*orbitals, density_weights(*orbitals, DensityKind::electron));
  require_memory(density.memory(), request.device, "critical points");
  result.predicted_bytes = density.memory();
  const CriticalPoints all =
      critical_points(density, orbitals->centres, job, least_density, request.device, /*traces=*/true);
  job.check();
  Spheres balls = balls_of(all, orbitals->centres);
  Cylinders tubes = tubes_of(all);
  result.legend = legend_of_kinds(all, orbitals->centres);
  result.host_bytes =
      balls.spheres.size() * (sizeof(glm::vec4) + 8) + tubes.cylinders.size() * (sizeof(Cylinders::Cylinder) + 16);
  if (!balls.spheres.empty()) add_item(result, request.field, std::move(balls));
  if (!tubes.cylinders.empty()) add_item(result, request.field, std::move(tubes));
  if (request.field.interatomic) {
    for (Mesh& mesh : interatomic_surfaces(density, all, surface_density, job, request.device)) {
      if (mesh.triangles.empty()) continue;
      result.host_bytes += mesh.vertex_count() * 2 * sizeof(glm::vec3) + mesh.triangles.size() * sizeof(glm::uvec3);
      Surface surface;
      surface.mesh = std::make_shared<const Mesh>(std::move(mesh));
      surface.colour = surface_colour;
      Field shown = request.field;
      shown.opacity *= interatomic_opacity;
      add_item(result, shown, std::move(surface));
    }
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result.summary = fmt::format(
      "critical points of the density: {}; Poincare-Hopf sum {}{}, {:.0f} ms, {}", counts_of(all), all.poincare_hopf(),
      all.poincare_hopf() == 1 ? "" : " (1 where none is missing)", result.seconds * 1000, to_string(request.device));
  return result;
}

}  // namespace isolume
