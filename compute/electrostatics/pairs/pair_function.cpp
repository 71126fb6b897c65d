// PairFunction: constants of the pair sums.
#include "compute/electrostatics/pairs/pair_function.h"

#include <cmath>

#include "molecule/base/units.h"

namespace isolume {

TaylorGamma::TaylorGamma(int order_) : order(order_) {
  double binomial = 1;  // (-1/2 over k)
  for (int k = 0; k <= order; ++k) {
    // binomial (s - 1)^k, by powers of s.
    double term = binomial;
    for (int j = k; j >= 0; --j) {
      b[j] += term;
      term *= -static_cast<double>(j) / static_cast<double>(k - j + 1);
    }
    binomial *= (-0.5 - k) / (k + 1.0);
  }
}

double TaylorGamma::operator()(double s) const {
  if (s >= 1) return 1 / std::sqrt(s);
  double sum = 0;
  for (int k = order; k >= 0; --k) sum = sum * s + b[k];
  return sum;
}

PairFunction PairFunction::cutoff_sum(const CutoffOptions& options) {
  PairFunction f;
  switch (options.form) {
    case CutoffForm::plain:
      f.kind = Kind::plain;
      break;
    case CutoffForm::shifted:
      f.kind = Kind::shifted;
      break;
    case CutoffForm::switched:
      f.kind = Kind::switched;
      break;
  }
  const double c2 = options.cutoff * options.cutoff;
  const double s2 = options.switching * options.switching;
  f.cutoff = options.cutoff;
  f.cutoff2 = static_cast<float>(c2);
  f.inverse_cutoff2 = static_cast<float>(1 / c2);
  f.switching2 = static_cast<float>(s2);
  f.switch_scale = static_cast<float>(1 / ((c2 - s2) * (c2 - s2) * (c2 - s2)));
  f.scale = units::coulomb_volt_angstrom;
  f.sigmoidal = options.dielectric.kind == Dielectric::Kind::sigmoidal;
  f.bulk = static_cast<float>(options.dielectric.bulk);
  f.slope = static_cast<float>(options.dielectric.slope);
  if (!f.sigmoidal) f.scale /= options.dielectric.bulk;
  return f;
}

PairFunction PairFunction::msm_short_range(double a, int order, bool refine) {
  PairFunction f;
  f.kind = Kind::taylor;
  f.cutoff = a;
  f.cutoff2 = static_cast<float>(a * a);
  f.inverse_cutoff2 = static_cast<float>(1 / (a * a));
  f.scale = units::coulomb_volt_angstrom;
  f.order = order;
  f.refine = refine;
  const TaylorGamma gamma(order);
  double power = 1 / a;
  for (int k = 0; k <= order; ++k) {
    f.coefficient[k] = static_cast<float>(gamma.b[k] * power);
    power /= a * a;
  }
  return f;
}

}  // namespace isolume
