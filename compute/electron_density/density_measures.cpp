// Fields that follow from the density and its derivatives.
#include "compute/electron_density/density_measures.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/base/parallel_for.h"
#include "compute/base/tiles.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

/// 3/10 (3 pi^2)^(2/3), of a density of paired electrons; of one spin with 6 pi^2.
const double kinetic_paired = 0.3 * std::pow(3 * units::pi * units::pi, 2.0 / 3);
const double kinetic_spin = 0.3 * std::pow(6 * units::pi * units::pi, 2.0 / 3);

double uniform(double factor, double density) {
  return density > 0 ? factor * std::pow(density, 5.0 / 3) : 0.0;
}

double excess(const DensityDerivatives& of) {
  return of.density > 0 ? of.tau - glm::dot(of.gradient, of.gradient) / (8 * of.density) : 0.0;
}

double localisation(double excess, double uniform) {
  if (!(uniform > 0)) return 0;
  const double ratio = excess / uniform;
  return 1 / (1 + ratio * ratio);
}

double orbital_localisation(double uniform, double tau) {
  return uniform > 0 ? uniform / (uniform + tau) : 0.0;
}

double reduced_gradient(const DensityDerivatives& of) {
  if (!(of.density > 0)) return std::numeric_limits<double>::infinity();
  const double factor = 2 * std::cbrt(3 * units::pi * units::pi);
  return glm::length(of.gradient) / (factor * std::pow(of.density, 4.0 / 3));
}

double scalar(DensityMeasure measure, const DensityDerivatives& a, const DensityDerivatives& b) {
  DensityDerivatives total = a;
  total += b;
  switch (measure) {
    case DensityMeasure::electron:
      return total.density;
    case DensityMeasure::spin:
      return a.density - b.density;
    case DensityMeasure::alpha:
      return a.density;
    case DensityMeasure::beta:
      return b.density;
    case DensityMeasure::gradient:
      return glm::length(total.gradient);
    case DensityMeasure::hessian: {
      double largest = 0;
      for (const double value : total.hessian) largest = std::max(largest, std::abs(value));
      return largest;
    }
    case DensityMeasure::laplacian:
      return total.laplacian();
    case DensityMeasure::lambda2:
      return middle_eigenvalue(total.hessian);
    case DensityMeasure::tau:
      return total.tau;
    case DensityMeasure::tau_alpha:
      return a.tau;
    case DensityMeasure::tau_beta:
      return b.tau;
    case DensityMeasure::elf:
      return localisation(excess(total), uniform(kinetic_paired, total.density));
    case DensityMeasure::elf_alpha:
      return localisation(excess(a), uniform(kinetic_spin, a.density));
    case DensityMeasure::elf_beta:
      return localisation(excess(b), uniform(kinetic_spin, b.density));
    case DensityMeasure::elf_spin:
      return localisation(excess(a) + excess(b), uniform(kinetic_spin, a.density) + uniform(kinetic_spin, b.density));
    case DensityMeasure::lol:
      return orbital_localisation(uniform(kinetic_paired, total.density), total.tau);
    case DensityMeasure::lol_spin:
      return orbital_localisation(uniform(kinetic_spin, a.density) + uniform(kinetic_spin, b.density), total.tau);
    case DensityMeasure::rdg:
      return reduced_gradient(total);
    case DensityMeasure::sign_lambda2: {
      const double middle = middle_eigenvalue(total.hessian);
      return middle > 0 ? total.density : middle < 0 ? -total.density : 0.0;
    }
  }
  return 0;
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

double middle_eigenvalue(const std::array<double, 6>& h) {
  // By rotations: the closed form loses half of the digits where two eigenvalues are equal, as at symmetric places.
  Eigen::Matrix3d matrix;
  matrix << h[0], h[1], h[2], h[1], h[3], h[4], h[2], h[4], h[5];
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(matrix, Eigen::EigenvaluesOnly).eigenvalues()[1];
}

void measure_on_grid(const SpinEvaluator& evaluator, const DensityMeasureInfo& measure, const Grid& grid,
                     std::span<float> values, Job& job) {
  constexpr int side = 4;
  const Tiling runs{grid.counts, {16 * side, side, side}};
  parallel_for(runs.size(), job, measure.title, [&](std::size_t r) {
    std::array<glm::dvec3, DensityEvaluator::batch> points;
    std::array<DensityDerivatives, DensityEvaluator::batch> alpha, beta;
    std::array<std::size_t, DensityEvaluator::batch> places;
    const glm::ivec3 begin = runs.tile(r) * runs.side;
    const glm::ivec3 end = glm::min(begin + runs.side, grid.counts);
    for (int x = begin.x; x < end.x; x += side) {
      job.check();
      std::size_t count = 0;
      for (int k = begin.z; k < end.z; ++k) {
        for (int j = begin.y; j < end.y; ++j) {
          for (int i = x; i < std::min(x + side, end.x); ++i, ++count) {
            points[count] = units::angstrom_in_bohr * grid.point(i, j, k);
            places[count] = grid.index(i, j, k);
          }
        }
      }
      evaluator.evaluate({points.data(), count}, measure.order, {alpha.data(), count}, {beta.data(), count});
      for (std::size_t n = 0; n < count; ++n) {
        const double value = scalar(measure.measure, alpha[n], beta[n]);
        values[places[n]] = static_cast<float>(std::min(value, 1e30));
      }
    }
  });
}

}  // namespace isolume
