// The real harmonics by which tables about sites are kept on CUDA: from powers of x, y and z.
#include "compute/electron_density/mesh/site_harmonics.h"

#include <Eigen/LU>
#include <cmath>

#include "compute/electron_density/hermite_density.h"

namespace isolume {
namespace {

/// A polynomial of one degree, by its powers in the order of hermite_powers().
struct Polynomial {
  int degree = 0;
  std::vector<double> of;

  explicit Polynomial(int n) : degree(n), of(static_cast<std::size_t>((n + 1) * (n + 2) / 2), 0.0) {}
  static std::size_t place(int t, int u, int v) {
    const int n = t + u + v;
    return static_cast<std::size_t>(hermite_place(t, u, v) - (n > 0 ? hermite_count(n - 1) : 0));
  }
  /// Adds `factor` times x^i y^j z^k `other`.
  void add(double factor, const Polynomial& other, int i, int j, int k) {
    for (int t = 0; t <= other.degree; ++t) {
      for (int u = 0; t + u <= other.degree; ++u) {
        const int v = other.degree - t - u;
        of[place(t + i, u + j, v + k)] += factor * other.of[place(t, u, v)];
      }
    }
  }
  /// r^2 times this.
  Polynomial outer() const {
    Polynomial result(degree + 2);
    result.add(1, *this, 2, 0, 0);
    result.add(1, *this, 0, 2, 0);
    result.add(1, *this, 0, 0, 2);
    return result;
  }
};

/// Y_l., in their order.
std::vector<Polynomial> harmonics(int degree) {
  std::vector<Polynomial> all;
  Polynomial cosine(0), sine(0);  // those of l = m
  cosine.of[0] = 1;
  for (int m = 0; m <= degree; ++m) {
    if (m > 0) {
      const double ratio = m == 1 ? 1 : std::sqrt((2.0 * m - 1) / (2.0 * m));
      Polynomial next_cosine(m), next_sine(m);
      next_cosine.add(ratio, cosine, 1, 0, 0);
      next_cosine.add(-ratio, sine, 0, 1, 0);
      next_sine.add(ratio, cosine, 0, 1, 0);
      next_sine.add(ratio, sine, 1, 0, 0);
      cosine = std::move(next_cosine);
      sine = std::move(next_sine);
    }
    for (const bool of_sine : {false, true}) {
      if (of_sine && m == 0) continue;
      Polynomial now = of_sine ? sine : cosine, before(0);
      for (int l = m + 1; l <= degree; ++l) {
        const double root = std::sqrt(static_cast<double>(l * l - m * m));
        Polynomial next(l);
        next.add((2 * l - 1) / root, now, 0, 0, 1);
        if (l > m + 1)
          next.add(-std::sqrt(static_cast<double>((l - 1) * (l - 1) - m * m)) / root, before.outer(), 0, 0, 0);
        before = std::move(now);
        now = std::move(next);
      }
      all.push_back(now);
    }
  }
  return all;
}

}  // namespace

std::vector<double> harmonics_of_powers(int degree) {
  const int size = (degree + 1) * (degree + 2) / 2;
  Eigen::MatrixXd powers(size, size);  // of the harmonics, by columns
  int column = 0;
  for (int n = 0; 2 * n <= degree; ++n) {
    for (Polynomial polynomial : harmonics(degree - 2 * n)) {
      for (int i = 0; i < n; ++i) polynomial = polynomial.outer();
      for (int p = 0; p < size; ++p) powers(p, column) = polynomial.of[static_cast<std::size_t>(p)];
      ++column;
    }
  }
  const Eigen::MatrixXd inverse = powers.inverse();
  std::vector<double> matrix;
  for (int r = 0; r < size; ++r) {
    for (int p = 0; p < size; ++p) matrix.push_back(inverse(r, p));
  }
  return matrix;
}

}  // namespace isolume
