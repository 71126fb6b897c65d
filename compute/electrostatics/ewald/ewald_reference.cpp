// Ewald's sum in double precision.
#include "compute/electrostatics/ewald/ewald_reference.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "compute/base/gauss_legendre.h"
#include "compute/electrostatics/charges/direct_math.h"
#include "compute/electrostatics/pairs/pair_function.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

using units::pi;
constexpr double euler_gamma = 0.57721566490153286061;
constexpr double deep = 6.2;  // erfc(6.2) = 1.8e-18, exp(-6.2^2) = 2e-17

/// Ein(z) = gamma + ln z + E1(z) = sum_k (-1)^(k+1) z^k / (k k!).
double ein(double z) {
  if (z > 2) return euler_gamma + std::log(z) - std::expint(-z);
  double term = -1;
  double sum = 0;
  for (int k = 1; k < 40; ++k) {
    term *= -z / k;
    sum += term / k;
  }
  return sum;
}

/// Integral from 0 to alpha of du/u exp(-g^2/(4u^2) - rho^2 u^2), with u = alpha exp(-s).
double line_integral(double g, double rho, double alpha) {
  static const QuadratureRule rule = gauss_legendre(40);
  const double b = g * g / (4 * alpha * alpha);
  const double c = rho * rho * alpha * alpha;
  const double end = 0.5 * std::log(std::max(42.0 / b, 1.0 + 1e-9));
  double sum = 0;
  const int pieces = 2;
  for (int piece = 0; piece < pieces; ++piece) {
    for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
      const double s = end * (piece + 0.5 * (rule.nodes[i] + 1)) / pieces;
      sum += rule.weights[i] * std::exp(-b * std::exp(2 * s) - c * std::exp(-2 * s));
    }
  }
  return sum * end / (2 * pieces);
}

}  // namespace

EwaldKernel::EwaldKernel(const Cell& cell, std::array<bool, 3> periodic) {
  int at = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    if (periodic[i]) vectors_[at++] = cell.vectors[static_cast<int>(i)];
  }
  axes_ = at;
  if (axes_ == 1) {
    const glm::dvec3 free =
        std::abs(vectors_[0].x) > 0.8 * glm::length(vectors_[0]) ? glm::dvec3(0, 1, 0) : glm::dvec3(1, 0, 0);
    vectors_[1] = glm::cross(vectors_[0], free);
  }
  if (axes_ == 1 || axes_ == 2) vectors_[2] = glm::cross(vectors_[0], vectors_[1]);
  for (int i = axes_; i < 3; ++i) {
    if (axes_ > 0 && glm::length(vectors_[i]) > 0) vectors_[i] = glm::normalize(vectors_[i]);
  }
  const double volume = std::abs(glm::determinant(vectors_));
  if (axes_ > 0 && !(volume > 0)) {
    throw Error("Ewald sum: the cell has no volume along its periodic axes", Error::Kind::usage);
  }
  if (axes_ == 0) return;
  measure_ = volume;  // the axes beyond are unit vectors across
  reciprocal_ = 2 * pi * glm::transpose(glm::inverse(vectors_));
  alpha_ = std::sqrt(pi) / std::pow(measure_, 1.0 / axes_);
  const double highest = 2 * alpha_ * deep;
  for (int i = 0; i < axes_; ++i) {
    images_[i] = static_cast<int>(std::ceil(deep / alpha_ * glm::length(reciprocal_[i]) / (2 * pi))) + 1;
    waves_[i] = static_cast<int>(std::ceil(highest * glm::length(vectors_[i]) / (2 * pi)));
  }
}

double EwaldKernel::operator()(glm::dvec3 d) const {
  if (axes_ == 0) {
    const double r = glm::length(d);
    return r < coincidence ? 0 : 1 / r;
  }
  // Into the cell around 0, so that the sums below are centred.
  for (int i = 0; i < axes_; ++i) {
    d -= vectors_[i] * std::round(glm::dot(reciprocal_[i], d) / (2 * pi));
  }
  if (axes_ == 3) return three(d, true);
  return axes_ == 2 ? two(d, true) : one(d, true);
}

double EwaldKernel::real_space(glm::dvec3 d, bool leave_out_zero) const {
  double sum = 0;
  const double reach = deep / alpha_;
  for (int c = -images_.z; c <= images_.z; ++c) {
    for (int b = -images_.y; b <= images_.y; ++b) {
      for (int a = -images_.x; a <= images_.x; ++a) {
        const double r = glm::length(d + vectors_ * glm::dvec3(a, b, c));
        if (r > reach) continue;
        if (leave_out_zero && r < coincidence) {
          sum -= 2 * alpha_ / std::sqrt(pi);
        } else {
          sum += std::erfc(alpha_ * r) / r;
        }
      }
    }
  }
  return sum;
}

