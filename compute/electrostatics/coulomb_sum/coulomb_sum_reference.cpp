// Coulomb's sums at points in plain double precision.
#include <cmath>

#include "compute/electrostatics/charges/direct_math.h"
#include "compute/electrostatics/coulomb_sum/coulomb_sum.h"

namespace isolume {

void coulomb_sum_reference(std::span<const PointCharge> charges, std::span<const glm::dvec3> points,
                           std::span<double> potential, std::span<glm::dvec3> gradients) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    double sum = 0;
    glm::dvec3 slope(0);
    for (const PointCharge& charge : charges) {
      const glm::dvec3 d = points[i] - glm::dvec3(charge.position);
      const double r = glm::length(d);
      if (r < coincidence) continue;
      sum += static_cast<double>(charge.charge) / r;
      slope -= static_cast<double>(charge.charge) / (r * r * r) * d;
    }
    potential[i] = sum;
    if (!gradients.empty()) gradients[i] = slope;
  }
}

}  // namespace isolume
