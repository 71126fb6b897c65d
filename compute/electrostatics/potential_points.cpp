// The potential at points, exactly and by the methods.
#include <algorithm>
#include <cmath>
#include <functional>

#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/direct/exact_sum.h"
#include "compute/electrostatics/everything_cutoff.h"
#include "compute/electrostatics/ewald/ewald_reference.h"
#include "compute/electrostatics/ewald/ewald_sum.h"
#include "compute/electrostatics/method.h"
#include "compute/electrostatics/potential_field.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

using Points = std::span<const glm::dvec3>;

/// Calls body(points, potential, field) for runs of the points, on all threads.
void in_runs(Points points, std::span<double> potential, std::span<glm::dvec3> field, std::size_t run, Job& job,
             const std::function<void(Points, std::span<double>, std::span<glm::dvec3>)>& body) {
  parallel_for((points.size() + run - 1) / run, job, "potential at points", [&](std::size_t i) {
    const std::size_t begin = i * run;
    const std::size_t count = std::min(run, points.size() - begin);
    body(points.subspan(begin, count), potential.subspan(begin, count),
         field.empty() ? field : field.subspan(begin, count));
  });
}

/// A box around points, with some room.
Grid box_around(Points points) {
  glm::dvec3 lower(points.front()), upper(points.front());
  for (const glm::dvec3& p : points) {
    lower = glm::min(lower, p);
    upper = glm::max(upper, p);
  }
  Grid grid;
  grid.counts = glm::ivec3(2);
  grid.origin = lower - 0.5;
  for (int axis = 0; axis < 3; ++axis) {
    grid.step[axis] = glm::dvec3(0);
    grid.step[axis][axis] = upper[axis] - lower[axis] + 1;
  }
  return grid;
}

void hcp_at(std::span<const PointCharge> charges, const HcpMethod& method, Points points, std::span<double> potential,
            std::span<glm::dvec3> field) {
  std::vector<glm::dvec4> values(points.size());
  hcp_reference(charges, *method.parts, points, method.hcp, values);
  for (std::size_t i = 0; i < points.size(); ++i) {
    potential[i] = values[i].w;
    if (!field.empty()) field[i] = glm::dvec3(values[i]);
  }
}

}  // namespace

void potential_at(std::span<const ChargedSphere> spheres, const PotentialOptions& options, Points points,
                  std::span<double> potential, std::span<glm::dvec3> field, Device device, Job& job) {
  check_options(options);
  if (points.empty()) return;
  const std::vector<PointCharge> charges =
      point_charges_of(spheres, std::holds_alternative<MsmMethod>(options) ? charge_divisor(options) : 1.0);
  constexpr std::size_t run = 128;
  switch (method_of(options)) {
    case PotentialMethod::automatic:
      return;
    case PotentialMethod::msm:
      return MsmField(charges, box_around(points), std::get<MsmMethod>(options).msm, device, job)
          .at(points, potential, field, job);
    case PotentialMethod::spme: {
      const auto& [spme, cell, dielectric, fixed] = std::get<SpmeMethod>(options);
      spme_field(charges, points, cell, spme, potential, field, job);
      for (double& value : potential) value /= dielectric;
      for (glm::dvec3& value : field) value /= dielectric;
      return;
    }
    case PotentialMethod::hcp:
      // The centres of the parts are found again for every run.
      return in_runs(points, potential, field, std::max<std::size_t>(run, points.size() / 16 + 1), job,
                     [&](Points at, std::span<double> v, std::span<glm::dvec3> e) {
                       hcp_at(charges, std::get<HcpMethod>(options), at, v, e);
                     });
    case PotentialMethod::debye_hueckel:
      return in_runs(points, potential, field, run, job, [&](Points at, std::span<double> v, std::span<glm::dvec3> e) {
        debye_hueckel_field(spheres, at, std::get<DebyeHueckelOptions>(options), v, e);
      });
    case PotentialMethod::cutoff:
    case PotentialMethod::direct: {
      const auto* const given = std::get_if<CutoffOptions>(&options);
      const CutoffOptions cutoff =
          given != nullptr ? *given : cutoff_of_everything(spheres, dielectric_of(options), points);
      return in_runs(points, potential, field, run, job, [&](Points at, std::span<double> v, std::span<glm::dvec3> e) {
        cutoff_field(charges, at, cutoff, v, e);
      });
    }
    case PotentialMethod::pb:
      throw Error("pb makes maps; it has no potential at points", Error::Kind::usage);
    case PotentialMethod::gb:
      throw Error("gb has energies; it has no potential at points", Error::Kind::usage);
  }
}

void potential_exact(std::span<const ChargedSphere> spheres, const PotentialOptions& options, Points points,
                     std::span<double> potential) {
  if (const auto* const screened = std::get_if<DebyeHueckelOptions>(&options))
    return debye_hueckel_reference(spheres, points, *screened, potential);
  if (std::holds_alternative<PoissonBoltzmannOptions>(options))
    throw Error("pb solves an equation; no sum over its charges is exact", Error::Kind::usage);
  const auto charges = point_charges_of(spheres);
  const Dielectric dielectric = dielectric_of(options);
  if (has_sigmoidal_dielectric(options))
    return cutoff_potential_reference(charges, points, cutoff_of_everything(spheres, dielectric, points), potential);
  if (is_periodic(options)) {
    ewald_potential_reference(charges, periodic_cell(options), periodic_axes(options), points, potential);
  } else {
    direct_potential_reference(charges, points, potential);
  }
  for (double& value : potential) value /= dielectric.bulk;
}

