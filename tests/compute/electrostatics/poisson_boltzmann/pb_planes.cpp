// Poisson-Boltzmann at planes: a charge below an electrolyte, and the non-linear layer of Gouy and Chapman.
#include <fmt/format.h>
#include <math.h>

#include <map>
#include <utility>

#include "compute/electrostatics/poisson_boltzmann/pb_media.h"
#include "compute/electrostatics/poisson_boltzmann/pb_solver.h"
#include "compute/electrostatics/poisson_boltzmann/pb_stage.h"
#include "tests/compute/base/devices.h"
#include "tests/compute/electrostatics/poisson_boltzmann/pb_solution.h"

namespace isolume {
namespace {

using namespace test;
using PoissonBoltzmannPlane = OnDevice;
ISOLUME_ON_EVERY_DEVICE(PoissonBoltzmannPlane);

PbProgress solve(Device device, const PbProblem& problem, const PoissonBoltzmannOptions& options,
                 std::vector<double>& u) {
  Job job;
  return device.is_cuda() ? pb_solve_cuda(problem, options, u, device, job) : pb_solve_cpu(problem, options, u, job);
}

bool on_face(const PbProblem& problem, std::size_t node) {
  const glm::ivec3 place = problem.place(node);
  return glm::any(glm::equal(place, glm::ivec3(0))) || glm::any(glm::equal(place, problem.counts - 1));
}

/// A unit charge at (0, 0, -h) in a medium e1 without ions, an electrolyte e2 above z = 0. The potential of each wave
/// J0(s rho) is continuous at the plane, and so is eps d/dz, with exp(s z) below and exp(-g z), g^2 = s^2 + kappa^2,
/// above: what is added below to Coulomb's is
///     l / e1 integral of (e1 s - e2 g) / (e1 s + e2 g) J0(s rho) exp(s (z - h)) ds,
/// and above all is l / e1 integral of 2 e1 s / (e1 s + e2 g) J0(s rho) exp(-s h - g z) ds. kT/e.
struct Interface {
  double e1, e2, kappa, h;

  double below(double rho, double z) const {
    return bjerrum / e1 *
           integral(rho, h - z, [&](double s, double g) { return (e1 * s - e2 * g) / (e1 * s + e2 * g); });
  }
  double above(double rho, double z) const {
    return bjerrum / e1 *
           integral(rho, h, [&](double s, double g) { return 2 * e1 * s / (e1 * s + e2 * g) * std::exp(-g * z); });
  }

