// The Poisson-Boltzmann solver on CUDA: conjugate gradients preconditioned by multigrid cycles, as on the CPU.
#include <algorithm>
#include <cmath>
#include <memory>

#include "compute/base/cuda_graph.h"
#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/electrostatics/poisson_boltzmann/pb_device.h"
#include "compute/electrostatics/poisson_boltzmann/pb_kernels.cuh"

namespace isolume {
namespace {

struct Level {
  glm::ivec3 n{0};
  DeviceArray<float> cx, cy, cz, kappa, inverse, u, source, residual;
  View view{};

  std::size_t size() const {
    return static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y) * static_cast<std::size_t>(n.z);
  }
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
  Solver(const PbDeviceProblem& p, const PoissonBoltzmannOptions& options, DeviceArray<double>& u, Stream& stream,
         Job& job)
      : p_(p), options_(options), u_(u), job_(job), stream_(stream) {
    for (DeviceArray<float>* array : {&residual_, &direction_, &image_, &change_}) {
      *array = floats(u.size());
      clear(*array);
    }
    parts_ = DeviceArray<double>(sum_blocks, stream_, "Poisson-Boltzmann: sums");
    Level finest;
    finest.n = p.counts;
    finest.inverse = floats(u.size());
    finest.residual = floats(u.size());
    clear(finest.residual);
    if (p.nonlinear) {
      finest.kappa = floats(u.size());
      clear(finest.kappa);
    }
    finest.view = {p.counts.x,
                   p.counts.y,
                   p.counts.z,
                   p.cx.data(),
                   p.cy.data(),
                   p.cz.data(),
                   p.nonlinear ? finest.kappa.data() : p.kappa.data(),
                   finest.inverse.data()};
    levels_.push_back(std::move(finest));
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
      next.view = {next.n.x,       next.n.y,       next.n.z,          next.cx.data(),
                   next.cy.data(), next.cz.data(), next.kappa.data(), next.inverse.data()};
      levels_.push_back(std::move(next));
    }
  }

