// The Poisson-Boltzmann solver on the CPU: conjugate gradients preconditioned by multigrid cycles.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "compute/base/timing.h"
#include "compute/electrostatics/poisson_boltzmann/pb_multigrid_cpu.h"
#include "compute/electrostatics/poisson_boltzmann/pb_solver.h"

namespace isolume {
namespace {

using Floats = std::vector<float>;

class Solver {
 public:
  Solver(const PbProblem& problem, const PoissonBoltzmannOptions& options, std::span<double> u, Job& job)
      : p_(problem),
        options_(options),
        u_(u),
        job_(job),
        residual_(p_.size(), 0.0f),
        direction_(residual_),
        image_(residual_),
        change_(residual_),
        kappa_(p_.nonlinear ? p_.kappa : Floats()) {}

  PbProgress solve() {
    const PhaseTimer timer("Poisson-Boltzmann: solve");
    PbProgress progress;
    // The tolerance is relative to the residual of u = 0 inside.
    std::vector<double> zero(u_.begin(), u_.end());
    clear(zero);
    const double reference = residual(zero);
    double now = residual(u_);
    if (!(now < reference) && reference > 0) {
      std::copy(zero.begin(), zero.end(), u_.begin());
      now = residual(u_);
    }
    if (reference == 0) return progress;
    const double goal = options_.tolerance * reference;
    std::unique_ptr<PbMultigrid> multigrid;
    for (progress.steps = 0; now > goal && progress.cycles < options_.most_cycles; ++progress.steps) {
      if (p_.nonlinear) linearise();
      if (!multigrid || p_.nonlinear)
        multigrid = std::make_unique<PbMultigrid>(p_, (p_.nonlinear ? kappa_ : p_.kappa).data());
      const double wanted = p_.nonlinear ? std::max(goal, std::min(0.1, 10 * now / reference) * now) : goal;
      now = conjugate_gradients(*multigrid, now, wanted, goal, reference, progress);
      if (!std::isfinite(now)) break;
    }
    progress.residual = now / reference;
    return progress;
  }

 private:
  void clear(std::vector<double>& values) const {
    for (int k = 1; k < p_.counts.z - 1; ++k)
      for (int j = 1; j < p_.counts.y - 1; ++j) {
        const auto row = static_cast<std::ptrdiff_t>(p_.counts.x) * (j + static_cast<std::ptrdiff_t>(p_.counts.y) * k);
        std::fill(values.begin() + row + 1, values.begin() + row + p_.counts.x - 1, 0.0);
      }
  }

  PbLevel view() const {
    PbLevel level;
    level.n = p_.counts;
    level.cx = p_.cx.data();
    level.cy = p_.cy.data();
    level.cz = p_.cz.data();
    level.kappa = p_.kappa.data();
    return level;
  }

  /// residual_ = what is left of the equation at u, in double precision; returns its RMS.
  double residual(std::span<const double> u) {
    const PbLevel level = view();
    level.rows([&](int, int, std::size_t at) {
      pb_residual_row(level.view(at), !p_.nonlinear, &p_.source[at], &u[at], &residual_[at]);
      if (!p_.nonlinear) return;
      for (std::size_t i = at + 1; i + 1 < at + static_cast<std::size_t>(level.n.x); ++i) {
        if (p_.kappa[i] == 0) continue;
        double slope = 0;
        residual_[i] -= p_.kappa[i] * static_cast<float>(pb_ion_term(p_.ions, u[i], slope));
      }
    });
    return norm(residual_);
  }

  void linearise() {
    const PbLevel level = view();
    level.rows([&](int, int, std::size_t at) {
      for (std::size_t i = at + 1; i + 1 < at + static_cast<std::size_t>(level.n.x); ++i) {
        if (p_.kappa[i] == 0) continue;
        double slope = 0;
        pb_ion_term(p_.ions, u_[i], slope);
        kappa_[i] = p_.kappa[i] * static_cast<float>(slope);
      }
    });
  }