 private:
  /// By Simpson's rule in t, s = end t^2, up to where the exponential is 1e-13, at 60 points or more of the fastest
  /// wave: the share changes most where s is about kappa, far below the end.
  template <class Share>
  double integral(double rho, double depth, const Share& share) const {
    const double end = 30 / depth;
    const int n = 2 * static_cast<int>(std::ceil(std::max(200.0, 60 * 2 * end * rho / (2 * units::pi)) / 2));
    double sum = 0;
    for (int i = 1; i <= n; ++i) {  // at 0 there is nothing
      const double t = static_cast<double>(i) / n, s = end * t * t, weight = i == n ? 1 : i % 2 == 1 ? 4 : 2;
      sum += weight * t * share(s, std::sqrt(s * s + kappa * kappa)) * ::j0(s * rho) * std::exp(-s * depth);
    }
    return 2 * end * sum / n / 3;
  }
};

// Values of pb-computed, analytic.json (plane_I015), which come of the same integrals with 15 digits.
TEST(PoissonBoltzmannInterface, has_the_reference_values) {
  const Interface exact{2, 78.54, 0.12728218167158462, 3};
  EXPECT_NEAR(exact.below(0, -3), -45.296123315924305, 1e-4);
  EXPECT_NEAR(exact.above(std::hypot(5.479121, 1.222431), 8.60635), 0.25336030261498366, 1e-6);
  // Without ions it is Kelvin's image.
  const Interface plain{2, 78.54, 0, 3};
  EXPECT_NEAR(plain.below(4, -2), bjerrum / 2 * (2 - 78.54) / (2 + 78.54) / std::hypot(4, 5), 1e-5);
}

/// The RMS error over the RMS value, below and above the plane.
glm::dvec2 error_at_interface(Device device, double step, double strength) {
  PoissonBoltzmannOptions options = salt(strength, 0);
  const Interface exact{2, 78.54, options.inverse_debye_length(), 3};
  PbProblem problem;
  problem.counts = glm::ivec3(static_cast<int>(std::lround(24 / step)) + 1);
  problem.step = glm::dvec3(step);
  problem.origin = glm::dvec3(-12, -12, -12 - 0.4 * step);
  const std::vector<ChargedSphere> atoms{{{0, 0, -3}, 1, 1}};
  std::vector<float> depth(problem.size());
  for (std::size_t node = 0; node < problem.size(); ++node) depth[node] = static_cast<float>(-problem.point(node).z);
  Job job;
  pb_discretise(atoms, atoms, PbMedia{}, depth, depth, options, problem, job);
  // Eight places of a layer have one value, which is an integral.
  std::map<std::pair<double, double>, double> known;
  const auto value = [&](std::size_t node) {
    const glm::dvec3 at = problem.point(node);
    const auto [place, is_new] = known.try_emplace({at.x * at.x + at.y * at.y, at.z});
    const double rho = std::hypot(at.x, at.y);
    if (is_new) place->second = at.z < 0 ? exact.below(rho, at.z) : exact.above(rho, at.z);
    return place->second;
  };
  std::vector<double> u(problem.size(), 0.0);
  for (std::size_t node = 0; node < problem.size(); ++node)
    if (on_face(problem, node)) u[node] = value(node);
  EXPECT_LE(solve(device, problem, options, u).residual, options.tolerance);
  glm::dvec2 squares(0.0), values(0.0);
  for (std::size_t node = 0; node < problem.size(); ++node) {
    const glm::dvec3 at = problem.point(node);
    // At the same places along x and y with all steps.
    if (on_face(problem, node) || at.x != std::round(at.x) || at.y != std::round(at.y)) continue;
    const int side = at.z < 0 ? 0 : 1;
    squares[side] += std::pow(u[node] - value(node), 2);
    values[side] += std::pow(value(node), 2);
  }
  return {std::sqrt(squares[0] / values[0]), std::sqrt(squares[1] / values[1])};
}

TEST_P(PoissonBoltzmannPlane, of_an_electrolyte_has_the_potential_of_a_charge_below_it) {
  std::vector<glm::dvec2> errors;
  for (const double step : {1.0, 0.5, 0.25}) {
    errors.push_back(error_at_interface(GetParam(), step, 0.15));
    RecordProperty(fmt::format("below_and_above_at_{}", step),
                   fmt::format("{:.2g} {:.2g}", errors.back()[0], errors.back()[1]));
  }
  EXPECT_LT(errors[1][0], 1e-3);
  // Above, no more than of an electrolyte that begins a quarter of a step off: a factor of exp(kappa h / 4).
  EXPECT_LT(errors[1][1], salt(0.15, 0).inverse_debye_length() * 0.5 / 4);
  EXPECT_LT(errors[2][1], salt(0.15, 0).inverse_debye_length() * 0.25 / 4);
  for (const int side : {0, 1}) {
    EXPECT_LT(errors[1][side], 0.6 * errors[0][side]);
    EXPECT_LT(errors[2][side], 0.6 * errors[1][side]);
  }
}

/// A plane of charge with the electrolyte on both sides: Gouy, J. Phys. 9, 457 (1910); Chapman, Philos. Mag. 25, 475
/// (1913). kT/e.
struct GouyChapman {
  double density;  ///< e/angstrom^2 that each side answers to
  double kappa, permittivity;

