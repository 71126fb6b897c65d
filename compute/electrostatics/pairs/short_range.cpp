// ShortRange: fitting the smooth function.
#include "compute/electrostatics/pairs/short_range.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "compute/electrostatics/pairs/pair_function.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {

SmoothKernel SmoothKernel::of_ewald(double alpha) {
  SmoothKernel k;
  k.kind = Kind::erf;
  k.alpha = alpha;
  return k;
}

SmoothKernel SmoothKernel::of_msm(double a, int smoothing) {
  SmoothKernel k;
  k.kind = Kind::taylor;
  k.a = a;
  const TaylorGamma gamma(smoothing);
  for (int i = 0; i <= gamma.order; ++i) k.b[i] = gamma.b[i];
  return k;
}

ShortRange ShortRange::fit(const SmoothKernel& smooth, double cutoff) {
  ShortRange f;
  f.cutoff = cutoff;
  const double c2 = cutoff * cutoff;
  f.cutoff2 = static_cast<float>(c2);
  f.scale = static_cast<float>(2 / c2);
  f.offset = -1;
  const auto value = [&](double t) {
    double slope = 0;
    return smooth.value(std::sqrt(std::max(0.0, (t + 1) * c2 / 2)), &slope);
  };
  // Chebyshev's coefficients by the discrete cosine sum.
  constexpr int nodes = 64;
  double series[nodes] = {};
  for (int i = 0; i < nodes; ++i) {
    const double angle = units::pi * (i + 0.5) / nodes;
    const double v = value(std::cos(angle));
    for (int k = 0; k < nodes; ++k) series[k] += (k == 0 ? 1.0 : 2.0) / nodes * v * std::cos(k * angle);
  }
  const double limit = 1e-9 * std::abs(value(-1));
  f.terms = nodes;
  while (f.terms > 1 && std::abs(series[f.terms - 1]) < limit) --f.terms;
  if (f.terms > most) {
    throw Error(fmt::format("pairs: a cutoff of {} angstrom is too large for the smooth function", cutoff),
                Error::Kind::usage);
  }
  // To powers of t: T_(k+1) = 2 t T_k - T_(k-1).
  std::vector<double> power(nodes, 0.0);
  std::vector<double> before(nodes, 0.0);
  std::vector<double> now(nodes, 0.0);
  now[0] = 1;
  for (int k = 0; k < f.terms; ++k) {
    for (int i = 0; i < f.terms; ++i)
      power[static_cast<std::size_t>(i)] += series[k] * now[static_cast<std::size_t>(i)];
    std::vector<double> next(nodes, 0.0);
    for (std::size_t i = 0; i + 1 < nodes; ++i) next[i + 1] = (k == 0 ? 1 : 2) * now[i];
    for (std::size_t i = 0; i < nodes; ++i) next[i] -= before[i];
    before = now;
    now = next;
  }
  for (int k = 0; k < f.terms; ++k) {
    f.energy[k] = static_cast<float>(power[static_cast<std::size_t>(k)]);
    // -1/r d/dr of E(t) = -2 dE/d(r^2).
    if (k > 0) f.force[k - 1] = static_cast<float>(-2 * k * power[static_cast<std::size_t>(k)] * 2 / c2);
  }
  for (int i = 0; i <= 1000; ++i) {
    const float r2 = static_cast<float>(c2 * i / 1000);
    const float t = r2 * f.scale + f.offset;
    float sum = 0;
    for (int k = f.terms - 1; k >= 0; --k) sum = sum * t + f.energy[k];
    f.error = std::max(f.error, std::abs(static_cast<double>(sum) - value(2 * static_cast<double>(r2) / c2 - 1)));
  }
  f.error /= std::abs(value(-1));
  return f;
}

}  // namespace isolume
