// Coulomb's potential and its gradient at many points, for the jumps at the surface and the potential in the solute.
#include <algorithm>
#include <vector>

#include "compute/base/parallel_for.h"
#include "compute/electrostatics/poisson_boltzmann/pb_problem.h"
#include "compute/electrostatics/poisson_boltzmann/pb_rows_cpu.h"

namespace isolume {

void pb_coulomb(std::span<const ChargedSphere> atoms, std::span<const glm::dvec3> points, std::span<double> potential,
                std::span<glm::dvec3> gradients, Job& job) {
  constexpr std::size_t lanes = 16, run = 64, block = 1024;
  std::vector<const ChargedSphere*> charged;
  glm::dvec3 middle(0);
  for (const ChargedSphere& atom : atoms) {
    if (atom.charge == 0) continue;
    charged.push_back(&atom);
    middle += glm::dvec3(atom.position);
  }
  const std::size_t count = charged.size();
  if (count > 0) middle /= static_cast<double>(count);
  std::vector<float> x, y, z, q;
  for (const ChargedSphere* atom : charged) {
    const glm::vec3 at(glm::dvec3(atom->position) - middle);
    x.push_back(at.x);
    y.push_back(at.y);
    z.push_back(at.z);
    q.push_back(atom->charge);
  }
  parallel_for((points.size() + block - 1) / block, job, "Coulomb's potential at the surface", [&](std::size_t b) {
    const std::size_t end = std::min(points.size(), (b + 1) * block);
    for (std::size_t first = b * block; first < end; first += lanes) {
      alignas(64) float at[3 * lanes], sums[lanes], slopes[3 * lanes];
      double total[lanes] = {};
      glm::dvec3 slope[lanes] = {};
      const std::size_t used = std::min(lanes, end - first);
      for (std::size_t l = 0; l < lanes; ++l) {
        const glm::dvec3 r = points[first + std::min(l, used - 1)] - middle;
        for (std::size_t axis = 0; axis < 3; ++axis)
          at[axis * lanes + l] = static_cast<float>(r[static_cast<int>(axis)]);
      }
      // Totals in double precision, from runs of single.
      for (std::size_t j = 0; j < count; j += run) {
        pb_coulomb_block(&x[j], &y[j], &z[j], &q[j], std::min(run, count - j), at, sums,
                         gradients.empty() ? nullptr : slopes);
        for (std::size_t l = 0; l < lanes; ++l) total[l] += static_cast<double>(sums[l]);
        for (std::size_t l = 0; l < lanes && !gradients.empty(); ++l)
          slope[l] += glm::dvec3(static_cast<double>(slopes[l]), static_cast<double>(slopes[lanes + l]),
                                 static_cast<double>(slopes[2 * lanes + l]));
      }
      for (std::size_t l = 0; l < used; ++l) {
        potential[first + l] = total[l];
        if (!gradients.empty()) gradients[first + l] = slope[l];
      }
    }
  });
}

}  // namespace isolume
