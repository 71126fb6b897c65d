// The potential at points, exactly and by the methods.
#include "app/fields/potential_points.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/fields/potential_map.h"
#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/direct/exact_sum.h"
#include "compute/electrostatics/ewald/ewald_reference.h"
#include "compute/electrostatics/ewald/ewald_sum.h"
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

void hcp_at(std::span<const PointCharge> charges, const PotentialOptions& options, Points points,
            std::span<double> potential, std::span<glm::dvec3> field) {
  HcpOptions hcp = options.hcp;
  hcp.dielectric = options.dielectric;
  std::vector<glm::dvec4> values(points.size());
  hcp_reference(charges, *options.parts, points, hcp, values);
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
  if (options.method == PotentialMethod::msm) {
    const std::vector<PointCharge> charges = point_charges_of(spheres, options.dielectric.bulk);
    return MsmField(charges, box_around(points), options.msm, device, job).at(points, potential, field, job);
  }
  const std::vector<PointCharge> charges = point_charges_of(spheres);
  constexpr std::size_t run = 128;
  switch (options.method) {
    case PotentialMethod::spme:
      spme_field(charges, points, options.cell, options.spme, potential, field, job);
      break;
    case PotentialMethod::hcp:
      // The centres of the parts are found anew for every run.
      return in_runs(
          points, potential, field, std::max<std::size_t>(run, points.size() / 16 + 1), job,
          [&](Points at, std::span<double> v, std::span<glm::dvec3> e) { hcp_at(charges, options, at, v, e); });
    case PotentialMethod::debye_hueckel:
      return in_runs(points, potential, field, run, job, [&](Points at, std::span<double> v, std::span<glm::dvec3> e) {
        debye_hueckel_field(spheres, at, options.debye_hueckel, v, e);
      });
    case PotentialMethod::cutoff:
    case PotentialMethod::direct:
    case PotentialMethod::msm: {
      CutoffOptions cutoff = options.method == PotentialMethod::cutoff
                                 ? options.cutoff
                                 : cutoff_of_everything(spheres, options.dielectric, points);
      cutoff.dielectric = options.dielectric;
      return in_runs(points, potential, field, run, job, [&](Points at, std::span<double> v, std::span<glm::dvec3> e) {
        cutoff_field(charges, at, cutoff, v, e);
      });
    }
  }
  for (double& value : potential) value /= options.dielectric.bulk;
  for (glm::dvec3& value : field) value /= options.dielectric.bulk;
}

void potential_exact(std::span<const ChargedSphere> spheres, const PotentialOptions& options, Points points,
                     std::span<double> potential) {
  if (options.method == PotentialMethod::debye_hueckel)
    return debye_hueckel_reference(spheres, points, options.debye_hueckel, potential);
  const auto charges = point_charges_of(spheres);
  if (has_sigmoidal_dielectric(options))
    return cutoff_potential_reference(charges, points, cutoff_of_everything(spheres, options.dielectric, points),
                                      potential);
  if (is_periodic(options)) {
    ewald_potential_reference(charges, periodic_cell(options), periodic_axes(options), points, potential);
  } else {
    direct_potential_reference(charges, points, potential);
  }
  for (double& value : potential) value /= options.dielectric.bulk;
}

const char* exact_name(const PotentialOptions& options) {
  if (options.method == PotentialMethod::debye_hueckel)
    return "double-precision sum of the screened charges at sampled points";
  if (is_periodic(options)) return "double-precision Ewald sum at sampled points";
  return "direct double-precision sum over all charges at sampled points";
}

std::size_t quick_error_points(std::size_t charges) {
  return std::clamp<std::size_t>(40'000'000 / std::max<std::size_t>(1, charges), 200, 2000);
}

namespace {

/// What the method approximates is the plain sum over all charges.
bool is_coulomb_sum(const PotentialOptions& options) {
  return options.method != PotentialMethod::debye_hueckel && !has_sigmoidal_dielectric(options) &&
         !is_periodic(options);
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
          for (double& value : exact) value /= options.dielectric.bulk;
        },
        points);
  }
  if (is_periodic(options)) {  // sums over layers and lines: a pair takes some microseconds
    points = std::min(points, std::clamp<std::size_t>(400'000 / std::max<std::size_t>(1, spheres.size()), 20, 1000));
  }
  return compare([&](Points at, std::span<double> exact) { potential_exact(spheres, options, at, exact); }, points);
}

}  // namespace

MapError potential_map_error(std::span<const ChargedSphere> spheres, const Grid& grid, const PotentialOptions& options,
                             Span<const float> values, Job& job, std::size_t points, const PotentialRoom* room) {
  const PhaseTimer timer("potential: measuring the error");
  if (is_coulomb_sum(options)) {
    if (room) {
      const bool there = options.method == PotentialMethod::msm && values.device.is_cuda();
      return potential_error_on_device(room->charges, grid, values, points, 1, job,
                                       there ? room->msm.charges_on_device() : Span<const PointCharge>());
    }
    const auto charges = point_charges_of(spheres, options.dielectric.bulk);
    return potential_error_on_device(charges, grid, values, points, 1, job);
  }
  return against_exact(spheres, options, points, job, [&](const ExactPotential& exact, std::size_t count) {
    return potential_error(point_charges_of(spheres), grid, values, exact, count, 1, job);
  });
}

MapError potential_points_error(std::span<const ChargedSphere> spheres, const PotentialOptions& options, Points points,
                                std::span<const double> values, Job& job, std::size_t most) {
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

MapError potential_surface_error(std::span<const ChargedSphere> spheres, const PotentialOptions& options, Points points,
                                 std::span<const double> values, Device device, Job& job, const PotentialRoom* room) {
  if (!is_coulomb_sum(options)) return potential_points_error(spheres, options, points, values, job, points.size());
  std::vector<double> exact(points.size());
  if (room && room->charges.size() == spheres.size()) {
    const bool there = options.method == PotentialMethod::msm && device.is_cuda();
    exact_potential(room->charges, points, exact, device, job,
                    there ? room->msm.charges_on_device() : Span<const PointCharge>());
  } else {
    exact_potential(point_charges_of(spheres, options.dielectric.bulk), points, exact, device, job);
  }
  return compare_potentials(values, exact);
}

}  // namespace isolume