  double at_plane() const { return 2 * std::asinh(2 * units::pi * bjerrum * density / (permittivity * kappa)); }
  double at(double z) const { return 4 * std::atanh(std::tanh(at_plane() / 4) * std::exp(-kappa * std::abs(z))); }
};

/// The largest error over the potential at the plane.
double error_of_layer(Device device, double step, double strength, double density) {
  PoissonBoltzmannOptions options = salt(strength, 0);
  options.nonlinear = true;
  options.tolerance = 1e-7;
  const GouyChapman exact{density, options.inverse_debye_length(), options.solvent_permittivity};
  PbProblem problem;
  const int across = static_cast<int>(std::lround(8 / step));
  problem.counts = {across + 1, across + 1, 4 * across + 1};
  problem.step = glm::dvec3(step);
  problem.origin = glm::dvec3(-4, -4, -16);
  const auto permittivity = static_cast<float>(options.solvent_permittivity);
  problem.cx.assign(problem.size(), permittivity);
  problem.cy = problem.cz = problem.cx;
  problem.kappa.assign(problem.size(),
                       static_cast<float>(step * step * options.solvent_permittivity * exact.kappa * exact.kappa));
  problem.source.assign(problem.size(), 0.0f);
  problem.inside.assign(problem.size(), 0);
  problem.nonlinear = true;
  problem.ions = pb_ions(options);
  std::vector<double> u(problem.size(), 0.0);
  for (std::size_t node = 0; node < problem.size(); ++node) {
    const double z = problem.point(node).z;
    // A charge of 2 sigma in the plane is one of 2 sigma / step in the cells of its nodes.
    if (z == 0)
      problem.source[node] = static_cast<float>(step * step * 4 * units::pi * pb_bjerrum(options) * 2 * density / step);
    if (on_face(problem, node)) u[node] = exact.at(z);
  }
  const PbProgress progress = solve(device, problem, options, u);
  EXPECT_LE(progress.residual, options.tolerance);
  double most = 0;
  for (std::size_t node = 0; node < problem.size(); ++node)
    most = std::max(most, std::abs(u[node] - exact.at(problem.point(node).z)));
  return most / std::abs(exact.at_plane());
}

TEST_P(PoissonBoltzmannPlane, with_charge_has_the_layer_of_gouy_and_chapman) {
  // pb-computed, analytic.json: gouy_chapman_I01 and gouy_chapman_I001.
  EXPECT_NEAR((GouyChapman{0.01, salt(0.1, 0).inverse_debye_length(), 78.54}.at_plane()), 4.336504964537373, 1e-6);
  EXPECT_NEAR((GouyChapman{-0.002, salt(0.01, 0).inverse_debye_length(), 78.54}.at_plane()), -3.4578833142332255, 1e-6);
  EXPECT_NEAR((GouyChapman{0.01, salt(0.1, 0).inverse_debye_length(), 78.54}.at(3)), 2.661041751660702, 1e-6);
  for (const auto& [strength, density] : {std::pair(0.1, 0.01), std::pair(0.01, -0.002)}) {
    std::vector<double> errors;
    for (const double step : {1.0, 0.5, 0.25}) {
      errors.push_back(error_of_layer(GetParam(), step, strength, density));
      RecordProperty(fmt::format("errors_at_{}_with_{}", strength, step), fmt::format("{:.3g}", errors.back()));
    }
    // Of second order: that of differences over a potential that bends within 1 / (kappa cosh(phi / 2)).
    const GouyChapman exact{density, salt(strength, 0).inverse_debye_length(), 78.54};
    const double width = 1 / (exact.kappa * std::cosh(exact.at_plane() / 2));
    EXPECT_LT(errors[1], 1.25 * std::pow(0.5 / width, 2) / 12) << strength;
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.3) << strength;
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2, 0.2) << strength;
  }
}

}  // namespace
}  // namespace isolume
