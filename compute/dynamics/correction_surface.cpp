// CorrectionSurface: the energy of two dihedral angles between the nodes of a correction map.
#include "compute/dynamics/correction_surface.h"

#include <cmath>

#include "molecule/units.h"

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

CorrectionSurface::CorrectionSurface(const CorrectionMap& map) : size_(map.size), nodes_(map.energies.size(), Node{}) {
  const auto n = static_cast<std::size_t>(size_);
  const auto node = [&](std::size_t i, std::size_t j) -> Node& { return nodes_[i * n + j]; };
  for (std::size_t k = 0; k < nodes_.size(); ++k) nodes_[k].value = map.energies[k];
  std::vector<double> line(n);
  const auto on_line = [&](bool phi, std::size_t fixed, std::size_t k) -> Node& {
    return phi ? node(k, fixed) : node(fixed, k);
  };
  // `from` of every node along one axis gives `to`.
  const auto along = [&](bool phi, double Node::*from, double Node::*to) {
    for (std::size_t fixed = 0; fixed < n; ++fixed) {
      for (std::size_t k = 0; k < n; ++k) line[k] = on_line(phi, fixed, k).*from;
      const std::vector<double> slopes = periodic_slopes(line);
      for (std::size_t k = 0; k < n; ++k) on_line(phi, fixed, k).*to = slopes[k];
    }
  };
  along(true, &Node::value, &Node::by_phi);
  along(false, &Node::value, &Node::by_psi);
  along(true, &Node::by_psi, &Node::by_both);
}

CorrectionSurface::Value CorrectionSurface::at(double phi, double psi) const {
  const auto n = static_cast<std::size_t>(size_);
  const double step = 2 * units::pi / size_;
  /// Where an angle lies: its node, the next one, and the weights of Hermite's cubic between them.
  struct Place {
    std::size_t node[2];
    double value[2], slope[2];        ///< weights of values and slopes
    double value_by[2], slope_by[2];  ///< their derivatives
  };
  const auto place = [&](double angle) {
    double turns = (angle + units::pi) / (2 * units::pi);
    turns -= std::floor(turns);
    const double at = turns * size_;
    Place p;
    p.node[0] = static_cast<std::size_t>(at) % n;
    p.node[1] = (p.node[0] + 1) % n;
    const double u = at - std::floor(at);
    const double v = 1 - u;
    p.value[0] = (1 + 2 * u) * v * v;
    p.value[1] = u * u * (3 - 2 * u);
    p.slope[0] = u * v * v;
    p.slope[1] = -u * u * v;
    p.value_by[0] = -6 * u * v;
    p.value_by[1] = 6 * u * v;
    p.slope_by[0] = v * (1 - 3 * u);
    p.slope_by[1] = u * (3 * u - 2);
    return p;
  };
  const Place a = place(phi);
  const Place b = place(psi);
  Value out;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      const Node& node = nodes_[a.node[i] * n + b.node[j]];
      const double along = b.value[j] * node.value + b.slope[j] * node.by_psi;
      const double turned = b.value[j] * node.by_phi + b.slope[j] * node.by_both;
      out.energy += a.value[i] * along + a.slope[i] * turned;
      out.by_phi += a.value_by[i] * along + a.slope_by[i] * turned;
      out.by_psi += a.value[i] * (b.value_by[j] * node.value + b.slope_by[j] * node.by_psi) +
                    a.slope[i] * (b.value_by[j] * node.by_phi + b.slope_by[j] * node.by_both);
    }
  }
  out.by_phi /= step;
  out.by_psi /= step;
  return out;
}

}  // namespace isolume