const char* exact_name(const PotentialOptions& options) {
  if (std::holds_alternative<PoissonBoltzmannOptions>(options)) return "the solution with steps twice as long";
  if (std::holds_alternative<DebyeHueckelOptions>(options))
    return "double-precision sum of the screened charges at sampled points: the error of the arithmetic, not of the "
           "model";
  if (is_periodic(options)) return "double-precision Ewald sum at sampled points";
  return "direct double-precision sum over all charges at sampled points";
}

std::size_t quick_error_points(std::size_t charges) {
  return std::clamp<std::size_t>(40'000'000 / std::max<std::size_t>(1, charges), 200, 2000);
}

namespace {

/// What the method approximates is the plain sum over all charges.
bool is_coulomb_sum(const PotentialOptions& options) {
  return !is_screened(method_of(options)) && !has_sigmoidal_dielectric(options) && !is_periodic(options);
}

bool is_msm(const PotentialOptions& options) {
  return std::holds_alternative<MsmMethod>(options);
}

bool is_pb(const PotentialOptions& options) {
  return std::holds_alternative<PoissonBoltzmannOptions>(options);
}

/// Calls compare(exact, points) with the exact potential, prepared for as many points as are compared.
template <class Compare>
MapError against_exact(std::span<const ChargedSphere> spheres, const PotentialOptions& options, std::size_t points,
                       Job& job, const Compare& compare) {
  if (is_fully_periodic(options)) {
    const EwaldSum sum(point_charges_of(spheres), periodic_cell(options), points, job);
    return compare(
        [&](Points at, std::span<double> exact) {
          sum(at, exact);
          for (double& value : exact) value /= dielectric_of(options).bulk;
        },
        points);
  }
  if (is_periodic(options)) {  // sums over layers and lines: a pair takes some microseconds
    points = std::min(points, std::clamp<std::size_t>(400'000 / std::max<std::size_t>(1, spheres.size()), 20, 1000));
  }
  return compare([&](Points at, std::span<double> exact) { potential_exact(spheres, options, at, exact); }, points);
}

}  // namespace

MapError measured_error(std::span<const ChargedSphere> spheres, const Grid& grid, const PotentialOptions& options,
                        Span<const float> values, Job& job, std::size_t points, const PotentialRoom* room) {
  if (is_pb(options)) return room ? room->solved.error : MapError{};
  const PhaseTimer timer("potential: measuring the error");
  if (is_coulomb_sum(options)) {
    if (room && room->charges.size() == spheres.size()) {
      const bool there = is_msm(options) && values.device.is_cuda();
      return potential_error_on_device(room->charges, grid, values, points, 1, job,
                                       there ? room->msm.charges_on_device() : Span<const PointCharge>());
    }
    const auto charges = point_charges_of(spheres, charge_divisor(options));
    return potential_error_on_device(charges, grid, values, points, 1, job);
  }
  return against_exact(spheres, options, points, job, [&](const ExactPotential& exact, std::size_t count) {
    return potential_error(point_charges_of(spheres), grid, values, exact, count, 1, job);
  });
}

MapError measured_error_at(std::span<const ChargedSphere> spheres, const PotentialOptions& options, Points points,
                           std::span<const double> values, Job& job, std::size_t most) {
  if (is_pb(options)) return {};
  return against_exact(spheres, options, std::min(most, points.size()), job,
                       [&](const ExactPotential& exact, std::size_t count) {
                         std::vector<glm::dvec3> at(count);
                         std::vector<double> found(count), expected(count);
                         for (std::size_t i = 0; i < count; ++i) {
                           const std::size_t from = i * points.size() / count;
                           at[i] = points[from];
                           found[i] = values[from];
                         }
                         in_runs(at, expected, {}, 20, job,
                                 [&](Points some, std::span<double> v, std::span<glm::dvec3>) { exact(some, v); });
                         return compare_potentials(found, expected);
                       });
}

MapError measured_error_on_surface(std::span<const ChargedSphere> spheres, const PotentialOptions& options,
                                   Points points, std::span<const double> values, Device device, Job& job,
                                   const PotentialRoom* room) {
  if (!is_coulomb_sum(options)) return measured_error_at(spheres, options, points, values, job, points.size());
  std::vector<double> exact(points.size());
  if (room && room->charges.size() == spheres.size()) {
    const bool there = is_msm(options) && device.is_cuda();
    exact_potential(room->charges, points, exact, device, job,
                    there ? room->msm.charges_on_device() : Span<const PointCharge>());
  } else {
    exact_potential(point_charges_of(spheres, charge_divisor(options)), points, exact, device, job);
  }
  return compare_potentials(values, exact);
}

}  // namespace isolume
