// The potential and the field of Poisson-Boltzmann at points.
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compute/electrostatics/poisson_boltzmann/pb_boxes.h"
#include "compute/electrostatics/poisson_boltzmann/pb_kept.h"
#include "compute/electrostatics/poisson_boltzmann/pb_media.h"
#include "compute/electrostatics/poisson_boltzmann/pb_problem.h"
#include "compute/electrostatics/poisson_boltzmann/pb_stage.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

/// A solution, and the depth below the dielectric surface where some point needs it.
struct Nodes : PbKept {
  explicit Nodes(PoissonBoltzmannStart& start) : PbKept(start) {}
  std::vector<float> depth;
};

/// The eight nodes about a point and their weights.
struct About {
  std::size_t node[8];
  double weight[8];

  About(const Nodes& nodes, glm::dvec3 point) {
    const glm::dvec3 at = (point - nodes.origin) / nodes.step;
    const glm::ivec3 low = glm::clamp(glm::ivec3(glm::floor(at)), glm::ivec3(0), nodes.counts - 2);
    const glm::dvec3 part = glm::clamp(at - glm::dvec3(low), 0.0, 1.0);
    for (int c = 0; c < 8; ++c) {
      node[c] = nodes.index(low + glm::ivec3(c & 1, c >> 1 & 1, c >> 2));
      weight[c] = (c & 1 ? part.x : 1 - part.x) * (c >> 1 & 1 ? part.y : 1 - part.y) * (c >> 2 ? part.z : 1 - part.z);
    }
  }
};

/// Depth below the surface at which the solute begins, at all nodes.
void find_depth(Nodes& nodes, std::span<const ChargedSphere> atoms, const PoissonBoltzmannOptions& o, Job& job) {
  PbBox box;
  box.origin = nodes.origin;
  box.step = nodes.step;
  box.counts = nodes.counts;
  nodes.depth.resize(nodes.solution.size());
  // Of splines: the spheres whose inside is all solute.
  std::vector<DensityAtom> spheres = pb_surface_atoms(atoms);
  const bool spline = o.boundary == DielectricBoundary::spline;
  if (spline) {
    for (DensityAtom& sphere : spheres) sphere.radius -= static_cast<float>(o.width);
    std::erase_if(spheres, [](const DensityAtom& sphere) { return !(sphere.radius > 0); });
  }
  const MolecularSurfaceOptions surface =
      spline ? MolecularSurfaceOptions{SolventSurface::accessible, 0} : pb_dielectric_surface(o);
  molecular_surface(spheres, box.grid(), surface, Span<float>(nodes.depth), {}, job);
  if (o.boundary == DielectricBoundary::smooth)
    for (float& depth : nodes.depth) depth -= static_cast<float>(o.width / 2);
}

