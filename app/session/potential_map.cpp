// The electrostatic potential by any of the methods.
#include "app/session/potential_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/session/device_volume.h"
#include "app/session/frames.h"
#include "compute/potential/ewald_reference.h"
#include "compute/potential/ewald_sum.h"
#include "compute/potential/fast_direct.h"
#include "molecule/error.h"

namespace isolume {
namespace {

std::vector<PointCharge> points_of(std::span<const ChargedSphere> spheres, double divisor = 1.0) {
  std::vector<PointCharge> charges;
  charges.reserve(spheres.size());
  for (const ChargedSphere& s : spheres)
    charges.push_back({s.position, static_cast<float>(static_cast<double>(s.charge) / divisor)});
  return charges;
}

bool periodic(const PotentialOptions& options) {
  const auto& axes = options.msm.periodic;
  return options.method == PotentialMethod::msm && (axes[0] || axes[1] || axes[2]);
}

bool sigmoidal(const PotentialOptions& options) {
  return options.dielectric.kind == Dielectric::Kind::sigmoidal;
}

bool fast(const PotentialOptions& options) {
  return options.method == PotentialMethod::direct && options.fast_accuracy > 0 && !sigmoidal(options);
}

// By what the charges are divided; pair by pair where the dielectric depends on the distance.
double divisor(const PotentialOptions& options) {
  return options.method == PotentialMethod::debye_hueckel || sigmoidal(options) ? 1.0 : options.dielectric.bulk;
}

void check(const PotentialOptions& options) {
  const Dielectric& d = options.dielectric;
  if (!(d.bulk >= 1) || !std::isfinite(d.bulk))
    throw Error(fmt::format("a dielectric constant of {}; expected 1 or more", d.bulk), Error::Kind::usage);
  if (options.method == PotentialMethod::msm && sigmoidal(options))
    throw Error("msm sums 1/r, so its dielectric is constant; direct and cutoff take the sigmoidal one",
                Error::Kind::usage);
}

// A cutoff sum that reaches from every charge to every point.
CutoffOptions everything(std::span<const ChargedSphere> spheres, const Dielectric& dielectric,
                         std::span<const glm::dvec3> points) {
  glm::dvec3 lower(1e300), upper(-1e300);
  const auto include = [&](glm::dvec3 p) {
    lower = glm::min(lower, p);
    upper = glm::max(upper, p);
  };
  for (const ChargedSphere& s : spheres) include(glm::dvec3(s.position));
  for (const glm::dvec3& p : points) include(p);
  CutoffOptions options;
  options.form = CutoffForm::plain;
  options.cutoff = glm::length(upper - lower) + 1;
  options.dielectric = dielectric;
  return options;
}

std::vector<glm::dvec3> corners(const Grid& grid) {
  std::vector<glm::dvec3> points;
  for (int c = 0; c < 8; ++c)
    points.push_back(
        grid.point(c & 1 ? grid.counts.x - 1 : 0, c & 2 ? grid.counts.y - 1 : 0, c & 4 ? grid.counts.z - 1 : 0));
  return points;
}

CutoffOptions cutoff_of(std::span<const ChargedSphere> spheres, const Grid& grid, const PotentialOptions& options) {
  if (options.method == PotentialMethod::direct) return everything(spheres, options.dielectric, corners(grid));
  CutoffOptions cutoff = options.cutoff;
  cutoff.dielectric = options.dielectric;
  return cutoff;
}

}  // namespace

std::vector<ChargedSphere> charged_spheres(const FieldRequest& request) {
  const std::vector<PointCharge> charges = point_charges(request);
  const std::vector<float> radii = charge_radii(request);
  std::vector<ChargedSphere> spheres;
  spheres.reserve(charges.size());
  for (std::size_t i = 0; i < charges.size(); ++i)
    spheres.push_back({charges[i].position, charges[i].charge, std::max(0.0f, radii[i])});
  return spheres;
}

Grid potential_map_grid(const FieldRequest& request, std::span<const ChargedSphere> spheres,
                        const PotentialOptions& options) {
  const auto& axes = options.msm.periodic;
  const bool cell = periodic(options) && axes[0] && axes[1] && axes[2];
  if (request.grid || !cell || !options.msm.cell.exists() || spheres.empty()) return potential_grid(request, spheres);
  const glm::dvec3 lengths = options.msm.cell.lengths();
  double spacing = request.field.spacing;
  if (spacing <= 0) spacing = std::ceil(std::clamp(std::cbrt(options.msm.cell.volume() / 2.5e5), 0.2, 4.0) * 100) / 100;
  Grid grid;
  double points = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const double count = std::max(1.0, std::ceil(lengths[axis] / spacing - 1e-9));
    points *= count;
    if (!(points < 4294967296.0))
      throw Error(fmt::format("a spacing of {} angstrom in this cell makes more than 2^32 points", spacing),
                  Error::Kind::usage);
    grid.counts[axis] = static_cast<int>(count);
    grid.step[axis] = options.msm.cell.vectors[axis] / count;
  }
  return grid;
}

