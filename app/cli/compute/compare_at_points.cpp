// isolume compute compare --at: potentials at points, and the differences to one of them.
#include "app/cli/compute/compare_at_points.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann_points.h"
#include "compute/electrostatics/potential_grid.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

template <class Body>
void timed(std::vector<double>& seconds, int repeats, const Body& body) {
  for (int k = 0; k < repeats; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
}

// Of the errors at all points.
MapError error_of(std::span<const double> errors, std::span<const double> values) {
  MapError error;
  double squares = 0, scale = 0;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    squares += errors[i] * errors[i];
    scale += values[i] * values[i];
    error.max = std::max(error.max, std::abs(errors[i]));
  }
  error.points = errors.size();
  error.rms = std::sqrt(squares / static_cast<double>(errors.size()));
  error.relative = scale > 0 ? std::sqrt(squares / scale) : 0;
  return error;
}

}  // namespace

SideAtPoints method_at_points(Run& run, const PotentialWork& work, const MethodOptions& method,
                              std::span<const glm::dvec3> points, double spacing, int repeats) {
  std::vector<ChargedSphere> spheres = work.charges.spheres;
  set_radii(spheres, method);
  std::vector<glm::dvec3> near(points.begin(), points.end());
  for (glm::dvec3& point : near) point -= work.charges.origin;
  SideAtPoints found;
  PotentialOptions& potential = found.side.potential = potential_of(work, method);
  if (const auto* const pb = std::get_if<PoissonBoltzmannOptions>(&potential)) {
    const Grid grid = solution_grid(spheres, near, spacing);
    run.report.phase("plan");
    PoissonBoltzmannPoints at;
    timed(found.side.seconds, repeats,
          [&] { at = poisson_boltzmann_at(spheres, grid, *pb, near, run.device, run.job()); });
    found.values = at.potential;
    found.side.error = error_of(at.errors, at.potential);
  } else {
    const Grid box{near.front(), glm::dmat3(1.0), glm::ivec3(1)};
    if (chooses_parameters(method)) choose_parameters(chosen_accuracy(method), spheres, box, run.device, potential);
    run.report.phase("plan");
    // The lattices of msm alone are summed on the device.
    const Device device = std::holds_alternative<MsmMethod>(potential) ? run.device : Device::cpu();
    found.values.resize(near.size());
    timed(found.side.seconds, repeats,
          [&] { potential_at(spheres, potential, near, found.values, {}, device, run.job()); });
    const PotentialMethod which = method_of(potential);
    if (which != PotentialMethod::direct && which != PotentialMethod::debye_hueckel)
      found.side.error = measured_error_at(spheres, potential, near, found.values, run.job());
  }
  run.report.phase("compute");
  return found;
}

SideAtPoints map_at_points(const Volume& map, const std::string& file, double unit,
                           std::span<const glm::dvec3> points) {
  SideAtPoints found;
  found.side.file = file;
  std::size_t outside = 0;
  for (const glm::dvec3& point : points) {
    found.values.push_back(unit * map_value(map.grid, map.values, false, point));
    outside += std::isnan(found.values.back()) ? 1 : 0;
  }
  if (outside > 0)
    throw Error(fmt::format("{} of {} points of --at are outside of {}", outside, points.size(), file),
                Error::Kind::usage);
  return found;
}

std::vector<MapDifference> differences_at(std::span<const glm::dvec3> points, std::span<const SideAtPoints> sides,
                                          std::size_t reference) {
  std::vector<MapDifference> all(sides.size());
  for (std::size_t k = 0; k < sides.size(); ++k) {
    if (k == reference) continue;
    std::vector<double> apart;
    for (std::size_t i = 0; i < points.size(); ++i) {
      apart.push_back(sides[k].values[i] - sides[reference].values[i]);
      if (!(std::abs(apart.back()) > all[k].max)) continue;
      all[k].max = std::abs(apart.back());
      all[k].at = points[i];
    }
    const MapError error = error_of(apart, sides[reference].values);
    all[k].rms = error.rms;
    all[k].relative = error.relative;
  }
  return all;
}

void write_sides_at_points(const std::string& out, std::span<const SideAtPoints> sides, std::size_t reference,
                           double factor) {
  std::string text;
  for (std::size_t i = 0; i < sides[reference].values.size(); ++i) {
    std::string line;
    for (const SideAtPoints& side : sides) line += fmt::format("{},", side.values[i] * factor);
    for (std::size_t k = 0; k < sides.size(); ++k)
      if (k != reference) line += fmt::format("{},", (sides[k].values[i] - sides[reference].values[i]) * factor);
    line.back() = '\n';
    text += line;
  }
  if (out.empty()) {
    fmt::print("{}", text);
  } else {
    write_atomically(out, [&](std::ostream& stream) { stream << text; });
  }
}

}  // namespace isolume::cli
