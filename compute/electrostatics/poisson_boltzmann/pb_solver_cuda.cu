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
  float *cx = nullptr, *cy = nullptr, *cz = nullptr, *kappa = nullptr, *u = nullptr, *source = nullptr;
  __half *rounded_x = nullptr, *rounded_y = nullptr, *rounded_z = nullptr, *inverse = nullptr;
  View view{};
  CycleLevel cycle{};

  std::size_t size() const {
    return static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y) * static_cast<std::size_t>(n.z);
  }
};

constexpr CudaDim cube{block_x, block_y, block_z};
constexpr std::size_t small_level = 5000;  // nodes that one block sweeps as quickly as many do

/// Parts of one array: taking many small ones takes the host as long as the device needs to fill them.
template <class T>
class Parts {
 public:
  void add(T*& part, std::size_t count) {
    wanted_.push_back({&part, total_});
    constexpr std::size_t aligned = 256 / sizeof(T);
    total_ += (count + aligned - 1) / aligned * aligned;
  }
  std::size_t size() const { return total_; }
  /// All that were added in memory of others.
  void take_from(T* memory) {
    for (const auto& [part, at] : wanted_) *part = memory + at;
    wanted_.clear();
  }
  /// All that were added; they must be where they were then.
  void take(const Stream& stream, bool cleared) {
    array_ = DeviceArray<T>(total_, stream, "Poisson-Boltzmann: grids");
    for (const auto& [part, at] : wanted_) *part = array_.data() + at;
    wanted_.clear();
    if (cleared)
      cuda_check(cuda_api().set_bytes(array_.data(), 0, total_ * sizeof(T), stream.handle()),
                 "Poisson-Boltzmann: clear");
  }

 private:
  DeviceArray<T> array_;
  std::vector<std::pair<T**, std::size_t>> wanted_;
  std::size_t total_ = 0;
};

CudaDim cubes(glm::ivec3 nodes, int along_x = 1) {
  const auto parts = [](int count, unsigned block) {
    return (static_cast<unsigned>(std::max(count, 0)) + block - 1) / block;
  };
  return {parts((nodes.x + along_x - 1) / along_x, block_x), parts(nodes.y, block_y), parts(nodes.z, block_z)};
}

class Solver {
 public:
  Solver(const PbDeviceProblem& p, const PoissonBoltzmannOptions& options, DeviceArray<double>& u, bool guessed,
         Stream& stream, Job& job)
      : p_(p), options_(options), u_(u), guessed_(guessed), job_(job), stream_(stream) {
    make_levels();
    const glm::ivec3 n = p.counts;
    apply_grid_ = {static_cast<unsigned>(n.x - 2 + 31) / apply_block.x,
                   static_cast<unsigned>(n.y - 2 + 7) / apply_block.y, 1};
    const int columns = static_cast<int>(apply_grid_.x * apply_grid_.y);
    const int chunks = std::clamp((2112 + columns - 1) / columns, 1, n.z - 2);
    layers_ = (n.z - 2 + chunks - 1) / chunks;
    apply_grid_.z = static_cast<unsigned>((n.z - 2 + layers_ - 1) / layers_);
    parts_ = DeviceArray<double>(
        std::max<std::size_t>(sum_blocks, std::size_t{2} * apply_grid_.x * apply_grid_.y * apply_grid_.z), stream_,
        "Poisson-Boltzmann: sums");
    numbers_ = DeviceArray<GradientNumbers>(1, stream_, "Poisson-Boltzmann: sums");
    clear(numbers_.data(), 1);
  }

  PbProgress solve() {
    PbProgress progress;
    if (!p_.nonlinear) prepare();
    residual(true, &numbers_.data()->start);
    if (guessed_) residual(false, &numbers_.data()->squares);
    const GradientNumbers known = numbers_.copy_to_host().front();
    const double reference = root_mean(known.start);
    double now = guessed_ ? root_mean(known.squares) : reference;
    if (guessed_ && !(now < reference) && reference > 0) {
      launch("Poisson-Boltzmann: clear", stream_, only_faces_kernel, cubes(p_.counts - 2), cube, equation(), u_.data());
      residual(false, &numbers_.data()->squares);
      now = reference;
    }
    if (reference > 0) iterate(now, reference, progress);
    return progress;
  }

 private:
  template <class T>
  void clear(T* values, std::size_t count) {
    cuda_check(cuda_api().set_bytes(values, 0, count * sizeof(T), stream_.handle()), "Poisson-Boltzmann: clear");
  }