std::size_t potential_map_memory(std::span<const ChargedSphere> spheres, const Grid& grid,
                                 const PotentialOptions& options, Device device) {
  check(options);
  const std::size_t map = grid.size() * sizeof(float);
  switch (options.method) {
    case PotentialMethod::direct:
      if (fast(options)) return map + fast_direct_memory(spheres.size(), grid, {options.fast_accuracy}, device);
      if (!sigmoidal(options)) return map + direct_potential_memory(spheres.size(), grid, device);
      [[fallthrough]];
    case PotentialMethod::cutoff:
      return map + cutoff_potential_memory(spheres.size(), grid, cutoff_of(spheres, grid, options), device);
    case PotentialMethod::msm:
      return map + msm_potential_memory(points_of(spheres), grid, options.msm, device);
    case PotentialMethod::debye_hueckel:
      return map + 2 * spheres.size() * sizeof(ChargedSphere);
  }
  return map;
}

void potential_map(std::span<const ChargedSphere> spheres, const Grid& grid, const PotentialOptions& options,
                   Span<float> potential, Job& job) {
  check(options);
  const auto charges = points_of(spheres, divisor(options));
  switch (options.method) {
    case PotentialMethod::direct:
      if (fast(options)) return fast_direct_potential(charges, grid, {options.fast_accuracy}, potential, job);
      if (!sigmoidal(options)) return direct_potential(charges, grid, potential, job);
      [[fallthrough]];
    case PotentialMethod::cutoff: {
      CutoffOptions cutoff = cutoff_of(spheres, grid, options);
      if (!sigmoidal(options)) cutoff.dielectric = {};  // the charges are divided already
      return cutoff_potential(charges, grid, cutoff, potential, job);
    }
    case PotentialMethod::msm:
      return msm_potential(charges, grid, options.msm, potential, job);
    case PotentialMethod::debye_hueckel:
      return debye_hueckel_potential(spheres, grid, options.debye_hueckel, potential, job);
  }
}

void potential_at(std::span<const ChargedSphere> spheres, const PotentialOptions& options,
                  std::span<const glm::dvec3> points, std::span<double> potential) {
  check(options);
  if (options.method == PotentialMethod::msm)
    throw Error("msm computes maps; direct, cutoff and debye-hueckel compute at points", Error::Kind::usage);
  if (options.method != PotentialMethod::cutoff) return potential_exact(spheres, options, points, potential);
  CutoffOptions cutoff = options.cutoff;
  cutoff.dielectric = options.dielectric;
  cutoff_potential_reference(points_of(spheres), points, cutoff, potential);
}

void potential_exact(std::span<const ChargedSphere> spheres, const PotentialOptions& options,
                     std::span<const glm::dvec3> points, std::span<double> potential) {
  if (options.method == PotentialMethod::debye_hueckel)
    return debye_hueckel_reference(spheres, points, options.debye_hueckel, potential);
  const auto charges = points_of(spheres);
  if (sigmoidal(options))
    return cutoff_potential_reference(charges, points, everything(spheres, options.dielectric, points), potential);
  if (periodic(options)) {
    ewald_potential_reference(charges, options.msm.cell, options.msm.periodic, points, potential);
  } else {
    direct_potential_reference(charges, points, potential);
  }
  for (double& value : potential) value /= options.dielectric.bulk;
}

const char* exact_name(const PotentialOptions& options) {
  if (options.method == PotentialMethod::debye_hueckel)
    return "double-precision sum of the screened charges at sampled points";
  if (periodic(options)) return "double-precision Ewald sum at sampled points";
  return "direct double-precision sum over all charges at sampled points";
}

std::size_t quick_error_points(std::size_t charges) {
  return std::clamp<std::size_t>(20'000'000 / std::max<std::size_t>(1, charges), 60, 1000);
}

