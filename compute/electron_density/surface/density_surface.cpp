// The potential of a density on a surface of equal density.
#include "compute/electron_density/surface/density_surface.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "compute/base/device_array.h"
#include "compute/base/memory.h"
#include "compute/isosurface/marching_cubes.h"
#include "compute/orbitals/electron_density.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

/// Angstrom around the nuclei beyond which a density of these magnitudes is below the level: diffuse ones decay as
/// exp(-2 sqrt(2 I) r), I above 0.1 hartree.
double margin_of(double level) {
  return std::clamp(3.0 + 0.6 * std::log10(2e-3 / level), 2.0, 8.0);
}

Mesh first_surface(const Orbitals& orbitals, double level, double spacing, Job& job, Device device) {
  glm::dvec3 lower(1e300), upper(-1e300);
  for (const glm::dvec3& centre : orbitals.centres) {
    lower = glm::min(lower, centre * units::bohr_in_angstrom);
    upper = glm::max(upper, centre * units::bohr_in_angstrom);
  }
  if (lower.x > upper.x) throw Error("a density needs atoms with positions", Error::Kind::input);
  const double margin = margin_of(level);
  const Grid grid = Grid::covering(lower - margin, upper + margin, spacing);
  require_memory(grid.size() * sizeof(float) + density_memory(orbitals), device, "surface of the density");
  DeviceArray<float> values(grid.size(), device, "surface of the density");
  electron_density(orbitals, DensityKind::electron, grid, values.span(), job);
  MarchingCubesOptions options;
  options.isovalue = static_cast<float>(level);
  Mesh mesh = marching_cubes(std::as_const(values).span(), grid, options, {}, job);
  if (mesh.triangles.empty())
    throw Error(fmt::format("the density is nowhere {:g} electrons per cubic bohr", level), Error::Kind::input);
  return mesh;
}

}  // namespace

DensitySurface density_surface(const Orbitals& orbitals, const DensityPotential& potential, double level,
                               double spacing, Job& job, Device device) {
  DensitySurface result;
  result.mesh = first_surface(orbitals, level, spacing, job, device);
  const DensityEvaluator density(orbitals, density_weights(orbitals, DensityKind::electron));
  std::vector<glm::dvec3> points;
  for (const glm::vec3& position : result.mesh.positions)
    points.push_back(units::angstrom_in_bohr * glm::dvec3(position));
  // Near the surface the logarithm of the density is almost linear: two steps are enough.
  constexpr int most_steps = 4;
  const double farthest = 0.5 * spacing * units::angstrom_in_bohr;
  for (int step = 0; step <= most_steps; ++step) {
    const auto at = density.at(points, DensityOrder::gradient, job, device);
    result.residual = 0;
    for (const DensityDerivatives& d : at)
      result.residual = std::max(result.residual, std::abs(d.density - level) / level);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double slope = glm::length(at[i].gradient);
      if (!(slope > 0) || !(at[i].density > 0)) continue;
      const glm::dvec3 outwards = -at[i].gradient / slope;
      result.mesh.normals[i] = glm::vec3(outwards);
      const double move = std::log(at[i].density / level) * at[i].density / slope;
      if (step < most_steps) points[i] += std::clamp(move, -farthest, farthest) * outwards;
    }
    if (result.residual < 1e-10) break;
  }
  for (std::size_t i = 0; i < points.size(); ++i)
    result.mesh.positions[i] = glm::vec3(units::bohr_in_angstrom * points[i]);
  result.potential.resize(points.size());
  potential.at(points, result.potential, {}, job, device);
  return result;
}

}  // namespace isolume
