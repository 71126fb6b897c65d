// The Poisson-Boltzmann solver in plain double precision: Newton's steps by conjugate gradients.
#include <cmath>

#include "compute/electrostatics/poisson_boltzmann/pb_solver.h"

namespace isolume {

PbProgress pb_solve_reference(const PbProblem& p, const PoissonBoltzmannOptions& options, std::span<double> u) {
  const std::size_t x = 1, y = static_cast<std::size_t>(p.counts.x), z = y * static_cast<std::size_t>(p.counts.y);
  std::vector<std::size_t> nodes;
  for (int k = 1; k + 1 < p.counts.z; ++k)
    for (int j = 1; j + 1 < p.counts.y; ++j)
      for (int i = 1; i + 1 < p.counts.x; ++i) nodes.push_back(p.index({i, j, k}));
  const auto coefficient = [](const std::vector<float>& c, std::size_t at) { return static_cast<double>(c[at]); };
  // The edges' part of the equation.
  const auto edges = [&](std::span<const double> v, std::size_t n) {
    return coefficient(p.cx, n) * (v[n] - v[n + x]) + coefficient(p.cx, n - x) * (v[n] - v[n - x]) +
           coefficient(p.cy, n) * (v[n] - v[n + y]) + coefficient(p.cy, n - y) * (v[n] - v[n - y]) +
           coefficient(p.cz, n) * (v[n] - v[n + z]) + coefficient(p.cz, n - z) * (v[n] - v[n - z]);
  };
  std::vector<double> residual(p.size(), 0.0), slopes(p.size(), 0.0);
  const auto evaluate = [&](std::span<const double> v) {
    double sum = 0;
    for (const std::size_t n : nodes) {
      const double kappa = coefficient(p.kappa, n);
      double slope = 1;
      const double term = p.nonlinear ? pb_ion_term(p.ions, v[n], slope) : v[n];
      slopes[n] = kappa * slope;
      residual[n] = coefficient(p.source, n) - edges(v, n) - kappa * term;
      sum += residual[n] * residual[n];
    }
    return std::sqrt(sum / static_cast<double>(p.size()));
  };
  std::vector<double> zero(u.begin(), u.end());
  for (const std::size_t n : nodes) zero[n] = 0;
  PbProgress progress;
  const double reference = evaluate(zero);
  double now = evaluate(u);
  if (reference == 0) return progress;
  std::vector<double> change(p.size(), 0.0), direction(p.size(), 0.0), image(p.size(), 0.0), left;
  for (progress.steps = 0; now > options.tolerance * reference && progress.steps < 50; ++progress.steps) {
    left = residual;
    std::fill(change.begin(), change.end(), 0.0);
    double along = 0, first = 0;
    for (int cycle = 0; cycle < 5000; ++cycle, ++progress.cycles) {
      double next = 0;
      for (const std::size_t n : nodes) next += left[n] * left[n];
      if (cycle == 0) first = next;
      if (next <= 1e-16 * first) break;
      for (const std::size_t n : nodes) direction[n] = left[n] + (cycle == 0 ? 0.0 : next / along) * direction[n];
      double bend = 0;
      for (const std::size_t n : nodes) {
        image[n] = edges(direction, n) + slopes[n] * direction[n];
        bend += direction[n] * image[n];
      }
      for (const std::size_t n : nodes) {
        change[n] += next / bend * direction[n];
        left[n] -= next / bend * image[n];
      }
      along = next;
    }
    const std::vector<double> before(u.begin(), u.end());
    double after = 0;
    for (double step = 1; step > 1e-3; step /= 2) {
      for (const std::size_t n : nodes) u[n] = before[n] + step * change[n];
      after = evaluate(u);
      if (after < now) break;
    }
    now = after;
  }
  progress.residual = now / reference;
  return progress;
}

}  // namespace isolume
