// A probe's energies in plain double precision.
#include <algorithm>
#include <cmath>

#include "compute/base/parallel_for.h"
#include "compute/sampling/probe_system.h"
#include "molecule/base/error.h"

namespace isolume {

void probe_energies(std::span<const ProbedAtom> atoms, const Cell& cell, const Probe& probe,
                    std::span<const glm::dquat> orientations, std::span<const glm::dvec3> points,
                    const ProbeOptions& options, std::span<double> energies, Job& job) {
  if (energies.size() != points.size() * orientations.size())
    throw Error("probe: as many energies as points and orientations are needed", Error::Kind::usage);
  if (points.empty()) return;
  glm::dvec3 lower = points.front(), upper = lower;
  for (const glm::dvec3& p : points) {
    lower = glm::min(lower, p);
    upper = glm::max(upper, p);
  }
  const ProbeSystem system = probe_system(atoms, cell, probe, orientations, lower, upper, options);
  parallel_for(points.size(), job, "energies of the probe", [&](std::size_t p) {
    const glm::dvec3 from = points[p] - system.middle;
    std::vector<std::uint32_t> near;
    int low[3], high[3];
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = system.cells.along(axis, from[axis] - system.reach);
      high[axis] = system.cells.along(axis, from[axis] + system.reach);
    }
    for (int k = low[2]; k <= high[2]; ++k)
      for (int j = low[1]; j <= high[1]; ++j)
        for (std::uint32_t i = system.starts[system.cells.index(low[0], j, k)];
             i < system.starts[system.cells.index(high[0], j, k) + 1]; ++i)
          near.push_back(i);
    for (std::size_t o = 0; o < orientations.size(); ++o) {
      double sum = 0;
      for (std::size_t s = 0; s < system.sites(); ++s) {
        const glm::dvec3 place = points[p] + system.offsets[o * system.sites() + s];
        for (const std::uint32_t i : near) {
          const glm::dvec3 d = system.places[i] - place;
          const double r2 = std::max(glm::dot(d, d), probe_closest * probe_closest);
          if (r2 >= system.cutoff * system.cutoff) continue;
          const ProbeLaw& law = system.laws[system.kinds[i] * system.site_kinds + system.site_kind[s]];
          const double i6 = 1 / (r2 * r2 * r2);
          if (system.terms == ProbeTerms::buckingham) {
            sum += r2 < law.top2 ? probe_closed : law.a * std::exp(-law.b * std::sqrt(r2)) - law.q * i6;
            continue;
          }
          sum += (law.a * i6 - law.b) * i6 + law.q * (1 / std::sqrt(r2) - system.inverse_cutoff());
        }
      }
      energies[p * orientations.size() + o] = sum;
    }
  });
}

double mean_free_energy(std::span<const double> energies) {
  const double lowest = *std::min_element(energies.begin(), energies.end());
  double sum = 0;
  for (const double e : energies) sum += std::exp(lowest - e);
  return lowest - std::log(sum / static_cast<double>(energies.size()));
}

}  // namespace isolume
