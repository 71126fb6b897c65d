// Potential and field vectors at points by the sums over all charges.
#include "compute/electrostatics/potential_field.h"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "compute/electrostatics/charges/direct_math.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

/// What a charge gives at a distance, and its derivative.
struct Radial {
  double value = 0;
  double slope = 0;
};

/// radial(charge, r): in units of e/angstrom.
template <class Charge, class Function>
void sum_radial(std::span<const Charge> charges, std::span<const glm::dvec3> points, double scale,
                std::span<double> potential, std::span<glm::dvec3> field, const Function& radial) {
  if (potential.size() != points.size() || (!field.empty() && field.size() != points.size())) {
    throw Error("potential: as many values as points are needed", Error::Kind::usage);
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    double sum = 0;
    glm::dvec3 gradient(0);
    for (const Charge& c : charges) {
      const glm::dvec3 d = points[i] - glm::dvec3(c.position);
      const double r = glm::length(d);
      if (r < coincidence) continue;
      const Radial f = radial(c, r);
      sum += f.value;
      gradient += f.slope / r * d;
    }
    potential[i] = scale * sum;
    if (!field.empty()) field[i] = -scale * gradient;
  }
}

/// 1/r times the window of a cutoff sum.
Radial cutoff_radial(const CutoffOptions& options, double r) {
  const double rc2 = options.cutoff * options.cutoff;
  const double rs2 = options.switching * options.switching;
  double window = 1;
  double slope = 0;
  if (options.form == CutoffForm::shifted) {
    const double t = 1 - r * r / rc2;
    window = t * t;
    slope = -4 * t * r / rc2;
  } else if (options.form == CutoffForm::switched && r * r > rs2) {
    const double t = rc2 - r * r;
    const double u = rc2 + 2 * r * r - 3 * rs2;
    const double scale = 1 / ((rc2 - rs2) * (rc2 - rs2) * (rc2 - rs2));
    window = t * t * u * scale;
    slope = (-4 * r * t * u + 4 * r * t * t) * scale;
  }
  return {window / r, slope / r - window / (r * r)};
}

}  // namespace

double dielectric_slope(const Dielectric& dielectric, double r) {
  if (dielectric.kind == Dielectric::Kind::constant) return 0;
  // The derivative of (x^2 + 2x + 2) exp(-x) is -x^2 exp(-x).
  const double x = r * dielectric.slope;
  return 0.5 * (dielectric.bulk - 1) * x * x * std::exp(-x) * dielectric.slope;
}

void direct_field(std::span<const PointCharge> charges, std::span<const glm::dvec3> points, std::span<double> potential,
                  std::span<glm::dvec3> field) {
  sum_radial(charges, points, units::coulomb_volt_angstrom, potential, field, [](const PointCharge& c, double r) {
    const double v = static_cast<double>(c.charge) / r;
    return Radial{v, -v / r};
  });
}

void cutoff_field(std::span<const PointCharge> charges, std::span<const glm::dvec3> points,
                  const CutoffOptions& options, std::span<double> potential, std::span<glm::dvec3> field) {
  sum_radial(charges, points, units::coulomb_volt_angstrom, potential, field, [&](const PointCharge& c, double r) {
    if (r >= options.cutoff) return Radial{};
    const auto q = static_cast<double>(c.charge);
    const Radial f = cutoff_radial(options, r);
    const double eps = options.dielectric(r);
    return Radial{q * f.value / eps, q * (f.slope - f.value * dielectric_slope(options.dielectric, r) / eps) / eps};
  });
}

void debye_hueckel_field(std::span<const ChargedSphere> spheres, std::span<const glm::dvec3> points,
                         const DebyeHueckelOptions& options, std::span<double> potential, std::span<glm::dvec3> field) {
  const double kappa = options.inverse_debye_length();
  sum_radial(spheres, points, units::coulomb_volt_angstrom / options.permittivity, potential, field,
             [&](const ChargedSphere& s, double r) {
               const auto radius = static_cast<double>(s.radius);
               const double v =
                   static_cast<double>(s.charge) * std::exp(-kappa * (r - radius)) / ((1 + kappa * radius) * r);
               return Radial{v, -v * (kappa + 1 / r)};
             });
}

void debye_hueckel_gradient(std::span<const ChargedSphere> spheres, std::span<const glm::dvec3> points,
                            const DebyeHueckelOptions& options, std::span<FieldGradient> gradients) {
  if (gradients.size() != points.size())
    throw Error("gradients of a field: as many values as points are needed", Error::Kind::usage);
  const double kappa = options.inverse_debye_length();
  const double scale = units::coulomb_volt_angstrom / options.permittivity;
  for (std::size_t i = 0; i < points.size(); ++i) {
    FieldGradient sum{};
    for (const ChargedSphere& s : spheres) {
      const glm::dvec3 d = points[i] - glm::dvec3(s.position);
      const double r = glm::length(d);
      if (r < coincidence) continue;
      const auto radius = static_cast<double>(s.radius);
      const double v = static_cast<double>(s.charge) * std::exp(-kappa * (r - radius)) / ((1 + kappa * radius) * r);
      // V'/r, and (V'' - V'/r) / r^2.
      const double slope = -v * (kappa + 1 / r) / r;
      const double bend = v * ((kappa + 3 / r) * kappa + 3 / (r * r)) / (r * r);
      sum[0] -= slope + bend * d.x * d.x;
      sum[1] -= slope + bend * d.y * d.y;
      sum[2] -= slope + bend * d.z * d.z;
      sum[3] -= bend * d.x * d.y;
      sum[4] -= bend * d.x * d.z;
      sum[5] -= bend * d.y * d.z;
    }
    for (double& value : sum) value *= scale;
    gradients[i] = sum;
  }
}

double principal_gradient(const FieldGradient& g) {
  Eigen::Matrix3d matrix;
  matrix << g[0], g[3], g[4], g[3], g[1], g[5], g[4], g[5], g[2];
  const Eigen::Vector3d values =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(matrix, Eigen::EigenvaluesOnly).eigenvalues();  // ascending
  return std::abs(values[0]) > std::abs(values[2]) ? values[0] : values[2];
}

}  // namespace isolume