  PbProgress solve() {
    PbProgress progress;
    DeviceArray<double> start(u_.size(), stream_, "Poisson-Boltzmann: potential");
    launch("Poisson-Boltzmann: clear", stream_, only_faces_kernel, cubes(p_.counts), cube, levels_.front().view,
           u_.data(), start.data());
    const double reference = residual(start);
    double now = residual(u_);
    if (!(now < reference) && reference > 0) {
      u_.swap(start);
      now = residual(u_);
    }
    start = {};
    if (reference > 0) iterate(now, reference, progress);
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
    View view = levels_.front().view;
    view.kappa = p_.kappa.data();
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
      launch("Poisson-Boltzmann: diagonal", stream_, inverse_kernel, cubes(level.n - 2), cube, level.view,
             level.inverse.data());
      if (l + 1 == levels_.size()) break;
      Level& next = levels_[l + 1];
      launch("Poisson-Boltzmann: coarser", stream_, coarser_kernel, cubes(next.n), cube, level.view, next.view,
             next.cx.data(), next.cy.data(), next.cz.data(), next.kappa.data());
    }
  }

  double residual(const DeviceArray<double>& u) {
    launch("Poisson-Boltzmann: residual", stream_, exact_residual_kernel, cubes(p_.counts - 2), cube, equation(),
           p_.ions, p_.nonlinear, p_.source.data(), u.data(), residual_.data());
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
      launch("Poisson-Boltzmann: smooth", stream_, smooth_kernel, cubes(level.n - 2, 2), cube, level.view, colour,
             source, u);
  }

  void descend(std::size_t at, const float* source, float* u) {
    constexpr int sweeps = 1;
    Level& level = levels_[at];
    if (at + 1 == levels_.size()) {
      launch("Poisson-Boltzmann: coarsest", stream_, coarsest_kernel, {1, 1, 1}, {512, 1, 1}, level.view, 24, source,
             u);
      return;
    }
    Level& coarse = levels_[at + 1];
    for (int i = 0; i < sweeps; ++i) sweep(level, source, u, 0);
    launch("Poisson-Boltzmann: residual", stream_, residual_kernel, cubes(level.n - 2), cube, level.view, source, u,
           level.residual.data());
    launch("Poisson-Boltzmann: restrict", stream_, restrict_kernel, cubes(coarse.n - 2), cube, level.view, coarse.view,
           level.residual.data(), coarse.source.data());
    clear(coarse.u);
    descend(at + 1, coarse.source.data(), coarse.u.data());
    launch("Poisson-Boltzmann: prolong", stream_, prolong_kernel, cubes(level.n - 2), cube, level.view, coarse.view,
           coarse.u.data(), u);
    for (int i = 0; i < sweeps; ++i) sweep(level, source, u, 1);
  }

  /// image_ = a cycle of residual_. Its hundred launches are recorded once and started as one.
  void cycle() {
    const LaunchTimer timer("Poisson-Boltzmann: multigrid cycles", stream_.device().index, stream_.handle());
    const LaunchRecord::Join untimed(nullptr);
    const auto work = [&] {
      clear(image_);
      descend(0, residual_.data(), image_.data());
    };
    // The first time, kernels are still loaded.
    if (!warm_ || !cuda_graph_api().begin) {
      work();
      warm_ = true;
      return;
    }
    if (!recorded_) graph_ = CudaGraph::record(stream_, work);
    recorded_ = true;
    graph_.launch(stream_);
  }

  /// As on the CPU.
  double conjugate_gradients(double now, double wanted, double goal, double reference, PbProgress& progress) {
    clear(change_);
    clear(direction_);
    double along = 0, left = now;
    while (progress.cycles < options_.most_cycles) {
      job_.check();
      cycle();
      ++progress.cycles;
      const double next = dot(residual_, image_);
      launch("Poisson-Boltzmann: sums of vectors", stream_, turn_kernel, blocks_for(direction_.size()), {256, 1, 1},
             direction_.data(), static_cast<float>(along == 0 ? 0 : next / along), image_.data(), direction_.size());
      along = next;
      launch("Poisson-Boltzmann: residual", stream_, residual_kernel, cubes(p_.counts - 2), cube, levels_.front().view,
             nullptr, direction_.data(), image_.data());
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

  const PbDeviceProblem& p_;
  const PoissonBoltzmannOptions& options_;
  DeviceArray<double>& u_;
  Job& job_;
  Stream& stream_;
  std::vector<Level> levels_;
  DeviceArray<float> residual_, direction_, image_, change_;
  DeviceArray<double> parts_;
  CudaGraph graph_;
  bool warm_ = false, recorded_ = false;
};

}  // namespace

PbProgress pb_solve_on_device(const PbDeviceProblem& problem, const PoissonBoltzmannOptions& options,
                              DeviceArray<double>& u, Stream& stream, Job& job) {
  return Solver(problem, options, u, stream, job).solve();
}

PbProgress pb_solve_cuda(const PbProblem& p, const PoissonBoltzmannOptions& options, std::span<double> u, Device device,
                         Job& job) {
  Stream stream(device);
  const auto up = [&](const std::vector<float>& values) {
    return DeviceArray<float>::from_host(values, stream, "Poisson-Boltzmann: coefficients");
  };
  PbDeviceProblem problem;
  problem.counts = p.counts;
  problem.cx = up(p.cx);
  problem.cy = up(p.cy);
  problem.cz = up(p.cz);
  problem.kappa = up(p.kappa);
  problem.source = up(p.source);
  problem.ions = p.ions;
  problem.nonlinear = p.nonlinear;
  DeviceArray<double> values = DeviceArray<double>::from_host(u, stream, "Poisson-Boltzmann: potential");
  const PbProgress progress = pb_solve_on_device(problem, options, values, stream, job);
  const std::vector<double> result = values.copy_to_host();
  std::copy(result.begin(), result.end(), u.begin());
  return progress;
}

}  // namespace isolume