  /// Calls body(first, count) for layers on all threads.
  template <class Body>
  void for_slabs(const Body& body) const {
    const std::size_t layer = static_cast<std::size_t>(p_.counts.x) * static_cast<std::size_t>(p_.counts.y);
    pb_for_layers(0, p_.counts.z, p_.size(), [&](int k) { body(layer * static_cast<std::size_t>(k), layer); });
  }
  double dot(const Floats& a, const Floats& b) {
    parts_.assign(static_cast<std::size_t>(p_.counts.z), 0.0);
    for_slabs([&](std::size_t at, std::size_t count) { parts_[at / count] = pb_dot(&a[at], &b[at], count); });
    return std::accumulate(parts_.begin(), parts_.end(), 0.0);
  }
  double norm(const Floats& a) { return std::sqrt(dot(a, a) / static_cast<double>(p_.size())); }
  /// image = - A direction; returns their product.
  double image_of_direction(const PbLevel& level) {
    parts_.assign(static_cast<std::size_t>(p_.counts.z), 0.0);
    const std::size_t layer = static_cast<std::size_t>(p_.counts.x) * static_cast<std::size_t>(p_.counts.y);
    pb_for_layers(1, p_.counts.z - 1, p_.size(), [&](int k) {
      for (int j = 1; j < p_.counts.y - 1; ++j) {
        const std::size_t at = level.row(j, k);
        pb_residual_row(level.view(at), nullptr, &direction_[at], &image_[at]);
      }
      const std::size_t at = layer * static_cast<std::size_t>(k);
      parts_[static_cast<std::size_t>(k)] = pb_dot(&direction_[at], &image_[at], layer);
    });
    return std::accumulate(parts_.begin(), parts_.end(), 0.0);
  }
  /// Moves the change along the direction, and the residual with it, whose norm is returned.
  double advance(float step) {
    parts_.assign(static_cast<std::size_t>(p_.counts.z), 0.0);
    for_slabs([&](std::size_t at, std::size_t count) {
      pb_add(&change_[at], step, &direction_[at], count);
      pb_add(&residual_[at], step, &image_[at], count);
      parts_[at / count] = pb_dot(&residual_[at], &residual_[at], count);
    });
    return std::sqrt(std::accumulate(parts_.begin(), parts_.end(), 0.0) / static_cast<double>(p_.size()));
  }

  /// Conjugate gradients preconditioned by multigrid cycles on the linear equation, until the residual is `wanted` or
  /// single precision is exhausted. Moves u and returns the residual of the equation itself.
  double conjugate_gradients(PbMultigrid& multigrid, double now, double wanted, double goal, double reference,
                             PbProgress& progress) {
    std::fill(change_.begin(), change_.end(), 0.0f);
    const PbLevel& level = multigrid.finest();
    double along = 0, left = now;
    while (progress.cycles < options_.most_cycles) {
      job_.check();
      multigrid.cycle(residual_, image_);
      ++progress.cycles;
      const double next = dot(residual_, image_);
      if (along == 0) {
        direction_.swap(image_);
      } else {
        turn(next / along);
      }
      along = next;
      // The image of the direction, with the other sign.
      const double bend = -image_of_direction(level);
      if (!(bend > 0)) break;
      const double before = left;
      left = advance(static_cast<float>(along / bend));
      job_.progress(std::clamp(std::log(left / reference) / std::log(options_.tolerance), 0.0, 1.0),
                    "Poisson-Boltzmann");
      if (left <= 0.5 * wanted || left <= 2e-7 * now || (left > 0.9 * before && left < 0.1 * now)) break;
    }
    const std::vector<double> before = p_.nonlinear ? std::vector<double>(u_.begin(), u_.end()) : std::vector<double>();
    double step = 1;
    for (int halved = 0;; ++halved) {
      for_slabs([&](std::size_t first, std::size_t count) {
        for (std::size_t at = first; at < first + count; ++at)
          u_[at] = (p_.nonlinear ? before[at] : u_[at]) + step * static_cast<double>(change_[at]);
      });
      const double after = residual(u_);
      if (!p_.nonlinear || after < now || after <= goal || halved == 8) return after;
      step /= 2;
    }
  }

  /// direction = image + share direction.
  void turn(double share) {
    for_slabs([&](std::size_t at, std::size_t count) {
      pb_turn(&direction_[at], static_cast<float>(share), &image_[at], count);
    });
  }

  const PbProblem& p_;
  const PoissonBoltzmannOptions& options_;
  std::span<double> u_;
  Job& job_;
  Floats residual_, direction_, image_, change_;
  std::vector<double> parts_;
  Floats kappa_;  // with the slope of the ions' term, where the equation is not linear
};

}  // namespace

PbProgress pb_solve_cpu(const PbProblem& problem, const PoissonBoltzmannOptions& options, std::span<double> u,
                        Job& job) {
  return Solver(problem, options, u, job).solve();
}

}  // namespace isolume
