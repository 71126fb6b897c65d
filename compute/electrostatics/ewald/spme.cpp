// Smooth particle-mesh Ewald: checks, completion of the options, and the choice of the body.
#include "compute/electrostatics/ewald/spme.h"
#include "compute/electrostatics/ewald/spme_bodies.h"
#include "compute/fft/fft_plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "compute/base/memory.h"
#include "compute/electrostatics/ewald/spme_plan.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

using units::pi;

[[noreturn]] void fail(const std::string& message) {
  throw Error("SPME: " + message, Error::Kind::usage);
}

bool good_factors(int n) {
  for (const int p : {2, 3, 5, 7}) {
    while (n % p == 0) n /= p;
  }
  return n == 1;
}

/// alpha with erfc(alpha r) = tolerance.
double find_alpha(double cutoff, double tolerance) {
  double low = 0;
  double high = 10;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(middle) > tolerance ? low : high) = middle;
  }
  return low / cutoff;
}

/// The least distance between opposite faces.
double least_width(const Cell& cell) {
  const glm::dmat3 dual = glm::transpose(glm::inverse(cell.vectors));
  return 1 / std::max({glm::length(dual[0]), glm::length(dual[1]), glm::length(dual[2])});
}

}  // namespace

double largest_cutoff(const Cell& cell) {
  return least_width(cell) / 2;
}

double usual_cutoff(double usual, const Cell& cell) {
  // Not the very half: rounding must not make it too large.
  return cell.exists() ? std::min(usual, (1 - 1e-9) * largest_cutoff(cell)) : usual;
}

SpmeOptions complete_spme(const SpmeOptions& options, const Cell& cell) {
  SpmeOptions o = options;
  if (!cell.exists()) fail("the system has no periodic cell; expected one (direct and msm do without)");
  const glm::dvec3 edges = cell.lengths();
  if (!std::isfinite(edges.x * edges.y * edges.z) || !(cell.volume() > 1e-3 * edges.x * edges.y * edges.z)) {
    fail("the cell is too flat");
  }
  if (o.order < 4 || o.order > 8) fail(fmt::format("splines of order {}; expected 4 to 8", o.order));
  if (!(o.cutoff > 0) || !std::isfinite(o.cutoff)) {
    fail(fmt::format("a cutoff of {} angstrom; expected more than 0", o.cutoff));
  }
  const double most = largest_cutoff(cell);
  if (o.cutoff > most) {
    fail(
        fmt::format("a cutoff of {:.4g} angstrom does not fit into the cell; the largest that does is {:.4g}, half of "
                    "the least distance between its faces",
                    o.cutoff, std::floor(most * 1000) / 1000));
  }
  if (o.alpha == 0) {
    if (!(o.tolerance > 1e-12 && o.tolerance < 0.1)) {
      fail(fmt::format("a tolerance of {}; expected 1e-12 to 0.1", o.tolerance));
    }
    o.alpha = find_alpha(o.cutoff, o.tolerance);
  }
  if (!(o.alpha > 0) || !std::isfinite(o.alpha) || o.alpha * o.cutoff > 8) {
    fail(fmt::format("alpha = {} / angstrom with a cutoff of {}; expected more than 0 and a product of at most 8",
                     o.alpha, o.cutoff));
  }
  for (int axis = 0; axis < 3; ++axis) {
    int& n = o.mesh[axis];
    if (n == 0) {
      if (!(o.spacing > 0) || !std::isfinite(o.spacing)) {
        fail(fmt::format("a mesh spacing of {} angstrom; expected more than 0", o.spacing));
      }
      const double wanted = std::ceil(edges[axis] / o.spacing - 1e-9);
      if (wanted > 4096) fail(fmt::format("a mesh of {:.0f} points along an edge; expected at most 4096", wanted));
      n = good_fft_size(std::max(static_cast<int>(wanted), 2 * o.order));
    }
    if (n < o.order || n > 4096) {
      fail(fmt::format("a mesh of {} points along edge {}; expected {} (the order of the splines) to 4096", n,
                       "abc"[axis], o.order));
    }
    if (!good_factors(n)) {
      fail(fmt::format("a mesh of {} points along edge {} has prime factors above 7; the next size that fits is {}", n,
                       "abc"[axis], good_fft_size(n, false)));
    }
  }
  return o;
}

