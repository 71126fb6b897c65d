// Contributions to the potential of Poisson-Boltzmann: by reciprocity, or group by group.
#include "compute/over_time/poisson_boltzmann_shares.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "compute/base/job_part.h"
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann_points.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr double nearest = 1e-4;      // angstrom: as in every method
constexpr double step = 0.1;          // angstrom: of the unit charge, to either side
constexpr std::size_t per_point = 7;  // solutions: at the point, and on either side along three axes

/// Whether a unit charge at every point, and a step from it, is in the solute with nodes about it.
bool are_in_the_solute(std::span<const ChargedSphere> atoms, const Grid& grid, const PoissonBoltzmannOptions& options,
                       std::span<const glm::dvec3> points) {
  if (options.boundary == DielectricBoundary::spline || options.boundary == DielectricBoundary::gaussian) return false;
  const bool own_media =
      std::any_of(atoms.begin(), atoms.end(), [](const ChargedSphere& a) { return a.permittivity != 0; });
  if (own_media) return false;
  const double longest = std::max({grid.step[0][0], grid.step[1][1], grid.step[2][2]});
  const double half = options.boundary == DielectricBoundary::smooth ? options.width / 2 : 0;
  return std::all_of(points.begin(), points.end(), [&](const glm::dvec3 point) {
    double depth = -1;
    for (const ChargedSphere& atom : atoms)
      depth = std::max(depth, static_cast<double>(atom.radius) - glm::distance(point, glm::dvec3(atom.position)));
    return depth >= 1.8 * longest + step + half;
  });
}

/// Reaction potentials at the atoms of a unit charge, V/e.
std::vector<double> of_unit_charge(std::vector<ChargedSphere>& with_probe, const Grid& grid,
                                   const PoissonBoltzmannOptions& options, glm::dvec3 place, Job& job,
                                   PoissonBoltzmannStart& start) {
  with_probe.back().position = glm::vec3(place);
  std::vector<double> potentials =
      poisson_boltzmann(with_probe, grid, options, Span<float>(), job, &start).reaction_potential;
  potentials.pop_back();
  return potentials;
}

void add_by_reciprocity(std::span<const ChargedSphere> atoms, const ChargeGroups& groups, const Grid& grid,
                        const PoissonBoltzmannOptions& options, std::span<const glm::dvec3> points,
                        PoissonBoltzmannShares& result, Job& job) {
  std::vector<ChargedSphere> with_probe(atoms.begin(), atoms.end());
  for (ChargedSphere& atom : with_probe) atom.charge = 0;
  with_probe.push_back({});
  with_probe.back().charge = 1;  // its radius of 0 adds nothing to the solute
  PoissonBoltzmannOptions quick = options;
  quick.estimate_error = false;
  const double unit = units::coulomb_volt_angstrom / options.solute_permittivity;
  const double share = 1 / static_cast<double>(points.size() * per_point);
  for (std::size_t p = 0; p < points.size(); ++p) {
    PoissonBoltzmannStart start;
    std::size_t done = p * per_point;
    const auto solved = [&](glm::dvec3 place) {
      JobPart part(job, static_cast<double>(done) * share, static_cast<double>(done + 1) * share);
      ++done;
      ++result.solutions;
      return of_unit_charge(with_probe, grid, quick, place, part, start);
    };
    const std::vector<double> here = solved(points[p]);
    std::vector<double> above[3], below[3];
    for (int axis = 0; axis < 3; ++axis) {
      glm::dvec3 aside(0.0);
      aside[axis] = step;
      above[axis] = solved(points[p] + aside);
      below[axis] = solved(points[p] - aside);
    }
    // The charge is where single precision puts it.
    const glm::dvec3 place{glm::vec3(points[p])};
    for (std::size_t g = 0; g < groups.size(); ++g) {
      GroupShare& sum = result.shares[p * groups.size() + g];
      for (std::uint32_t k = groups.starts[g]; k < groups.starts[g + 1]; ++k) {
        const std::uint32_t i = groups.order[k];
        const auto charge = static_cast<double>(atoms[i].charge);
        if (charge == 0) continue;
        sum.potential += charge * here[i];
        for (int axis = 0; axis < 3; ++axis) sum.field[axis] -= charge * (above[axis][i] - below[axis][i]) / (2 * step);
        const glm::dvec3 apart = place - glm::dvec3(atoms[i].position);
        const double distance = glm::length(apart);
        if (distance <= nearest) continue;
        sum.potential += unit * charge / distance;
        sum.field += unit * charge / (distance * distance * distance) * apart;
      }
    }
  }
}

void add_by_groups(std::span<const ChargedSphere> atoms, const ChargeGroups& groups, const Grid& grid,
                   const PoissonBoltzmannOptions& options, std::span<const glm::dvec3> points,
                   PoissonBoltzmannShares& result, Job& job) {
  std::vector<ChargedSphere> some(atoms.begin(), atoms.end());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (ChargedSphere& atom : some) atom.charge = 0;
    bool any = false;
    for (std::uint32_t k = groups.starts[g]; k < groups.starts[g + 1]; ++k) {
      const std::uint32_t i = groups.order[k];
      some[i].charge = atoms[i].charge;
      any = any || atoms[i].charge != 0;
    }
    if (!any) continue;
    const double share = 1 / static_cast<double>(groups.size());
    JobPart part(job, static_cast<double>(g) * share, static_cast<double>(g + 1) * share);
    const PoissonBoltzmannPoints at = poisson_boltzmann_at(some, grid, options, points, Device::cpu(), part, true);
    ++result.solutions;
    for (std::size_t p = 0; p < points.size(); ++p)
      result.shares[p * groups.size() + g] = {at.potential[p], at.field[p]};
  }
}

}  // namespace

void check_shares(const PoissonBoltzmannOptions& options) {
  if (!options.nonlinear) return;
  throw Error(
      "contributions of charges add up in the linearised Poisson-Boltzmann equation alone: in the non-linear one the "
      "ions answer to all charges together",
      Error::Kind::usage);
}

PoissonBoltzmannShares poisson_boltzmann_shares(std::span<const ChargedSphere> atoms, const ChargeGroups& groups,
                                                const Grid& grid, const PoissonBoltzmannOptions& options,
                                                std::span<const glm::dvec3> points, Job& job) {
  check_shares(options);
  if (groups.order.size() != atoms.size())
    throw Error(fmt::format("groups of {} atoms for {}", groups.order.size(), atoms.size()), Error::Kind::usage);
  PoissonBoltzmannShares result;
  result.shares.resize(points.size() * groups.size());
  {
    JobPart part(job, 0, 0.1);
    PoissonBoltzmannPoints at = poisson_boltzmann_at(atoms, grid, options, points, Device::cpu(), part, true);
    result.solutions = 1;
    for (std::size_t p = 0; p < points.size(); ++p) result.totals.push_back({at.potential[p], at.field[p]});
    result.errors = std::move(at.errors);
    result.field_errors = std::move(at.field_errors);
    result.solved = std::move(at.solved);
  }
  JobPart part(job, 0.1, 1);
  result.by_reciprocity = per_point * points.size() < groups.size() && are_in_the_solute(atoms, grid, options, points);
  if (result.by_reciprocity) {
    add_by_reciprocity(atoms, groups, grid, options, points, result, part);
  } else if (groups.size() == 1) {
    for (std::size_t p = 0; p < points.size(); ++p) result.shares[p] = result.totals[p];
  } else {
    add_by_groups(atoms, groups, grid, options, points, result, part);
  }
  return result;
}

}  // namespace isolume
