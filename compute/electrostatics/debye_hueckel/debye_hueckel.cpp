// Debye-Hückel: checks, the faces of a box, and the choice of the body.
#include "compute/electrostatics/debye_hueckel/debye_hueckel.h"
#include "compute/electrostatics/debye_hueckel/debye_hueckel_bodies.h"

#include <cmath>

#include "compute/base/memory.h"
#include "compute/electrostatics/charges/direct_math.h"
#include "compute/electrostatics/charges/potential_checks.h"
#include "compute/electrostatics/direct/row_sum.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

void check_options(const DebyeHueckelOptions& o) {
  const auto fail = [](const std::string& message) { throw Error("Debye-Hückel: " + message, Error::Kind::usage); };
  if (!(o.ionic_strength >= 0) || !std::isfinite(o.ionic_strength)) {
    fail(fmt::format("an ionic strength of {} mol/l; expected 0 or more", o.ionic_strength));
  }
  if (!(o.temperature > 0) || !std::isfinite(o.temperature)) {
    fail(fmt::format("a temperature of {} K; expected more than 0", o.temperature));
  }
  if (!(o.permittivity >= 1) || !std::isfinite(o.permittivity)) {
    fail(fmt::format("a relative permittivity of {}; expected 1 or more", o.permittivity));
  }
}

void compute(std::span<const ChargedSphere> spheres, std::span<const Grid> grids, const DebyeHueckelOptions& options,
             Span<float> potential, Job& job) {
  check_options(options);
  std::size_t total = 0;
  for (const Grid& grid : grids) {
    check_grid(grid, "Debye-Hückel");
    total += grid.size();
  }
  if (potential.size != total) {
    throw Error(fmt::format("Debye-Hückel: {} values for {} points", potential.size, total), Error::Kind::usage);
  }
  check_finite(spheres, "sphere",
               [](const ChargedSphere& s) { return s.position.x + s.position.y + s.position.z + s.charge + s.radius; });
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    if (spheres[i].radius < 0) {
      throw Error(fmt::format("sphere {}: a radius of {} angstrom", i + 1, spheres[i].radius), Error::Kind::usage);
    }
  }
  const std::size_t parts = potential.device.is_cuda() ? row_sum_bytes(total, spheres.size(), debye_run) : 0;
  constexpr std::size_t of_sphere = 104;  // itself, and its share of the sums of cells
  require_memory(spheres.size() * of_sphere + (std::size_t{1} << 20) + parts, potential.device, "Debye-Hückel");
  job.check();
  if (total == 0) return;
  if (potential.device.is_cuda()) {
    debye_hueckel_cuda(spheres, grids, options, potential, job);
  } else {
    debye_hueckel_cpu(spheres, grids, options, potential, job);
  }
}

}  // namespace

double DebyeHueckelOptions::inverse_debye_length() const {
  const double number = ionic_strength * 1000 * units::avogadro;  // 1/m^3
  const double e2 = units::elementary_charge * units::elementary_charge;
  const double kappa2 =
      2 * e2 * number / (units::vacuum_permittivity * permittivity * units::boltzmann * temperature);  // 1/m^2
  return std::sqrt(kappa2) * 1e-10;
}

void debye_hueckel_potential(std::span<const ChargedSphere> spheres, const Grid& grid,
                             const DebyeHueckelOptions& options, Span<float> potential, Job& job) {
  compute(spheres, {&grid, 1}, options, potential, job);
}

std::array<Grid, 6> debye_hueckel_face_grids(const Grid& grid) {
  std::array<Grid, 6> faces;
  std::size_t at = 0;
  for (int axis = 0; axis < 3; ++axis) {
    for (int side = 0; side < 2; ++side) {
      Grid& face = faces[at++];
      const int u = axis == 0 ? 1 : 0;
      const int v = axis == 2 ? 1 : 2;
      face.origin = grid.origin + grid.step[axis] * static_cast<double>(side * (grid.counts[axis] - 1));
      face.step = glm::dmat3(grid.step[u], grid.step[v], grid.step[axis]);
      face.counts = glm::ivec3(grid.counts[u], grid.counts[v], 1);
    }
  }
  return faces;
}

std::size_t debye_hueckel_face_points(const Grid& grid) {
  std::size_t total = 0;
  for (const Grid& face : debye_hueckel_face_grids(grid)) total += face.size();
  return total;
}

void debye_hueckel_faces(std::span<const ChargedSphere> spheres, const Grid& grid, const DebyeHueckelOptions& options,
                         Span<float> potential, Job& job) {
  check_grid(grid, "Debye-Hückel");
  if (grid.size() == 0) {
    if (potential.size != 0) throw Error("Debye-Hückel: an empty grid has no faces", Error::Kind::usage);
    return;
  }
  const auto faces = debye_hueckel_face_grids(grid);
  compute(spheres, faces, options, potential, job);
}

void debye_hueckel_reference(std::span<const ChargedSphere> spheres, std::span<const glm::dvec3> points,
                             const DebyeHueckelOptions& options, std::span<double> potential) {
  if (points.size() != potential.size()) throw Error("Debye-Hückel: as many values as points are needed");
  const double kappa = options.inverse_debye_length();
  for (std::size_t i = 0; i < points.size(); ++i) {
    double sum = 0;
    for (const ChargedSphere& s : spheres) {
      const double d = glm::distance(points[i], glm::dvec3(s.position));
      if (d < coincidence) continue;
      const double radius = static_cast<double>(s.radius);
      sum += static_cast<double>(s.charge) * std::exp(-kappa * (d - radius)) / ((1 + kappa * radius) * d);
    }
    potential[i] = units::coulomb_volt_angstrom / options.permittivity * sum;
  }
}

}  // namespace isolume
