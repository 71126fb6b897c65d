// The direct sum split by groups of charges, by the formula.
#include <cmath>

#include "compute/over_time/group_potential.h"
#include "molecule/base/units.h"

namespace isolume {

void group_potentials_reference(std::span<const ChargedSphere> charges, const ChargeGroups& groups,
                                std::span<const glm::dvec3> points, std::span<GroupShare> shares,
                                std::span<FieldGradient> gradients) {
  for (std::size_t p = 0; p < points.size(); ++p)
    for (std::size_t g = 0; g < groups.size(); ++g) {
      GroupShare sum;
      FieldGradient slopes{};
      for (std::uint32_t i = groups.starts[g]; i < groups.starts[g + 1]; ++i) {
        const ChargedSphere& charge = charges[groups.order[i]];
        const glm::dvec3 away = points[p] - glm::dvec3(charge.position);
        const double r = glm::length(away);
        if (r <= 1e-4) continue;
        const double volts = units::coulomb_volt_angstrom * static_cast<double>(charge.charge) / r;
        sum.potential += volts;
        sum.field += volts / (r * r) * away;
        constexpr int axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
        for (std::size_t n = 0; n < slopes.size(); ++n) {
          const auto [a, b] = axes[n];
          slopes[n] += volts / (r * r) * ((a == b ? 1 : 0) - 3 * away[a] * away[b] / (r * r));
        }
      }
      shares[p * groups.size() + g] = sum;
      if (!gradients.empty()) gradients[p * groups.size() + g] = slopes;
    }
}

}  // namespace isolume