std::string describe(const SpmeOptions& o) {
  return fmt::format("rc = {:.4g} A, alpha = {:.5g} 1/A, mesh {} x {} x {}, order {}", o.cutoff, o.alpha, o.mesh.x,
                     o.mesh.y, o.mesh.z, o.order);
}

std::size_t spme_memory(std::size_t atoms, const SpmeOptions& options, const Cell& cell, Device device) {
  const SpmeOptions o = complete_spme(options, cell);
  const auto x = static_cast<std::size_t>(o.mesh.x), y = static_cast<std::size_t>(o.mesh.y);
  const auto z = static_cast<std::size_t>(o.mesh.z);
  constexpr std::size_t rest = std::size_t{1} << 20;
  // Charges, spectrum, influence, and cuFFT's own workspace.
  if (device.is_cuda()) return (x + 8) * y * z * 16 + atoms * 120 + rest;
  // Charges in padded rows; the half spectrum by planes of 16 z and by lines of 16 y, with its influence.
  const auto sixteens = [](std::size_t n) { return (n + 15) / 16 * 16; };
  const std::size_t waves = x / 2 + 1;
  return sixteens(x + 8) * y * z * 4 + waves * (sixteens(z) * y * 8 + sixteens(y) * z * 12) + atoms * 200 + rest;
}

std::vector<double> spline_moduli(int order, int n) {
  std::vector<double> at_integers(static_cast<std::size_t>(order), 0.0);
  std::vector<double> slope(static_cast<std::size_t>(order));
  // The weights at w = 0 are M_n(n - 1), ..., M_n(1), M_n(0) = 0.
  with_order(order, [&](auto p) { bspline<p.value>(0.0, at_integers.data(), slope.data()); });
  std::vector<double> moduli(static_cast<std::size_t>(n), 0.0);
  for (int m = 0; m < n; ++m) {
    if (2 * m == n) continue;
    double re = 0;
    double im = 0;
    for (int k = 0; k < order; ++k) {
      const double phase = 2 * pi * m * k / n;
      re += at_integers[static_cast<std::size_t>(k)] * std::cos(phase);
      im += at_integers[static_cast<std::size_t>(k)] * std::sin(phase);
    }
    moduli[static_cast<std::size_t>(m)] = 1 / (re * re + im * im);
  }
  return moduli;
}

SpmeTables::SpmeTables(const SpmeOptions& options, const Cell& cell) {
  inverse = glm::inverse(cell.vectors);
  influence.factor = units::coulomb_kcal_angstrom / (pi * cell.volume());
  influence.exponent = pi * pi / (options.alpha * options.alpha);
  const glm::dmat3 dual = glm::transpose(inverse);
  for (int a = 0; a < 3; ++a) {
    moduli[a] = spline_moduli(options.order, options.mesh[a]);
    influence.moduli[a] = moduli[a].data();
    influence.n[a] = options.mesh[a];
    for (int c = 0; c < 3; ++c) influence.dual[3 * a + c] = dual[a][c];
  }
}

void SpmeTables::gradient(const SpmeOptions& options, double (&g)[9]) const {
  for (int a = 0; a < 3; ++a) {
    for (int c = 0; c < 3; ++c) g[3 * a + c] = options.mesh[a] * influence.dual[3 * a + c];
  }
}

namespace {

std::unique_ptr<Electrostatics> make(ElectrostaticProblem problem, const SpmeOptions& options, bool pairs,
                                     Device device) {
  problem.check("SPME");
  const SpmeOptions complete = complete_spme(options, problem.cell);
  require_memory(spme_memory(problem.atoms(), complete, problem.cell, device), device, "SPME");
  if (device.is_cuda()) return spme_cuda(std::move(problem), complete, pairs, device);
  return spme_cpu(std::move(problem), complete, pairs);
}

}  // namespace

std::unique_ptr<Electrostatics> spme_electrostatics(ElectrostaticProblem problem, const SpmeOptions& options,
                                                    Device device) {
  return make(std::move(problem), options, true, device);
}

std::unique_ptr<Electrostatics> spme_mesh(ElectrostaticProblem problem, const SpmeOptions& options, Device device) {
  return make(std::move(problem), options, false, device);
}

}  // namespace isolume
