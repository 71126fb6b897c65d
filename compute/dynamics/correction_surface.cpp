// CorrectionSurface: the energy of two dihedral angles between the nodes of a correction map.
#include "compute/dynamics/correction_surface.h"

#include <cmath>

namespace isolume {

std::vector<double> periodic_slopes(const std::vector<double>& values) {
  // s[i-1] + 4 s[i] + s[i+1] = 3 (f[i+1] - f[i-1]) around the ring. The inverse of that matrix falls off by
  // 2 - sqrt(3) a step, so that the sum over all turns of the ring is a geometric series.
  const auto n = static_cast<std::ptrdiff_t>(values.size());
  std::vector<double> slopes(values.size(), 0.0);
  if (n < 2) return slopes;
  const double q = std::sqrt(3.0) - 2;
  std::vector<double> kernel(values.size());
  for (std::ptrdiff_t k = 0; k < n; ++k) {
    // From both sides: q^k + q^(n-k), over the turns.
    kernel[static_cast<std::size_t>(k)] =
        (std::pow(q, static_cast<double>(k)) + std::pow(q, static_cast<double>(n - k))) /
        (2 * std::sqrt(3.0) * (1 - std::pow(q, static_cast<double>(n))));
  }
  const auto value = [&](std::ptrdiff_t i) { return values[static_cast<std::size_t>((i + n) % n)]; };
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    for (std::ptrdiff_t j = 0; j < n; ++j) {
      const auto apart = static_cast<std::size_t>(std::abs(i - j));
      slopes[static_cast<std::size_t>(i)] += kernel[apart] * 3 * (value(j + 1) - value(j - 1));
    }
  }
  return slopes;
}

CorrectionSurface::CorrectionSurface(const CorrectionMap& map)
    : size_(static_cast<std::uint32_t>(map.size)), nodes_(map.energies.size(), CorrectionNode{}) {
  const std::size_t n = size_;
  const auto node = [&](std::size_t i, std::size_t j) -> CorrectionNode& { return nodes_[i * n + j]; };
  for (std::size_t k = 0; k < nodes_.size(); ++k) nodes_[k].value = map.energies[k];
  std::vector<double> line(n);
  const auto on_line = [&](bool phi, std::size_t fixed, std::size_t k) -> CorrectionNode& {
    return phi ? node(k, fixed) : node(fixed, k);
  };
  // `from` of every node along one axis gives `to`.
  const auto along = [&](bool phi, double CorrectionNode::*from, double CorrectionNode::*to) {
    for (std::size_t fixed = 0; fixed < n; ++fixed) {
      for (std::size_t k = 0; k < n; ++k) line[k] = on_line(phi, fixed, k).*from;
      const std::vector<double> slopes = periodic_slopes(line);
      for (std::size_t k = 0; k < n; ++k) on_line(phi, fixed, k).*to = slopes[k];
    }
  };
  along(true, &CorrectionNode::value, &CorrectionNode::by_phi);
  along(false, &CorrectionNode::value, &CorrectionNode::by_psi);
  along(true, &CorrectionNode::by_psi, &CorrectionNode::by_both);
}

}  // namespace isolume
