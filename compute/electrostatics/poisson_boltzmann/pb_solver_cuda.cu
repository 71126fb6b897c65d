// The Poisson-Boltzmann solver on CUDA: conjugate gradients preconditioned by multigrid cycles, as on the CPU.
#include <algorithm>
#include <cmath>
#include <memory>

#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/electrostatics/poisson_boltzmann/pb_kernels.cuh"
#include "compute/electrostatics/poisson_boltzmann/pb_solver.h"

namespace isolume {
namespace {

struct Level {
  glm::ivec3 n{0};
  DeviceArray<float> cx, cy, cz, kappa, inverse, u, source, residual;

  std::size_t size() const {
    return static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y) * static_cast<std::size_t>(n.z);
  }
  View view() const { return {n.x, n.y, n.z, cx.data(), cy.data(), cz.data(), kappa.data(), inverse.data()}; }
};

constexpr CudaDim cube{block_x, block_y, block_z};

CudaDim cubes(glm::ivec3 nodes, int along_x = 1) {
  const auto parts = [](int count, unsigned block) {
    return (static_cast<unsigned>(std::max(count, 0)) + block - 1) / block;
  };
  return {parts((nodes.x + along_x - 1) / along_x, block_x), parts(nodes.y, block_y), parts(nodes.z, block_z)};
}

class Solver {
 public:
  Solver(const PbProblem& p, const PoissonBoltzmannOptions& options, std::span<double> u, Device device, Job& job)
      : p_(p), options_(options), host_(u), job_(job), stream_(device) {
    const auto up = [&](const std::vector<float>& values) {
      return DeviceArray<float>::from_host(values, stream_, "Poisson-Boltzmann: coefficients");
    };
    Level finest;
    finest.n = p.counts;
    finest.cx = up(p.cx);
    finest.cy = up(p.cy);
    finest.cz = up(p.cz);
    finest.kappa = up(p.kappa);
    if (p.nonlinear) kappa_ = up(p.kappa);
    source_ = up(p.source);
    levels_.push_back(std::move(finest));
    u_ = DeviceArray<double>::from_host(u, stream_, "Poisson-Boltzmann: potential");
    for (DeviceArray<float>* array : {&residual_, &direction_, &image_, &change_}) {
      *array = floats(p.size());
      clear(*array);
    }
    parts_ = DeviceArray<double>(sum_blocks, stream_, "Poisson-Boltzmann: sums");
    Level& level = levels_.front();
    level.inverse = floats(level.size());
    level.residual = floats(level.size());
    clear(level.residual);
    while (true) {
      const glm::ivec3 n = levels_.back().n;
      if ((n.x & 1) == 0 || (n.y & 1) == 0 || (n.z & 1) == 0 || std::min({n.x, n.y, n.z}) < 5) break;
      Level next;
      next.n = (n - 1) / 2 + 1;
      for (DeviceArray<float>* array :
           {&next.cx, &next.cy, &next.cz, &next.kappa, &next.inverse, &next.u, &next.source, &next.residual}) {
        *array = floats(next.size());
        clear(*array);
      }
      levels_.push_back(std::move(next));
    }
  }

  PbProgress solve() {
    PbProgress progress;
    std::vector<double> zero(host_.begin(), host_.end());
    for (int k = 1; k + 1 < p_.counts.z; ++k)
      for (int j = 1; j + 1 < p_.counts.y; ++j)
        std::fill_n(zero.begin() + static_cast<std::ptrdiff_t>(p_.index({1, j, k})), p_.counts.x - 2, 0.0);
    DeviceArray<double> start = DeviceArray<double>::from_host(zero, stream_, "Poisson-Boltzmann: potential");
    const double reference = residual(start);
    double now = residual(u_);
    if (!(now < reference) && reference > 0) {
      u_.swap(start);
      now = residual(u_);
    }
    start = {};
    if (reference > 0) iterate(now, reference, progress);
    const std::vector<double> result = u_.copy_to_host();
    std::copy(result.begin(), result.end(), host_.begin());
    return progress;
  }

 private:
  DeviceArray<float> floats(std::size_t count) { return {count, stream_, "Poisson-Boltzmann: grids"}; }
  void clear(DeviceArray<float>& array) {
    launch("Poisson-Boltzmann: clear", stream_, fill_kernel, blocks_for(array.size()), {256, 1, 1}, array.data(),
           array.size());
  }
  /// With the ions' own coefficients.
  View equation() const {
    View view = levels_.front().view();
    if (p_.nonlinear) view.kappa = kappa_.data();
    return view;
  }

  void iterate(double now, double reference, PbProgress& progress) {
    const double goal = options_.tolerance * reference;
    bool prepared = false;
    for (progress.steps = 0; now > goal && progress.cycles < options_.most_cycles; ++progress.steps) {
      if (p_.nonlinear)
        launch("Poisson-Boltzmann: slopes", stream_, slope_kernel, cubes(p_.counts - 2), cube, equation(), p_.ions,
               u_.data(), levels_.front().kappa.data());
      if (!prepared || p_.nonlinear) prepare();
      prepared = true;
      const double wanted = p_.nonlinear ? std::max(goal, std::min(0.1, 10 * now / reference) * now) : goal;
      now = conjugate_gradients(now, wanted, goal, reference, progress);
      if (!std::isfinite(now)) break;
    }
    progress.residual = now / reference;
  }

