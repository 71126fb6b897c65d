// The error of forces in a dielectric, those of hierarchical charge partitioning among them.
#include "app/cli/energy/energy_hcp.h"

#include <algorithm>
#include <cmath>

#include "compute/electrostatics/hcp/hcp_pair.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume::cli {

ForceError dielectric_force_error(const ElectrostaticProblem& problem, const Dielectric& dielectric,
                                  const std::vector<glm::vec3>& positions, const std::vector<glm::vec3>& forces,
                                  std::size_t samples, Job& job) {
  const DielectricPair pair(dielectric);
  const PairExclusions& x = problem.exclusions;
  ForceError error;
  error.atoms = std::min(samples, positions.size());
  error.reference = "the sum over all atoms in the dielectric, in double precision";
  double squares = 0, scale = 0;
  for (std::size_t s = 0; s < error.atoms; ++s) {
    job.check();
    const std::size_t i = s * positions.size() / error.atoms;
    glm::dvec3 exact(0);
    const auto add = [&](std::size_t j, double factor) {
      const glm::dvec3 d = glm::dvec3(positions[i]) - glm::dvec3(positions[j]);
      const double r = glm::length(d);
      if (r < 1e-4) return;
      double along = 0;
      pair.value(r, &along);
      exact += factor * static_cast<double>(problem.charges[j]) * along * d;
    };
    for (std::size_t j = 0; j < positions.size(); ++j) {
      if (j != i) add(j, 1);
    }
    for (std::uint32_t k = x.empty() ? 0 : x.offsets[i]; k < (x.empty() ? 0 : x.offsets[i + 1]); ++k) {
      add(x.partners[k], static_cast<double>(x.kept[k]) - 1);
    }
    exact *= units::coulomb_kcal_angstrom * static_cast<double>(problem.charges[i]);
    const glm::dvec3 d = glm::dvec3(forces[i]) - exact;
    squares += glm::dot(d, d);
    scale += glm::dot(exact, exact);
    error.max = std::max(error.max, glm::length(d));
  }
  error.rms = std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, error.atoms)));
  error.relative = scale > 0 ? std::sqrt(squares / scale) : 0;
  return error;
}

}  // namespace isolume::cli