  void make_levels() {
    const std::size_t size = u_.size();
    glm::ivec3 n = p_.counts;
    levels_.emplace_back().n = n;
    while ((n.x & 1) != 0 && (n.y & 1) != 0 && (n.z & 1) != 0 && std::min({n.x, n.y, n.z}) >= 5) {
      n = (n - 1) / 2 + 1;
      levels_.emplace_back().n = n;
    }
    for (float** array : {&residual_, &direction_, &cycled_}) cleared_.add(*array, size);
    if (!p_.compact)
      for (float** array : {&moved_, &image_, &change_}) cleared_.add(*array, size);
    cleared_.add(counter_place_, 1);
    if (p_.nonlinear) cleared_.add(levels_.front().kappa, size);
    for (Level& level : levels_) {
      const bool finest = &level == &levels_.front();
      halves_.add(level.inverse, level.size());
      if (!finest || !p_.compact)
        for (__half** array : {&level.rounded_x, &level.rounded_y, &level.rounded_z}) halves_.add(*array, level.size());
      if (finest) continue;
      for (float** array : {&level.u, &level.source}) cleared_.add(*array, level.size());
      for (float** array : {&level.cx, &level.cy, &level.cz, &level.kappa}) written_.add(*array, level.size());
    }
    cleared_.take(stream_, true);
    counter_ = reinterpret_cast<unsigned*>(counter_place_);  // 0 in both
    // Of a linear equation they are needed before the first direction is.
    if (p_.compact && written_.size() <= size) {
      written_.take_from(direction_);
    } else {
      written_.take(stream_, false);
    }
    halves_.take(stream_, false);
    const auto unit = static_cast<float>(options_.solvent_permittivity);
    for (Level& level : levels_) {
      const bool finest = &level == &levels_.front();
      level.view = {level.n.x,
                    level.n.y,
                    level.n.z,
                    finest ? p_.cx.data() : level.cx,
                    finest ? p_.cy.data() : level.cy,
                    finest ? p_.cz.data() : level.cz,
                    finest && !p_.nonlinear ? p_.kappa.data() : level.kappa};
      const NodeOrder order{&level == &levels_.back() ? 0 : (level.size() + 1) / 2};
      level.cycle = {level.n.x,       level.n.y,       level.n.z,       unit,         order,
                     level.rounded_x, level.rounded_y, level.rounded_z, level.inverse};
    }
    if (p_.compact) make_compact(unit);
    // The coarsest grids, of which there is at least one, are one launch; the finest, if it is coded, is not of them.
    first_small_ = levels_.size() - 1;
    std::size_t small_nodes = levels_.back().size();
    const std::size_t least = p_.compact ? 1 : 0;
    while (first_small_ > least && levels_[first_small_ - 1].size() <= small_level &&
           small_nodes + levels_[first_small_ - 1].size() <= SmallLevels::nodes)
      small_nodes += levels_[--first_small_].size();
    for (std::size_t l = first_small_; l < levels_.size(); ++l) {
      if (small_.count == SmallLevels::most) throw Error("Poisson-Boltzmann: too many grids");
      small_.level[small_.count++] = levels_[l].cycle;
    }
    small_.source = first_small_ == 0 ? residual_ : levels_[first_small_].source;
    small_.u = first_small_ == 0 ? cycled_ : levels_[first_small_].u;
  }

  /// The finest grid as codes.
  void make_compact(float unit) {
    const PbCompact& c = *p_.compact;
    const auto codes = [&](const DeviceArray<std::uint16_t>& array, int axis, float over) {
      return EdgeCodes{array.data(), over * c.base[axis], over * c.slope[axis]};
    };
    const Level& level = levels_.front();
    compact_view_ = {level.n.x,
                     level.n.y,
                     level.n.z,
                     codes(c.cx, 0, 1),
                     codes(c.cy, 1, 1),
                     codes(c.cz, 2, 1),
                     {c.kappa.data(), c.ions}};
    compact_cycle_ = {level.n.x,
                      level.n.y,
                      level.n.z,
                      unit,
                      level.cycle.order,
                      codes(c.cx, 0, unit),
                      codes(c.cy, 1, unit),
                      codes(c.cz, 2, unit),
                      level.inverse};
  }
  /// use(the finest grid), with the ions' own coefficients.
  template <class Use>
  void with_equation(const Use& use) const {
    if (p_.compact) {
      use(compact_view_);
    } else {
      use(equation());
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
    for (progress.steps = 0; now > goal && progress.cycles < options_.most_cycles; ++progress.steps) {
      if (p_.nonlinear)
        launch("Poisson-Boltzmann: slopes", stream_, slope_kernel, cubes(p_.counts - 2), cube, equation(), p_.ions,
               u_.data(), levels_.front().kappa);
      if (p_.nonlinear) prepare();
      const double wanted = p_.nonlinear ? std::max(goal, std::min(0.1, 10 * now / reference) * now) : goal;
      now = conjugate_gradients(now, wanted, goal, reference, progress);
      if (!std::isfinite(now)) break;
    }
    progress.residual = now / reference;
  }

  void prepare() {
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      Level& level = levels_[l];
      Level* const next = l + 1 < levels_.size() ? &levels_[l + 1] : nullptr;
      const auto derive = [&](const auto& view) {
        using V = std::decay_t<decltype(view)>;
        launch("Poisson-Boltzmann: rounded", stream_, round_kernel<V>, cubes(level.n), cube, view, level.cycle.unit,
               level.cycle.order, level.rounded_x, level.rounded_y, level.rounded_z, level.inverse);
        if (next != nullptr)
          launch("Poisson-Boltzmann: coarser", stream_, coarser_kernel<V>, cubes(next->n), cube, view, next->view,
                 next->cx, next->cy, next->cz, next->kappa);
      };
      if (l == 0 && p_.compact) {
        derive(compact_view_);
      } else {
        derive(level.view);
      }
    }
    // The coarser grids' coefficients were in its place.
    if (p_.compact) clear(direction_, u_.size());
  }