  void prepare() {
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      Level& level = levels_[l];
      launch("Poisson-Boltzmann: diagonal", stream_, inverse_kernel, cubes(level.n - 2), cube, level.view(),
             level.inverse.data());
      if (l + 1 == levels_.size()) break;
      Level& next = levels_[l + 1];
      launch("Poisson-Boltzmann: coarser", stream_, coarser_kernel, cubes(next.n), cube, level.view(), next.view(),
             next.cx.data(), next.cy.data(), next.cz.data(), next.kappa.data());
    }
  }

  double residual(const DeviceArray<double>& u) {
    launch("Poisson-Boltzmann: residual", stream_, exact_residual_kernel, cubes(p_.counts - 2), cube, equation(),
           p_.ions, p_.nonlinear, source_.data(), u.data(), residual_.data());
    return norm(residual_);
  }

  double dot(const DeviceArray<float>& a, const DeviceArray<float>& b) {
    launch("Poisson-Boltzmann: sums", stream_, dot_kernel, {sum_blocks, 1, 1}, {sum_threads, 1, 1}, a.data(), b.data(),
           a.size(), parts_.data());
    double sum = 0;
    for (const double part : parts_.copy_to_host()) sum += part;
    return sum;
  }
  double norm(const DeviceArray<float>& a) { return std::sqrt(dot(a, a) / static_cast<double>(a.size())); }
  void add(DeviceArray<float>& a, double scale, const DeviceArray<float>& b) {
    launch("Poisson-Boltzmann: sums of vectors", stream_, add_kernel, blocks_for(a.size()), {256, 1, 1}, a.data(),
           static_cast<float>(scale), b.data(), a.size());
  }

  void sweep(const Level& level, const float* source, float* u, int first) {
    for (const int colour : {first, 1 - first})
      launch("Poisson-Boltzmann: smooth", stream_, smooth_kernel, cubes(level.n - 2, 2), cube, level.view(), colour,
             source, u);
  }

  void descend(std::size_t at, const float* source, float* u) {
    constexpr int sweeps = 2;
    Level& level = levels_[at];
    if (at + 1 == levels_.size()) {
      launch("Poisson-Boltzmann: coarsest", stream_, coarsest_kernel, {1, 1, 1}, {512, 1, 1}, level.view(), 24, source,
             u);
      return;
    }
    Level& coarse = levels_[at + 1];
    for (int i = 0; i < sweeps; ++i) sweep(level, source, u, 0);
    launch("Poisson-Boltzmann: residual", stream_, residual_kernel, cubes(level.n - 2), cube, level.view(), source, u,
           level.residual.data());
    launch("Poisson-Boltzmann: restrict", stream_, restrict_kernel, cubes(coarse.n - 2), cube, level.view(),
           coarse.view(), level.residual.data(), coarse.source.data());
    clear(coarse.u);
    descend(at + 1, coarse.source.data(), coarse.u.data());
    launch("Poisson-Boltzmann: prolong", stream_, prolong_kernel, cubes(level.n - 2), cube, level.view(), coarse.view(),
           coarse.u.data(), u);
    for (int i = 0; i < sweeps; ++i) sweep(level, source, u, 1);
  }

  /// As on the CPU.
  double conjugate_gradients(double now, double wanted, double goal, double reference, PbProgress& progress) {
    clear(change_);
    double along = 0, left = now;
    while (progress.cycles < options_.most_cycles) {
      job_.check();
      clear(image_);
      descend(0, residual_.data(), image_.data());
      ++progress.cycles;
      const double next = dot(residual_, image_);
      if (along == 0) {
        direction_.swap(image_);
      } else {
        launch("Poisson-Boltzmann: sums of vectors", stream_, turn_kernel, blocks_for(direction_.size()), {256, 1, 1},
               direction_.data(), static_cast<float>(next / along), image_.data(), direction_.size());
      }
      along = next;
      launch("Poisson-Boltzmann: residual", stream_, residual_kernel, cubes(p_.counts - 2), cube,
             levels_.front().view(), nullptr, direction_.data(), image_.data());
      const double bend = -dot(direction_, image_);
      if (!(bend > 0)) break;
      add(change_, along / bend, direction_);
      add(residual_, along / bend, image_);
      const double before = left;
      left = norm(residual_);
      job_.progress(std::clamp(std::log(left / reference) / std::log(options_.tolerance), 0.0, 1.0),
                    "Poisson-Boltzmann");
      if (left <= 0.5 * wanted || left <= 1e-5 * now || (left > 0.9 * before && left < 0.1 * now)) break;
    }
    double moved = 0, step = 1;
    for (int halved = 0;; ++halved) {
      launch("Poisson-Boltzmann: sums of vectors", stream_, move_kernel, blocks_for(u_.size()), {256, 1, 1}, u_.data(),
             step - moved, change_.data(), u_.size());
      moved = step;
      const double after = residual(u_);
      if (!p_.nonlinear || after < now || after <= goal || halved == 8) return after;
      step /= 2;
    }
  }

  const PbProblem& p_;
  const PoissonBoltzmannOptions& options_;
  std::span<double> host_;
  Job& job_;
  Stream stream_;
  std::vector<Level> levels_;
  DeviceArray<float> source_, kappa_, residual_, direction_, image_, change_;
  DeviceArray<double> u_, parts_;
};

}  // namespace

PbProgress pb_solve_cuda(const PbProblem& problem, const PoissonBoltzmannOptions& options, std::span<double> u,
                         Device device, Job& job) {
  return Solver(problem, options, u, device, job).solve();
}

}  // namespace isolume
