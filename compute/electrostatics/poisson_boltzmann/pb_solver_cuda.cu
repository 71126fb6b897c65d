// The Poisson-Boltzmann solver on CUDA: conjugate gradients preconditioned by multigrid cycles, as on the CPU.
#include <algorithm>
#include <cmath>
#include <memory>

#include "compute/base/cuda_graph.h"
#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/electrostatics/poisson_boltzmann/pb_cycle_kernels.cuh"
#include "compute/electrostatics/poisson_boltzmann/pb_device.h"
#include "compute/electrostatics/poisson_boltzmann/pb_gradient_kernels.cuh"

namespace isolume {
namespace {

struct Level {
  glm::ivec3 n{0};
  DeviceArray<float> cx, cy, cz, kappa, u, source;
  DeviceArray<__half> rounded_x, rounded_y, rounded_z, inverse;
  View view{};
  CycleLevel cycle{};

  std::size_t size() const {
    return static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y) * static_cast<std::size_t>(n.z);
  }
};

constexpr CudaDim cube{block_x, block_y, block_z};
constexpr std::size_t small_level = 1000;  // nodes that one block sweeps as quickly as many do

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
    for (DeviceArray<float>* array : {&residual_, &direction_, &image_, &change_, &cycled_}) *array = zeros(u.size());
    make_levels();
    const glm::ivec3 n = p.counts;
    apply_grid_ = {static_cast<unsigned>(n.x - 2 + 31) / apply_block.x,
                   static_cast<unsigned>(n.y - 2 + 7) / apply_block.y, 1};
    const int columns = static_cast<int>(apply_grid_.x * apply_grid_.y);
    const int chunks = std::clamp((2112 + columns - 1) / columns, 1, n.z - 2);
    layers_ = (n.z - 2 + chunks - 1) / chunks;
    apply_grid_.z = static_cast<unsigned>((n.z - 2 + layers_ - 1) / layers_);
    parts_ = DeviceArray<double>(
        std::max<std::size_t>(sum_blocks, std::size_t{apply_grid_.x} * apply_grid_.y * apply_grid_.z), stream_,
        "Poisson-Boltzmann: sums");
    counter_ = DeviceArray<unsigned>(1, stream_, "Poisson-Boltzmann: sums");
    numbers_ = DeviceArray<GradientNumbers>(1, stream_, "Poisson-Boltzmann: sums");
    clear(counter_);
    clear(numbers_);
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
  template <class T>
  void clear(DeviceArray<T>& array) {
    cuda_check(cuda_api().set_bytes(array.data(), 0, array.size() * sizeof(T), stream_.handle()),
               "Poisson-Boltzmann: clear");
  }
  DeviceArray<float> zeros(std::size_t count) {
    DeviceArray<float> array(count, stream_, "Poisson-Boltzmann: grids");
    clear(array);
    return array;
  }
  DeviceArray<__half> halves(std::size_t count) { return {count, stream_, "Poisson-Boltzmann: grids"}; }

  void make_levels() {
    Level finest;
    finest.n = p_.counts;
    if (p_.nonlinear) finest.kappa = zeros(u_.size());
    finest.view = {p_.counts.x,
                   p_.counts.y,
                   p_.counts.z,
                   p_.cx.data(),
                   p_.cy.data(),
                   p_.cz.data(),
                   p_.nonlinear ? finest.kappa.data() : p_.kappa.data()};
    levels_.push_back(std::move(finest));
    while (true) {
      const glm::ivec3 n = levels_.back().n;
      if ((n.x & 1) == 0 || (n.y & 1) == 0 || (n.z & 1) == 0 || std::min({n.x, n.y, n.z}) < 5) break;
      Level next;
      next.n = (n - 1) / 2 + 1;
      for (DeviceArray<float>* array : {&next.cx, &next.cy, &next.cz, &next.kappa, &next.u, &next.source})
        *array = zeros(next.size());
      next.view = {next.n.x, next.n.y, next.n.z, next.cx.data(), next.cy.data(), next.cz.data(), next.kappa.data()};
      levels_.push_back(std::move(next));
    }
    const auto unit = static_cast<float>(options_.solvent_permittivity);
    for (Level& level : levels_) {
      for (DeviceArray<__half>* array : {&level.rounded_x, &level.rounded_y, &level.rounded_z, &level.inverse})
        *array = halves(level.size());
      const NodeOrder order{&level == &levels_.back() ? 0 : (level.size() + 1) / 2};
      level.cycle = {level.n.x,
                     level.n.y,
                     level.n.z,
                     unit,
                     order,
                     level.rounded_x.data(),
                     level.rounded_y.data(),
                     level.rounded_z.data(),
                     level.inverse.data()};
    }
    // The coarsest grids, of which there is at least one, are one launch.
    first_small_ = levels_.size() - 1;
    while (first_small_ > 0 && levels_[first_small_ - 1].size() <= small_level) --first_small_;
    for (std::size_t l = first_small_; l < levels_.size(); ++l) {
      if (small_.count == SmallLevels::most) throw Error("Poisson-Boltzmann: too many grids");
      small_.level[small_.count] = levels_[l].cycle;
      small_.source[small_.count] = l == 0 ? residual_.data() : levels_[l].source.data();
      small_.u[small_.count++] = l == 0 ? cycled_.data() : levels_[l].u.data();
    }
  }