  /// residual_ of u, or of what is 0 inside, and the sum of its squares on the device.
  void residual(bool only_faces, double* squares) {
    if (p_.compact) {
      clear(residual_, u_.size());
      const std::size_t count = p_.compact->count;
      launch("Poisson-Boltzmann: residual", stream_, scatter_kernel, blocks_for(count), {256, 1, 1},
             p_.compact->nodes.data(), p_.compact->sources.data(), order(), count, residual_);
    }
    with_equation([&](const auto& view) {
      launch("Poisson-Boltzmann: residual", stream_, exact_residual_kernel<std::decay_t<decltype(view)>>,
             cubes(p_.counts - 2), cube, view, order(), p_.ions, p_.nonlinear, only_faces,
             p_.compact ? nullptr : p_.source.data(), u_.data(), residual_);
    });
    launch("Poisson-Boltzmann: sums", stream_, squares_kernel, {sum_blocks, 1, 1}, {sum_threads, 1, 1}, residual_,
           u_.size(), parts_.data(), counter_, squares);
  }
  double residual() {
    residual(false, &numbers_.data()->squares);
    return root_mean(numbers_.copy_to_host().front().squares);
  }
  double root_mean(double squares) const { return std::sqrt(squares / static_cast<double>(u_.size())); }

  /// u = a cycle of source; both of level `at`.
  void descend(std::size_t at, const float* source, float* u) {
    constexpr const char* name = "Poisson-Boltzmann: multigrid";
    if (at == first_small_) {
      launch(name, stream_, small_levels_kernel, {1, 1, 1}, {small_threads, 1, 1}, small_);
      return;
    }
    if (at == 0 && p_.compact) {
      cycle(at, compact_cycle_, source, u);
    } else {
      cycle(at, levels_[at].cycle, source, u);
    }
  }
  template <class Fine>
  void cycle(std::size_t at, const Fine& fine, const float* source, float* u) {
    constexpr const char* name = "Poisson-Boltzmann: multigrid";
    const Level& level = levels_[at];
    Level& next = levels_[at + 1];
    const CudaDim halves = cubes(level.n - 2, 2);
    launch(name, stream_, down_odd_kernel<Fine>, halves, cube, fine, source, u);
    launch(name, stream_, down_even_kernel<Fine>, halves, cube, fine, source, u);
    launch(name, stream_, sweep_kernel<Fine>, halves, cube, fine, HalfSweep{1, 1}, source, u);
    launch(name, stream_, down_source_kernel<Fine>, cubes(next.n - 2), cube, fine, next.cycle, source, u, next.source);
    descend(at + 1, next.source, next.u);
    launch(name, stream_, up_change_kernel<Fine>, halves, cube, fine, next.cycle, next.u, u);
    for (int n = 0; n < half_sweeps_up; ++n)
      launch(name, stream_, sweep_kernel<Fine>, halves, cube, fine, half_sweep_up(n), source, u);
  }

  /// One step of conjugate gradients.
  void step() {
    constexpr const char* name = "Poisson-Boltzmann: conjugate gradients";
    descend(0, residual_, cycled_);
    if (p_.compact) return short_step();
    launch(name, stream_, apply_kernel, apply_grid_, apply_block, levels_.front().view, order(), layers_, residual_,
           cycled_, image_, parts_.data(), counter_, numbers_.data());
    launch(name, stream_, advance_kernel, {sum_blocks, 1, 1}, {sum_threads, 1, 1}, cycled_, image_, direction_, moved_,
           change_, residual_, u_.size(), parts_.data(), counter_, numbers_.data());
  }

