// Fields that follow from the density and its derivatives.
#include "compute/electron_density/density_measures.h"

#include <algorithm>

#include "compute/electron_density/density_measure_math.h"

namespace isolume {
namespace {

PointDensity point_density(const DensityDerivatives& of) {
  PointDensity to;
  to.density = of.density;
  for (int axis = 0; axis < 3; ++axis) to.gradient[axis] = of.gradient[axis];
  std::ranges::copy(of.hessian, to.hessian);
  to.tau = of.tau;
  return to;
}

double scalar(DensityMeasure measure, const DensityDerivatives& a, const DensityDerivatives& b) {
  DensityDerivatives total = a;
  total += b;
  return density_math::value_of(measure, point_density(a), point_density(b), point_density(total));
}

}  // namespace

const std::vector<DensityMeasureInfo>& density_measures() {
  using M = DensityMeasure;
  constexpr auto value = DensityOrder::value, gradient = DensityOrder::gradient, hessian = DensityOrder::hessian;
  static const std::vector<DensityMeasureInfo> all{
      {M::electron, "electron", "electron density", "bohr^-3", value, false},
      {M::spin, "spin", "spin density", "bohr^-3", value, true},
      {M::alpha, "alpha", "alpha density", "bohr^-3", value, true},
      {M::beta, "beta", "beta density", "bohr^-3", value, true},
      {M::gradient, "gradient", "gradient of the density", "bohr^-4", gradient, false},
      {M::hessian, "hessian", "Hessian of the density", "bohr^-5", hessian, false},
      {M::laplacian, "laplacian", "Laplacian of the density", "bohr^-5", hessian, false},
      {M::lambda2, "lambda2", "middle eigenvalue of the Hessian", "bohr^-5", hessian, false},
      {M::tau, "tau", "kinetic-energy density", "hartree bohr^-3", gradient, false},
      {M::tau_alpha, "tau-alpha", "alpha kinetic-energy density", "hartree bohr^-3", gradient, true},
      {M::tau_beta, "tau-beta", "beta kinetic-energy density", "hartree bohr^-3", gradient, true},
      {M::elf, "elf", "electron localization function", "1", gradient, false},
      {M::elf_alpha, "elf-alpha", "electron localization function of alpha", "1", gradient, true},
      {M::elf_beta, "elf-beta", "electron localization function of beta", "1", gradient, true},
      {M::elf_spin, "elf-spin", "spin-polarised electron localization function", "1", gradient, true},
      {M::lol, "lol", "localized orbital locator", "1", gradient, false},
      {M::lol_spin, "lol-spin", "spin-polarised localized orbital locator", "1", gradient, true},
      {M::rdg, "rdg", "reduced density gradient", "1", gradient, false},
      {M::sign_lambda2, "sign-lambda2", "sign(lambda2) rho", "bohr^-3", hessian, false},
      {M::dori, "dori", "density overlap regions indicator", "1", hessian, false},
  };
  return all;
}

const DensityMeasureInfo* find_density_measure(const std::string& name) {
  for (const DensityMeasureInfo& info : density_measures()) {
    if (name == info.name) return &info;
  }
  return nullptr;
}

std::vector<double> measure_values(DensityMeasure measure, const DensityDerivatives& alpha,
                                   const DensityDerivatives& beta) {
  DensityDerivatives total = alpha;
  total += beta;
  if (measure == DensityMeasure::gradient) return {total.gradient.x, total.gradient.y, total.gradient.z};
  if (measure == DensityMeasure::hessian) return {total.hessian.begin(), total.hessian.end()};
  return {scalar(measure, alpha, beta)};
}

double measure_value(DensityMeasure measure, const DensityDerivatives& alpha, const DensityDerivatives& beta) {
  return scalar(measure, alpha, beta);
}

double middle_eigenvalue(const std::array<double, 6>& hessian) {
  double values[6];
  std::ranges::copy(hessian, values);
  return density_math::middle_of(values);
}

}  // namespace isolume