  /// With the ions' own coefficients.
  View equation() const {
    View view = levels_.front().view;
    view.kappa = p_.kappa.data();
    return view;
  }
  NodeOrder order() const { return levels_.front().cycle.order; }

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
      launch("Poisson-Boltzmann: rounded", stream_, round_kernel, cubes(level.n), cube, level.view, level.cycle.unit,
             level.cycle.order, level.rounded_x.data(), level.rounded_y.data(), level.rounded_z.data(),
             level.inverse.data());
      if (l + 1 == levels_.size()) break;
      Level& next = levels_[l + 1];
      launch("Poisson-Boltzmann: coarser", stream_, coarser_kernel, cubes(next.n), cube, level.view, next.view,
             next.cx.data(), next.cy.data(), next.cz.data(), next.kappa.data());
    }
  }

  double residual(const DeviceArray<double>& u) {
    launch("Poisson-Boltzmann: residual", stream_, exact_residual_kernel, cubes(p_.counts - 2), cube, equation(),
           order(), p_.ions, p_.nonlinear, p_.source.data(), u.data(), residual_.data());
    launch("Poisson-Boltzmann: sums", stream_, squares_kernel, {sum_blocks, 1, 1}, {sum_threads, 1, 1},
           residual_.data(), residual_.size(), parts_.data(), counter_.data(), numbers_.data());
    return root_mean(numbers_.copy_to_host().front());
  }
  double root_mean(const GradientNumbers& numbers) const {
    return std::sqrt(numbers.squares / static_cast<double>(residual_.size()));
  }

  /// u = a cycle of source; both of level `at`.
  void descend(std::size_t at, const float* source, float* u) {
    constexpr const char* name = "Poisson-Boltzmann: multigrid";
    if (at == first_small_) {
      launch(name, stream_, small_levels_kernel, {1, 1, 1}, {small_threads, 1, 1}, small_);
      return;
    }
    const Level& level = levels_[at];
    Level& next = levels_[at + 1];
    launch(name, stream_, down_odd_kernel, cubes(level.n - 2, 2), cube, level.cycle, source, u);
    launch(name, stream_, down_source_kernel, cubes(next.n - 2), cube, level.cycle, next.cycle, u, next.source.data());
    descend(at + 1, next.source.data(), next.u.data());
    launch(name, stream_, up_change_kernel, cubes(level.n - 2, 2), cube, level.cycle, next.cycle, source, next.u.data(),
           u);
    for (const int colour : {1, 0})
      launch(name, stream_, sweep_kernel, cubes(level.n - 2, 2), cube, level.cycle, colour, source, u);
  }

  /// One step of conjugate gradients.
  void step() {
    constexpr const char* name = "Poisson-Boltzmann: conjugate gradients";
    const std::size_t size = residual_.size();
    descend(0, residual_.data(), cycled_.data());
    launch(name, stream_, along_kernel, {sum_blocks, 1, 1}, {sum_threads, 1, 1}, residual_.data(), cycled_.data(), size,
           parts_.data(), counter_.data(), numbers_.data());
    launch(name, stream_, turn_kernel, blocks_for(size), {256, 1, 1}, direction_.data(), cycled_.data(), size,
           numbers_.data());
    launch(name, stream_, apply_kernel, apply_grid_, apply_block, levels_.front().view, order(), layers_,
           direction_.data(), image_.data(), parts_.data(), counter_.data(), numbers_.data());
    launch(name, stream_, advance_kernel, {sum_blocks, 1, 1}, {sum_threads, 1, 1}, direction_.data(), image_.data(),
           change_.data(), residual_.data(), size, parts_.data(), counter_.data(), numbers_.data());
  }

  /// The launches of a step are recorded once and started as one.
  GradientNumbers recorded_step() {
    {
      const LaunchTimer timer("Poisson-Boltzmann: multigrid and conjugate gradients", stream_.device().index,
                              stream_.handle());
      const LaunchRecord::Join untimed(nullptr);
      // The first time, kernels are still loaded.
      if (!warm_ || !cuda_graph_api().begin) {
        step();
        warm_ = true;
      } else {
        if (!recorded_) graph_ = CudaGraph::record(stream_, [&] { step(); });
        recorded_ = true;
        graph_.launch(stream_);
      }
    }
    return numbers_.copy_to_host().front();
  }

  /// As on the CPU.
  double conjugate_gradients(double now, double wanted, double goal, double reference, PbProgress& progress) {
    clear(change_);
    clear(direction_);
    clear(numbers_);
    double left = now;
    while (progress.cycles < options_.most_cycles) {
      job_.check();
      const GradientNumbers numbers = recorded_step();
      ++progress.cycles;
      if (!(numbers.curvature > 0)) break;
      const double before = left;
      left = root_mean(numbers);
      job_.progress(std::clamp(std::log(left / reference) / std::log(options_.tolerance), 0.0, 1.0),
                    "Poisson-Boltzmann");
      if (left <= 0.5 * wanted || left <= 1e-5 * now || (left > 0.9 * before && left < 0.1 * now)) break;
    }
    double moved = 0, step = 1;
    for (int halved = 0;; ++halved) {
      launch("Poisson-Boltzmann: sums of vectors", stream_, move_kernel, blocks_for(u_.size()), {256, 1, 1}, u_.data(),
             step - moved, change_.data(), order(), u_.size());
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
  std::size_t first_small_ = 0;
  SmallLevels small_;
  /// Residual, direction, A times the direction, change of u, and the residual's cycle: in the order of the cycle.
  DeviceArray<float> residual_, direction_, image_, change_, cycled_;
  DeviceArray<double> parts_;
  DeviceArray<unsigned> counter_;
  DeviceArray<GradientNumbers> numbers_;
  CudaDim apply_grid_{};
  int layers_ = 1;  ///< that one thread of apply_kernel goes through
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