  /// The same in the place of three arrays.
  void short_step() {
    constexpr const char* name = "Poisson-Boltzmann: conjugate gradients";
    const CudaDim threads{sum_threads, 1, 1}, blocks{sum_blocks, 1, 1};
    launch(name, stream_, turn_kernel, blocks, threads, residual_, cycled_, u_.size(), parts_.data(), counter_,
           numbers_.data());
    launch(name, stream_, direction_kernel, blocks_for(u_.size()), {256, 1, 1}, cycled_, u_.size(), direction_,
           numbers_.data());
    launch(name, stream_, image_kernel<CompactView>, apply_grid_, apply_block, compact_view_, order(), layers_,
           direction_, cycled_, parts_.data(), counter_, numbers_.data());
    launch(name, stream_, go_kernel, blocks, threads, direction_, cycled_, order(), u_.size(), u_.data(), residual_,
           parts_.data(), counter_, numbers_.data());
  }

  /// The launches of a step are recorded once and started as one. The host waits for the last of `count` alone.
  GradientNumbers steps(int count) {
    for (int n = 0; n < count; ++n) {
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

  /// Steps that may be put into the stream before the next look at the residual: none that is not needed.
  int steps_ahead(double now, double left, int made, double wanted) const {
    constexpr int most = 6;
    // Large grids take long enough that waiting does not matter and cancelling does.
    constexpr std::size_t large = std::size_t{1} << 25;
    if (u_.size() > large) return 1;
    if (made == 0) return now > 1e5 * wanted ? most : now > 1e3 * wanted ? 4 : 1;
    const double rate = std::log(left / now) / made, needed = std::log(0.5 * wanted / left) / rate;
    return rate < 0 ? std::clamp(static_cast<int>(0.75 * needed), 1, most) : 1;
  }

  /// As on the CPU.
  double conjugate_gradients(double now, double wanted, double goal, double reference, PbProgress& progress) {
    if (used_) {
      clear(direction_, u_.size());
      if (!p_.compact) {
        clear(change_, u_.size());
        clear(moved_, u_.size());
      }
      clear(numbers_.data(), 1);
    }
    used_ = true;
    double left = now;
    int made = 0;
    while (progress.cycles < options_.most_cycles) {
      job_.check();
      const int count = std::min(steps_ahead(now, left, made, wanted), options_.most_cycles - progress.cycles);
      const GradientNumbers numbers = steps(count);
      made += count;
      progress.cycles += count;
      if (!(numbers.curvature > 0)) break;
      const double before = left;
      left = root_mean(numbers.squares);
      job_.progress(std::clamp(std::log(left / reference) / std::log(options_.tolerance), 0.0, 1.0),
                    "Poisson-Boltzmann");
      if (left <= 0.5 * wanted || left <= 2e-7 * now || (left > 0.9 * before && left < 0.1 * now)) break;
    }
    if (p_.compact) return residual();  // u has moved
    double moved = 0, step = 1;
    for (int halved = 0;; ++halved) {
      launch("Poisson-Boltzmann: sums of vectors", stream_, move_kernel, blocks_for(u_.size()), {256, 1, 1}, u_.data(),
             step - moved, change_, order(), u_.size());
      moved = step;
      const double after = residual();
      if (!p_.nonlinear || after < now || after <= goal || halved == 8) return after;
      step /= 2;
    }
  }

  const PbDeviceProblem& p_;
  const PoissonBoltzmannOptions& options_;
  DeviceArray<double>& u_;
  bool guessed_;
  Job& job_;
  Stream& stream_;
  std::vector<Level> levels_;
  std::size_t first_small_ = 0;
  SmallLevels small_;
  CompactView compact_view_{};
  CompactCycleLevel compact_cycle_{};
  /// Residual, direction and A times it, A times the cycle, change of u, and the residual's cycle: in the order of the
  /// cycle.
  float *residual_ = nullptr, *direction_ = nullptr, *moved_ = nullptr, *image_ = nullptr, *change_ = nullptr,
        *cycled_ = nullptr;
  float* counter_place_ = nullptr;
  unsigned* counter_ = nullptr;
  Parts<float> cleared_, written_;
  Parts<__half> halves_;
  DeviceArray<double> parts_;
  DeviceArray<GradientNumbers> numbers_;
  CudaDim apply_grid_{};
  int layers_ = 1;  ///< that one thread of apply_kernel goes through
  CudaGraph graph_;
  bool warm_ = false, recorded_ = false, used_ = false;
};

}  // namespace

PbProgress pb_solve_on_device(const PbDeviceProblem& problem, const PoissonBoltzmannOptions& options,
                              DeviceArray<double>& u, bool guessed, Stream& stream, Job& job) {
  return Solver(problem, options, u, guessed, stream, job).solve();
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
  const PbProgress progress = pb_solve_on_device(problem, options, values, true, stream, job);
  const std::vector<double> result = values.copy_to_host();
  std::copy(result.begin(), result.end(), u.begin());
  return progress;
}

}  // namespace isolume
