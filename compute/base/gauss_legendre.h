// Nodes and weights of Gauss and Legendre.
#pragma once

#include <vector>

namespace isolume {

struct QuadratureRule {
  std::vector<double> nodes, weights;
};

/// The rule of `count` nodes on [-1, 1], from the largest node down: exact for polynomials of degree 2 count - 1. Roots
/// of the Legendre polynomial by Newton's method (Abramowitz and Stegun 25.4.29), to rounding.
QuadratureRule gauss_legendre(int count);

}  // namespace isolume