double EwaldKernel::three(glm::dvec3 d, bool leave_out_zero) const {
  double sum = real_space(d, leave_out_zero) - pi / (alpha_ * alpha_ * measure_);
  for (int c = 0; c <= waves_.z; ++c) {
    for (int b = c == 0 ? 0 : -waves_.y; b <= waves_.y; ++b) {
      for (int a = c == 0 && b == 0 ? 1 : -waves_.x; a <= waves_.x; ++a) {
        const glm::dvec3 k = reciprocal_ * glm::dvec3(a, b, c);
        const double k2 = glm::dot(k, k);
        const double decay = k2 / (4 * alpha_ * alpha_);
        if (decay > deep * deep) continue;
        sum += 8 * pi / (measure_ * k2) * std::exp(-decay) * std::cos(glm::dot(k, d));
      }
    }
  }
  return sum;
}

double EwaldKernel::two(glm::dvec3 d, bool leave_out_zero) const {
  const double z = std::abs(glm::dot(d, vectors_[2]));
  double sum = real_space(d, leave_out_zero);
  sum -= 2 * std::sqrt(pi) / measure_ *
         (std::exp(-alpha_ * alpha_ * z * z) / alpha_ + std::sqrt(pi) * z * std::erf(alpha_ * z));
  for (int b = 0; b <= waves_.y; ++b) {
    for (int a = b == 0 ? 1 : -waves_.x; a <= waves_.x; ++a) {
      const glm::dvec3 k = reciprocal_ * glm::dvec3(a, b, 0);
      const double g = glm::length(k);
      if (g > 2 * alpha_ * deep) continue;
      const double up = g / (2 * alpha_) + alpha_ * z;  // up^2 >= 2 g z
      const double down = g / (2 * alpha_) - alpha_ * z;
      double part = std::exp(-g * z) * std::erfc(down);
      if (up < 25) part += std::exp(g * z) * std::erfc(up);
      sum += 2 * pi / (measure_ * g) * std::cos(glm::dot(k, d)) * part;
    }
  }
  return sum;
}

double EwaldKernel::one(glm::dvec3 d, bool leave_out_zero) const {
  const glm::dvec3 along = glm::normalize(vectors_[0]);
  const double x = glm::dot(along, d);
  const double rho = glm::length(d - x * along);
  double sum = real_space(d, leave_out_zero);
  sum += (2 * std::log(alpha_ * measure_) + euler_gamma - ein(alpha_ * alpha_ * rho * rho)) / measure_;
  for (int a = 1; a <= waves_.x; ++a) {
    const double g = 2 * pi * a / measure_;
    sum += 4 / measure_ * std::cos(g * x) * line_integral(g, rho, alpha_);
  }
  return sum;
}

double EwaldKernel::smooth(glm::dvec3 d, double a, int smoothing) const {
  for (int i = 0; i < axes_; ++i) {
    d -= vectors_[i] * std::round(glm::dot(reciprocal_[i], d) / (2 * pi));
  }
  const TaylorGamma gamma(smoothing);
  double sum = (*this)(d);
  glm::ivec3 count(0);
  for (int i = 0; i < axes_; ++i) {
    count[i] = static_cast<int>(std::ceil(a * glm::length(reciprocal_[i]) / (2 * pi))) + 1;
  }
  for (int k = -count.z; k <= count.z; ++k) {
    for (int j = -count.y; j <= count.y; ++j) {
      for (int i = -count.x; i <= count.x; ++i) {
        const double r = glm::length(d + vectors_ * glm::dvec3(i, j, k));
        if (r >= a) continue;
        sum += gamma(r * r / (a * a)) / a;
        if (r >= coincidence) sum -= 1 / r;
      }
    }
  }
  return sum;
}

void ewald_potential_reference(std::span<const PointCharge> charges, const Cell& cell, std::array<bool, 3> periodic,
                               std::span<const glm::dvec3> points, std::span<double> potential) {
  if (points.size() != potential.size()) throw Error("Ewald sum: as many values as points are needed");
  const EwaldKernel kernel(cell, periodic);
  for (std::size_t i = 0; i < points.size(); ++i) {
    double sum = 0;
    for (const PointCharge& c : charges) {
      sum += static_cast<double>(c.charge) * kernel(points[i] - glm::dvec3(c.position));
    }
    potential[i] = units::coulomb_volt_angstrom * sum;
  }
}

}  // namespace isolume
