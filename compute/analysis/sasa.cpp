// Solvent-accessible area: checks, and the choice of the body.
#include "compute/analysis/sasa.h"

#include <algorithm>
#include <cmath>

#include "compute/analysis/sasa_body.h"
#include "compute/base/checks.h"
#include "compute/base/memory.h"

namespace isolume {
namespace {

void check(std::span<const SasaAtom> atoms, const SasaOptions& options, std::size_t areas) {
  if (!(options.probe_radius >= 0) || !std::isfinite(options.probe_radius) || options.points < 12 ||
      options.points > 1'000'000)
    throw Error(fmt::format("solvent-accessible area: a probe of 0 or more and 12 to 1 000 000 points are needed, not "
                            "{} angstrom and {} points",
                            options.probe_radius, options.points),
                Error::Kind::usage);
  if (areas != atoms.size())
    throw Error(fmt::format("solvent-accessible area: {} values for {} atoms", areas, atoms.size()),
                Error::Kind::usage);
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const SasaAtom& a = atoms[i];
    if (a.radius > 0 && std::isfinite(a.radius + a.position.x + a.position.y + a.position.z)) continue;
    throw Error(fmt::format("atom {}: a radius above 0 and finite coordinates are needed, not {} at ({}, {}, {})",
                            i + 1, a.radius, a.position.x, a.position.y, a.position.z),
                Error::Kind::usage);
  }
}

}  // namespace

void solvent_accessible_area(std::span<const SasaAtom> atoms, const SasaOptions& options, Span<float> areas, Job& job) {
  check(atoms, options, areas.size);
  require_memory(atoms.size() * 64 + static_cast<std::size_t>(options.points) * 16, areas.device,
                 "solvent-accessible area");
  job.check();
  if (atoms.empty()) return;
  if (areas.device.is_cuda()) {
    solvent_accessible_area_cuda(atoms, options, areas, job);
  } else {
    solvent_accessible_area_cpu(atoms, options, areas, job);
  }
}

BallCells sasa_cells(std::span<const SasaAtom> atoms, const SasaOptions& options) {
  std::vector<Ball> balls;
  balls.reserve(atoms.size());
  float largest = 0;
  for (const SasaAtom& atom : atoms) {
    balls.push_back({atom.position.x, atom.position.y, atom.position.z, atom.radius + options.probe_radius});
    largest = std::max(largest, balls.back().radius);
  }
  return sort_into_cells(balls, 2 * static_cast<double>(largest));
}

std::vector<glm::dvec3> sphere_points(int count) {
  std::vector<glm::dvec3> points;
  points.reserve(static_cast<std::size_t>(std::max(count, 0)));
  const double turn = 3.14159265358979323846 * (3 - std::sqrt(5.0));
  for (int i = 0; i < count; ++i) {
    const double z = 1 - (2.0 * i + 1) / count;
    const double r = std::sqrt(1 - z * z);
    points.emplace_back(r * std::cos(turn * i), r * std::sin(turn * i), z);
  }
  return points;
}

}  // namespace isolume