/// Of the potential itself at all eight nodes: where it has no bend, as in the Gaussian dielectric.
double mean_potential(const Nodes& nodes, const About& about, std::span<const ChargedSphere> atoms,
                      const PoissonBoltzmannOptions& o) {
  const std::vector<ChargedSphere> screened = pb_screened(atoms, o);
  const double unit = pb_bjerrum(o) / o.solute_permittivity;
  double sum = 0;
  for (int c = 0; c < 8; ++c) {
    const std::size_t node = about.node[c];
    double value = nodes.solution[node];
    if (nodes.inside[node]) {
      const auto nx = static_cast<std::size_t>(nodes.counts.x), ny = static_cast<std::size_t>(nodes.counts.y);
      const glm::dvec3 place = nodes.origin + nodes.step * glm::dvec3(node % nx, node / nx % ny, node / (nx * ny));
      for (const ChargedSphere& atom : screened.empty() ? atoms : std::span<const ChargedSphere>(screened))
        if (atom.charge != 0)
          value +=
              unit * static_cast<double>(atom.charge) / std::max(1e-4, glm::distance(place, glm::dvec3(atom.position)));
    }
    sum += about.weight[c] * value;
  }
  return sum;
}
/// Of one solution: kT/e, and the gradient where it is asked for.
struct AtPoints {
  std::vector<double> values;
  std::vector<glm::dvec3> slopes;
};
AtPoints values_at(Nodes& nodes, std::span<const ChargedSphere> atoms, const PoissonBoltzmannOptions& o,
                   std::span<const glm::dvec3> points, std::span<const double> coulomb,
                   std::span<const glm::dvec3> coulomb_slopes, Job& job) {
  AtPoints result;
  std::vector<double>& values = result.values;
  const auto add_slope = [&](std::size_t i, bool inside) {
    if (!coulomb_slopes.empty())
      result.slopes.push_back(nodes.fitted_slope(points[i], inside) + (inside ? coulomb_slopes[i] : glm::dvec3(0)));
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const About about(nodes, points[i]);
    int within = 0;
    for (const std::size_t node : about.node) within += nodes.inside[node] != 0;
    bool inside = within == 8;
    if (within > 0 && within < 8 && o.boundary == DielectricBoundary::gaussian) {
      values.push_back(mean_potential(nodes, about, atoms, o));
      add_slope(i, within >= 4);
      continue;
    } else if (within > 0 && within < 8) {
      if (nodes.depth.empty()) find_depth(nodes, atoms, o, job);
      double depth = 0;
      for (int c = 0; c < 8; ++c) depth += about.weight[c] * static_cast<double>(nodes.depth[about.node[c]]);
      inside = depth > 0;
    }
    double sum = 0, total = 0;
    for (int c = 0; c < 8; ++c) {
      if ((nodes.inside[about.node[c]] != 0) != inside) continue;
      sum += about.weight[c] * nodes.solution[about.node[c]];
      total += about.weight[c];
    }
    values.push_back((total > 0 ? sum / total : 0) + (inside ? coulomb[i] : 0.0));
    add_slope(i, inside);
  }
  return result;
}

}  // namespace

PoissonBoltzmannPoints poisson_boltzmann_at(std::span<const ChargedSphere> atoms, const Grid& grid,
                                            const PoissonBoltzmannOptions& options, std::span<const glm::dvec3> points,
                                            Device device, Job& job, bool with_field) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const glm::dvec3 at = grid.coordinates(points[i]);
    if (glm::any(glm::lessThan(at, glm::dvec3(-1e-6))) ||
        glm::any(glm::greaterThan(at, glm::dvec3(grid.counts - 1) + 1e-6)))
      throw Error(fmt::format("Poisson-Boltzmann: point {} at ({:.2f}, {:.2f}, {:.2f}) is outside of the grid", i + 1,
                              points[i].x, points[i].y, points[i].z),
                  Error::Kind::usage);
  }
  PoissonBoltzmannPoints result;
  std::vector<double> coulomb(points.size());
  const std::vector<ChargedSphere> screened = pb_screened(atoms, options);
  const std::span<const ChargedSphere> charges = screened.empty() ? atoms : std::span<const ChargedSphere>(screened);
  std::vector<glm::dvec3> slopes(with_field ? points.size() : 0);
  pb_coulomb(charges, points, coulomb, slopes, job);
  const double unit = pb_bjerrum(options) / options.solute_permittivity;
  for (double& value : coulomb) value *= unit;
  for (glm::dvec3& slope : slopes) slope *= unit;
  Span<float> none;
  none.device = device;
  const double volts = units::thermal_voltage(options.temperature);
  PoissonBoltzmannOptions both = options;
  both.estimate_error = true;
  PoissonBoltzmannStart fine, coarse;
  result.solved = pb_solve_boxes(atoms, grid, both, none, job, &fine, &coarse);
  const auto read = [&](PoissonBoltzmannStart& start) {
    Nodes nodes(start);
    AtPoints at = values_at(nodes, atoms, options, points, coulomb, slopes, job);
    for (double& value : at.values) value *= volts;
    for (glm::dvec3& slope : at.slopes) slope *= -volts;
    return at;
  };
  AtPoints at = read(fine);
  const AtPoints other = read(coarse);
  for (std::size_t i = 0; i < points.size(); ++i) result.errors.push_back(std::abs(at.values[i] - other.values[i]));
  for (std::size_t i = 0; i < at.slopes.size(); ++i)
    result.field_errors.push_back(glm::distance(at.slopes[i], other.slopes[i]));
  result.potential = std::move(at.values);
  result.field = std::move(at.slopes);
  return result;
}

}  // namespace isolume
