// Nodes and weights of Gauss and Legendre.
#include "compute/base/gauss_legendre.h"

#include <cmath>

#include "molecule/base/units.h"

namespace isolume {

QuadratureRule gauss_legendre(int count) {
  QuadratureRule rule;
  for (int i = 0; i < count; ++i) {
    double x = std::cos(units::pi * (i + 0.75) / (count + 0.5)), slope = 1;
    for (int iteration = 0; iteration < 100; ++iteration) {
      double before = 1, value = x;
      for (int k = 2; k <= count; ++k) {
        const double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
        before = value;
        value = next;
      }
      slope = count * (x * value - before) / (x * x - 1);
      const double change = value / slope;
      x -= change;
      if (std::abs(change) < 1e-15) break;
    }
    rule.nodes.push_back(x);
    rule.weights.push_back(2 / ((1 - x * x) * slope * slope));
  }
  return rule;
}

}  // namespace isolume
