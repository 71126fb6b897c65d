// Gaussian functions written out from their definition, to hold the recursions against.
#pragma once

#include <cmath>
#include <cstddef>
#include <glm/glm.hpp>
#include <vector>

#include "molecule/base/units.h"
#include "molecule/quantum/basis.h"
#include "molecule/quantum/solid_harmonics.h"

namespace isolume::test {

/// r^l Y_lm(theta, phi) exp(-a r^2), normalised to 1, with real spherical harmonics from associated Legendre functions
/// (std::assoc_legendre has no Condon-Shortley phase).
inline double spherical_gaussian(double a, int l, int m, glm::dvec3 d) {
  const double r = glm::length(d);
  const unsigned order = static_cast<unsigned>(std::abs(m));
  const double cosine = r > 0 ? d.z / r : 1.0;
  const double phi = std::atan2(d.y, d.x);
  double ratio = 1;  // (l-m)! / (l+m)!
  for (int k = l - std::abs(m) + 1; k <= l + std::abs(m); ++k) ratio /= k;
  const double angular = std::sqrt((2 * l + 1) / (4 * units::pi) * ratio) *
                         std::assoc_legendre(static_cast<unsigned>(l), order, cosine) *
                         (m == 0 ? 1.0 : std::sqrt(2.0) * (m > 0 ? std::cos(order * phi) : std::sin(order * phi)));
  const double radial = std::sqrt(2 * std::pow(2 * a, l + 1.5) / std::tgamma(l + 1.5));
  return radial * angular * std::pow(r, l) * std::exp(-a * r * r);
}

/// x^i y^j z^k exp(-a r^2), normalised to 1: the integral of each factor squared is Gamma(i + 1/2) / (2a)^(i + 1/2).
inline double cartesian_gaussian(double a, glm::ivec3 powers, glm::dvec3 d) {
  double value = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const double half = powers[axis] + 0.5;
    value *= std::pow(d[axis], powers[axis]) * std::exp(-a * d[axis] * d[axis]) /
             std::sqrt(std::tgamma(half) / std::pow(2 * a, half));
  }
  return value;
}

/// All functions of a shell at a displacement from its centre (bohr).
inline std::vector<double> shell_values(const Shell& shell, glm::dvec3 d) {
  std::vector<double> values(shell.function_count(), 0.0);
  const std::vector<glm::ivec3> powers = cartesian_powers(shell.l);
  for (std::size_t k = 0; k < shell.exponents.size(); ++k) {
    for (std::size_t f = 0; f < values.size(); ++f) {
      values[f] += shell.coefficients[k] *
                   (shell.spherical ? spherical_gaussian(shell.exponents[k], shell.l, static_cast<int>(f) - shell.l, d)
                                    : cartesian_gaussian(shell.exponents[k], powers[f], d));
    }
  }
  return values;
}

}  // namespace isolume::test
