// The reaction potential at a charge: a harmonic polynomial through the nodes of the solute about it.
#include "compute/electrostatics/poisson_boltzmann/pb_harmonic_fit.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace isolume {

double pb_harmonic_fit(const PbProblem& p, std::span<const double> u, glm::dvec3 point) {
  constexpr std::size_t terms = 9;
  const glm::dvec3 at = (point - p.origin) / p.step;
  const glm::ivec3 low = glm::max(glm::ivec3(glm::floor(at)) - 1, glm::ivec3(0));
  const glm::ivec3 high = glm::min(glm::ivec3(glm::floor(at)) + 2, p.counts - 1);
  std::array<std::array<double, terms>, terms> m{};
  std::array<double, terms> right{};
  double mean = 0, total = 0;
  for (const bool second : {false, true}) {
    if (second && total == 0) return 0;
    if (second) mean /= total;
    for (int k = low.z; k <= high.z; ++k) {
      for (int j = low.y; j <= high.y; ++j) {
        for (int i = low.x; i <= high.x; ++i) {
          const std::size_t node = p.index({i, j, k});
          if (!p.inside[node]) continue;
          const glm::dvec3 d = (p.point(node) - point) / p.step.x;
          const double weight = std::exp(-glm::dot(d, d));
          if (!second) {
            mean += weight * u[node];
            total += weight;
            continue;
          }
          const std::array<double, terms> f{1,
                                            d.x,
                                            d.y,
                                            d.z,
                                            d.x * d.y,
                                            d.x * d.z,
                                            d.y * d.z,
                                            d.x * d.x - d.y * d.y,
                                            2 * d.z * d.z - d.x * d.x - d.y * d.y};
          for (std::size_t a = 0; a < terms; ++a) {
            right[a] += weight * f[a] * (u[node] - mean);
            for (std::size_t b = 0; b <= a; ++b) m[a][b] += weight * f[a] * f[b];
          }
        }
      }
    }
  }
  // Held towards the mean where nodes are few.
  for (std::size_t a = 1; a < terms; ++a) m[a][a] += (a < 4 ? 1e-5 : 1e-3) * total;
  // Cholesky's factors, and both substitutions.
  for (std::size_t a = 0; a < terms; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      double sum = m[a][b];
      for (std::size_t c = 0; c < b; ++c) sum -= m[a][c] * m[b][c];
      m[a][b] = a == b ? std::sqrt(std::max(sum, 1e-300)) : sum / m[b][b];
    }
  }
  for (std::size_t a = 0; a < terms; ++a) {
    for (std::size_t c = 0; c < a; ++c) right[a] -= m[a][c] * right[c];
    right[a] /= m[a][a];
  }
  for (std::size_t a = terms; a-- > 0;) {
    for (std::size_t c = a + 1; c < terms; ++c) right[a] -= m[c][a] * right[c];
    right[a] /= m[a][a];
  }
  return mean + right[0];
}

}  // namespace isolume