MapError potential_map_error(std::span<const ChargedSphere> spheres, const Grid& grid, const PotentialOptions& options,
                             std::span<const float> values, Job& job, std::size_t points) {
  const auto charges = points_of(spheres);
  const auto& axes = options.msm.periodic;
  if (periodic(options) && axes[0] && axes[1] && axes[2]) {
    const EwaldSum sum(charges, options.msm.cell, points, job);
    return potential_error(
        charges, grid, values,
        [&](std::span<const glm::dvec3> at, std::span<double> exact) {
          sum(at, exact);
          for (double& value : exact) value /= options.dielectric.bulk;
        },
        points, 1, job);
  }
  if (periodic(options)) {  // sums over layers and lines: a pair takes some microseconds
    points = std::min(points, std::clamp<std::size_t>(400'000 / std::max<std::size_t>(1, spheres.size()), 20, 1000));
  }
  return potential_error(
      charges, grid, values,
      [&](std::span<const glm::dvec3> at, std::span<double> exact) { potential_exact(spheres, options, at, exact); },
      points, 1, job);
}

double choose_msm(double accuracy, std::span<const ChargedSphere> spheres, const Grid& grid, Device device,
                  PotentialOptions& options) {
  const MsmPlanned planned = plan_msm(accuracy, points_of(spheres), grid, device, options.msm);
  options.msm = planned.options;
  return planned.expected_error;
}

PotentialOptions basic_options(const PotentialSettings& settings, const Cell& cell) {
  PotentialOptions options;
  const bool wants_cell = settings.periodic && (settings.method == PotentialSettings::Method::automatic ||
                                                settings.method == PotentialSettings::Method::msm);
  if (wants_cell && !cell.exists())
    throw Error("periodic: this frame has no cell; turn it off, or open a file that has one", Error::Kind::usage);
  if (settings.medium == PotentialSettings::Medium::sigmoidal) {
    if (settings.method == PotentialSettings::Method::msm || wants_cell)
      throw Error(
          "the sigmoidal dielectric goes with the direct and the cutoff sum; multilevel summation takes a "
          "constant",
          Error::Kind::usage);
    options.dielectric = Dielectric::sigmoidal();
  } else {
    options.dielectric = Dielectric::constant(settings.dielectric);
  }
  switch (settings.method) {
    case PotentialSettings::Method::automatic:
      options.method = wants_cell ? PotentialMethod::msm : PotentialMethod::direct;
      break;
    case PotentialSettings::Method::direct:
      break;
    case PotentialSettings::Method::cutoff:
      options.method = PotentialMethod::cutoff;
      break;
    case PotentialSettings::Method::msm:
      options.method = PotentialMethod::msm;
      break;
    case PotentialSettings::Method::debye_hueckel:
      options.method = PotentialMethod::debye_hueckel;
      break;
  }
  options.cutoff.cutoff = settings.cutoff;
  if (wants_cell) {
    options.msm.periodic = {true, true, true};
    options.msm.cell = cell;
  }
  options.debye_hueckel = {settings.ionic_strength, settings.temperature, settings.solvent_dielectric};
  return options;
}

PotentialOptions settled_options(const PotentialSettings& settings, const Cell& cell,
                                 std::span<const ChargedSphere> spheres, const Grid& grid, Device device) {
  PotentialOptions options = basic_options(settings, cell);
  const bool automatic = settings.method == PotentialSettings::Method::automatic;
  const double quick_pairs = device.is_cuda() ? 1e12 : 1e10;  // in about a second
  if (automatic && options.method == PotentialMethod::direct && !sigmoidal(options) &&
      static_cast<double>(spheres.size()) * static_cast<double>(grid.size()) > quick_pairs) {
    options.method = PotentialMethod::msm;
  }
  if (options.method == PotentialMethod::msm) choose_msm(settings.accuracy, spheres, grid, device, options);
  return options;
}

std::string describe(const PotentialOptions& options) {
  const Dielectric& d = options.dielectric;
  std::string medium = "vacuum";
  if (sigmoidal(options)) {
    medium = fmt::format("sigmoidal dielectric (D = {:g}, S = {:g}/A)", d.bulk, d.slope);
  } else if (d.bulk != 1) {
    medium = fmt::format("dielectric constant {:g}", d.bulk);
  }
  const CutoffOptions& c = options.cutoff;
  const DebyeHueckelOptions& h = options.debye_hueckel;
  switch (options.method) {
    case PotentialMethod::direct:
      if (fast(options))
        return fmt::format("direct sum with far charges interpolated, to {:g}, {}", options.fast_accuracy, medium);
      return "direct sum, " + medium;
    case PotentialMethod::cutoff:
      if (c.form == CutoffForm::switched)
        return fmt::format("cutoff at {:g} A, switched from {:g} A, {}", c.cutoff, c.switching, medium);
      return fmt::format("cutoff at {:g} A, {}, {}", c.cutoff, c.form == CutoffForm::plain ? "plain" : "shifted",
                         medium);
    case PotentialMethod::msm:
      return fmt::format("multilevel summation, {}, {}", isolume::describe(options.msm), medium);
    case PotentialMethod::debye_hueckel:
      return fmt::format("Debye-Hueckel, {:g} mol/l, {:g} K, dielectric constant {:g}", h.ionic_strength, h.temperature,
                         h.permittivity);
  }
  return {};
}

}  // namespace isolume
