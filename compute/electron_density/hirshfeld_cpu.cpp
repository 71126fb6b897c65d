// Hirshfeld's charges on the CPU: parts of an atom's grid on all threads.
#include <algorithm>

#include "compute/base/parallel_for.h"
#include "compute/electron_density/becke_math.h"
#include "compute/electron_density/hirshfeld_bodies.h"

namespace isolume {

HirshfeldSums hirshfeld_sums_cpu(const HirshfeldProblem& problem, Job& job) {
  const std::size_t atoms = problem.centres.size();
  constexpr std::size_t batch = DensityEvaluator::batch, part = 16 * batch;
  struct Share {
    std::size_t centre, first, end;
  };
  std::vector<Share> parts;
  for (std::size_t centre = 0; centre < atoms; ++centre) {
    const std::size_t points = problem.grids[problem.kinds[centre]].points.size();
    for (std::size_t first = 0; first < points; first += part)
      parts.push_back({centre, first, std::min(points, first + part)});
  }
  struct PartSums {
    std::vector<double> electrons;
    double all = 0;
    std::size_t points = 0;
  };
  std::vector<PartSums> sums(parts.size());
  parallel_for(parts.size(), job, "Hirshfeld charges", [&](std::size_t p) {
    const auto [centre, first, end] = parts[p];
    const AtomicGrid& grid = problem.grids[problem.kinds[centre]];
    PartSums& to = sums[p];
    to.electrons.assign(atoms, 0.0);
    std::vector<glm::dvec3> points;
    std::vector<double> weights, distances, distances_of_point(atoms), shares(atoms);
    std::vector<DensityDerivatives> values(batch);
    const auto add = [&] {
      problem.density.evaluate(points, DensityOrder::value, {values.data(), points.size()});
      for (std::size_t n = 0; n < points.size(); ++n) {
        const double amount = values[n].density * weights[n];
        double all = 0;
        for (std::size_t a = 0; a < atoms; ++a) {
          shares[a] = problem.free[problem.kinds[a]].density(distances[n * atoms + a]);
          all += shares[a];
        }
        to.all += amount;
        if (all <= 0) continue;
        for (std::size_t a = 0; a < atoms; ++a) to.electrons[a] += amount * shares[a] / all;
      }
      to.points += points.size();
      points.clear();
      weights.clear();
      distances.clear();
    };
    for (std::size_t i = first; i < end; ++i) {
      const glm::dvec3 point = problem.centres[centre] + grid.points[i];
      for (std::size_t a = 0; a < atoms; ++a) distances_of_point[a] = glm::distance(point, problem.centres[a]);
      const double share = becke_math::share(distances_of_point.data(), 1, problem.inverse.data(), atoms, centre);
      if (share < becke_math::least_share) continue;
      points.push_back(point);
      weights.push_back(share * grid.weights[i]);
      distances.insert(distances.end(), distances_of_point.begin(), distances_of_point.end());
      if (points.size() == batch) add();
    }
    add();
  });
  // Parts are added in their order, so that the number of threads does not matter.
  HirshfeldSums result;
  result.electrons.assign(atoms, 0.0);
  for (const PartSums& from : sums) {
    for (std::size_t a = 0; a < atoms; ++a) result.electrons[a] += from.electrons[a];
    result.all += from.all;
    result.points += from.points;
  }
  return result;
}

}  // namespace isolume
