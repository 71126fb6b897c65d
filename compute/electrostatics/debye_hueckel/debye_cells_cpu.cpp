// The amplitudes at the places of cells that act for their spheres, on the CPU.
#include <cmath>

#include "compute/base/parallel_for.h"
#include "compute/electrostatics/debye_hueckel/debye_cells.h"

namespace isolume {
namespace {

/// Adds the spheres of a part to the places of its cell.
void spread(const DebyeCells& plan, const DebyePart& part, std::span<const ChargedSphere> spheres, double kappa,
            float* __restrict__ sums) {
  const DebyeCell& cell = plan.cells[part.cell];
  const int n = plan.places;
  for (std::uint32_t m = part.first; m < part.last; ++m) {
    const ChargedSphere& sphere = spheres[plan.order[m]];
    double weight[3][DebyeCell::most];
    for (int axis = 0; axis < 3; ++axis)
      debye_cell_weights(cell.node[axis], cell.weight[axis], n, sphere.position[axis], weight[axis]);
    const double radius = static_cast<double>(sphere.radius);
    const double amplitude = static_cast<double>(sphere.charge) * std::exp(kappa * radius) / (1 + kappa * radius);
    float along[DebyeCell::most];
    for (int i = 0; i < n; ++i) along[i] = static_cast<float>(weight[0][i]);
    float* to = sums;
    for (int k = 0; k < n; ++k) {
      for (int j = 0; j < n; ++j, to += n) {
        const auto share = static_cast<float>(amplitude * weight[2][k] * weight[1][j]);
        for (int i = 0; i < n; ++i) to[i] += share * along[i];
      }
    }
  }
}

}  // namespace

std::vector<ChargedSphere> debye_far_spheres(const DebyeCells& plan, std::span<const ChargedSphere> spheres,
                                             double kappa, Job& job) {
  const std::size_t size = plan.places_of_cell();
  std::vector<float> sums(plan.parts.size() * size, 0.0f);
  parallel_for(plan.parts.size(), job, "Debye-Hückel",
               [&](std::size_t p) { spread(plan, plan.parts[p], spheres, kappa, &sums[p * size]); });
  std::vector<double> totals(plan.cells.size() * size, 0.0);
  for (std::size_t p = 0; p < plan.parts.size(); ++p)
    for (std::size_t n = 0; n < size; ++n)
      totals[plan.parts[p].cell * size + n] += static_cast<double>(sums[p * size + n]);
  std::vector<ChargedSphere> terms;
  terms.reserve(plan.terms());
  const auto along = static_cast<std::size_t>(plan.places);
  for (std::size_t c = 0; c < plan.cells.size(); ++c) {
    const auto& node = plan.cells[c].node;
    for (std::size_t n = 0; n < size; ++n)
      terms.push_back({{node[0][n % along], node[1][n / along % along], node[2][n / (along * along)]},
                       static_cast<float>(totals[c * size + n]),
                       0});
  }
  for (std::size_t m = plan.replaced; m < plan.order.size(); ++m) terms.push_back(spheres[plan.order[m]]);
  return terms;
}

}  // namespace isolume
