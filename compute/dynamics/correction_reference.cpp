// The energy of a correction map by B-splines, plainly; for tests.
#include <cmath>

#include "compute/dynamics/correction_surface.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

/// The cubic B-spline at a distance of x steps from its centre.
double b_spline(double x) {
  x = std::abs(x);
  return x < 1 ? 2.0 / 3 - x * x + x * x * x / 2 : x < 2 ? std::pow(2 - x, 3) / 6 : 0;
}

/// The weight of a node's value in the coefficient of a B-spline `apart` steps from it, on a ring of n steps: the
/// inverse of the circulant matrix (1 4 1)/6 by its eigenvalues (2 + cos w)/3.
double weight(int apart, int n) {
  double sum = 0;
  for (int m = 0; m < n; ++m) {
    const double w = 2 * units::pi * m / n;
    sum += std::cos(w * apart) / ((2 + std::cos(w)) / 3);
  }
  return sum / n;
}

}  // namespace

double correction_energy_reference(const CorrectionMap& map, double phi, double psi) {
  const int n = map.size;
  // Of the value at each node in the energy: along one axis the sum over the B-splines near the angle.
  const auto factors = [&](double angle) {
    std::vector<double> of_node(static_cast<std::size_t>(n), 0.0);
    const double at = (angle + units::pi) / (2 * units::pi / n);
    const int below = static_cast<int>(std::floor(at));
    for (int spline = below - 1; spline <= below + 2; ++spline) {
      for (int node = 0; node < n; ++node) {
        of_node[static_cast<std::size_t>(node)] += b_spline(at - spline) * weight(spline - node, n);
      }
    }
    return of_node;
  };
  const std::vector<double> a = factors(phi);
  const std::vector<double> b = factors(psi);
  double energy = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) energy += a[i] * b[j] * map.energies[i * b.size() + j];
  }
  return energy;
}

}  // namespace isolume
