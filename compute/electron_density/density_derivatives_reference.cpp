// The density's derivatives straight from the formula, in double precision.
#include <cmath>

#include "compute/electron_density/density_derivatives.h"
#include "compute/orbitals/density_functions.h"
#include "molecule/quantum/solid_harmonics.h"

namespace isolume {
namespace {

/// n (n-1) ... x^(n-order).
double power(double x, int n, int order) {
  double value = 1;
  for (int i = 0; i < order; ++i) value *= n - i;
  for (int i = order; i < n; ++i) value *= x;
  return value;
}

/// The derivative of x^n exp(-a x^2) of an order from 0 to 2.
double along(double x, int n, double a, int order) {
  const double e = std::exp(-a * x * x);
  if (order == 0) return power(x, n, 0) * e;
  if (order == 1) return (power(x, n, 1) - 2 * a * x * power(x, n, 0)) * e;
  return (power(x, n, 2) - 4 * a * x * power(x, n, 1) + (4 * a * a * x * x - 2 * a) * power(x, n, 0)) * e;
}

constexpr int orders[10][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 0, 0},
                               {1, 1, 0}, {1, 0, 1}, {0, 2, 0}, {0, 1, 1}, {0, 0, 2}};
constexpr int first_axis[6] = {0, 0, 0, 1, 1, 2}, second_axis[6] = {0, 1, 2, 1, 2, 2};

}  // namespace

std::vector<DensityDerivatives> DensityEvaluator::reference(std::span<const glm::dvec3> points) const {
  const DensityFunctions& all = *functions_;
  std::vector<DensityDerivatives> values(points.size());
  std::vector<double> psi(10 * all.orbitals);
  for (std::size_t n = 0; n < points.size(); ++n) {
    psi.assign(psi.size(), 0.0);
    for (const DensityShell& shell : all.shells) {
      const glm::dvec3 r = points[n] - shell.centre;
      std::size_t f = shell.first_function;
      for (const glm::ivec3 powers : cartesian_powers(shell.l)) {
        for (std::size_t k = 0; k < 10; ++k) {
          double chi = 0;
          for (std::uint32_t p = shell.first_primitive; p < shell.first_primitive + shell.primitives; ++p) {
            double product = all.factors[p];
            for (int axis = 0; axis < 3; ++axis)
              product *= along(r[axis], powers[axis], all.exponents[p], orders[k][axis]);
            chi += product;
          }
          for (std::size_t i = 0; i < all.orbitals; ++i)
            psi[k * all.orbitals + i] += all.coefficients[f * all.orbitals + i] * chi;
        }
        ++f;
      }
    }
    DensityDerivatives& value = values[n];
    for (std::size_t i = 0; i < all.orbitals; ++i) {
      const auto of = [&](std::size_t k) { return psi[k * all.orbitals + i]; };
      const double w = all.weights[i];
      value.density += w * of(0) * of(0);
      for (int axis = 0; axis < 3; ++axis) {
        const double slope = of(static_cast<std::size_t>(1 + axis));
        value.gradient[axis] += 2 * w * of(0) * slope;
        value.tau += 0.5 * w * slope * slope;
      }
      for (std::size_t k = 0; k < 6; ++k) {
        value.hessian[k] += 2 * w *
                            (of(0) * of(4 + k) + of(static_cast<std::size_t>(1 + first_axis[k])) *
                                                     of(static_cast<std::size_t>(1 + second_axis[k])));
      }
    }
  }
  return values;
}

}  // namespace isolume
