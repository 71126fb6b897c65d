// Smooth particle-mesh Ewald on CUDA: one stream, no step on the host, recorded as a graph once memory stays the same.
#include <algorithm>
#include <cmath>
#include <optional>

#include "compute/base/cuda_graph.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/energy/energy_pairs_cuda.h"
#include "compute/electrostatics/ewald/spme_bodies.h"
#include "compute/electrostatics/ewald/spme_kernels.h"
#include "compute/electrostatics/ewald/spme_plan.h"
#include "compute/fft/fft_cuda.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

class SpmeCuda final : public Electrostatics {
 public:
  SpmeCuda(ElectrostaticProblem problem, const SpmeOptions& options, bool pairs, Device device)
      : Electrostatics(std::move(problem), device, "SPME"),
        options_(options),
        pairs_(pairs),
        device_(problem_, device),
        sort_(problem_.atoms(), mesh_bricks(options.mesh), device),
        fft_(stream()) {
    if (!cufft_present()) throw Error("SPME on CUDA: " + cufft_status());
    const auto points = static_cast<std::size_t>(options_.mesh.x) * static_cast<std::size_t>(options_.mesh.y) *
                        static_cast<std::size_t>(options_.mesh.z);
    const std::size_t waves =
        points / static_cast<std::size_t>(options_.mesh.x) * static_cast<std::size_t>(options_.mesh.x / 2 + 1);
    mesh_ = DeviceArray<float>(points, device, "SPME mesh");
    spectrum_ = DeviceArray<std::complex<float>>(waves, device, "SPME spectrum");
    influence_ = DeviceArray<float>(waves, device, "SPME influence function");
    for (const float q : problem_.charges) {
      largest_ = std::max(largest_, std::abs(q));
      squares_ += static_cast<double>(q) * static_cast<double>(q);
    }
    prepare();
  }
  ~SpmeCuda() override { (void)cuda_api().stream_synchronize(stream().handle()); }

  std::string name() const override { return "spme"; }
  std::string describe() const override { return isolume::describe(options_); }
  std::size_t memory() const override { return spme_memory(problem_.atoms(), options_, problem_.cell, device()); }
  void set_cell(const Cell& cell) override {
    options_ = complete_spme(options_, cell);
    Electrostatics::set_cell(cell);
    stream().synchronize("SPME");
    prepare();
  }
  bool splits() const override { return pairs_; }
  ElectrostaticSums sums() override {
    ElectrostaticSums s = device_.read_sums(stream());
    if (!pairs_) return s;
    s.self = self_per_square_ * squares_;
    s.background = background_per_charge_ * problem_.total_charge();
    for (std::size_t k = 0; k < 3; ++k) s.virial[k] += s.background;
    return s;
  }

 protected:
  void compute(Span<const glm::vec3> positions, const ElectrostaticOutput& out, Job&) override {
    const Call call{reinterpret_cast<const float*>(positions.data), reinterpret_cast<float*>(out.forces.data),
                    out.energies.data, out.sums, out.part};
    // Timed launches cannot be recorded; the first time plans and kernels are still loaded.
    bool& warm = warm_[static_cast<std::size_t>(call.part)];
    if (LaunchRecord::current() || !warm || !cuda_graph_api().begin) {
      enqueue(call);
      warm = true;
      return;
    }
    for (const auto& [key, graph] : graphs_) {
      if (key == call) return graph.launch(stream());
    }
    constexpr std::size_t most = 8;
    if (graphs_.size() == most) {
      stream().synchronize("SPME");
      graphs_.erase(graphs_.begin());
    }
    graphs_.emplace_back(call, CudaGraph::record(stream(), [&] { enqueue(call); }));
    graphs_.back().second.launch(stream());
  }

 private:
  /// What an evaluation reads and writes.
  struct Call {
    const float* positions;
    float* forces;
    float* energies;
    bool sums;
    ElectrostaticPart part;
    bool operator==(const Call&) const = default;
  };

  void prepare() {
    graphs_.clear();
    const Cell& cell = problem_.cell;
    view_ = CellView::of(cell);
    reduced_ = CellView::reduced(cell);
    tables_ = std::make_unique<SpmeTables>(options_, cell);
    tables_->gradient(options_, gradient_);
    smooth_ = SmoothKernel::of_ewald(options_.alpha);
    device_influence_ = tables_->influence;
    for (int a = 0; a < 3; ++a) {
      moduli_[a] = DeviceArray<double>::from_host(tables_->moduli[a], device(), "SPME splines");
      device_influence_.moduli[a] = moduli_[a].data();
    }
    spme_influence_cuda(device_influence_, influence_.data(), stream());
    stream().synchronize("SPME influence function");
    if (!pairs_) return;
    near_.reset();
    near_.emplace(problem_.atoms(), cell, true, ShortRange::fit(smooth_, options_.cutoff), device());
    double slope = 0;
    self_per_square_ = -units::coulomb_kcal_angstrom / 2 * smooth_.value(0.0, &slope);
    background_per_charge_ = -units::coulomb_kcal_angstrom * units::pi /
                             (2 * options_.alpha * options_.alpha * cell.volume()) * problem_.total_charge();
  }

  void enqueue(const Call& call) {
    const bool all = call.sums || call.energies;
    if (all) device_.clear_sums(stream());
    if (pairs_) {
      if (call.part == ElectrostaticPart::far) {
        device_.clear_forces(call.forces, stream());
      } else {
        near_->run(call.positions, device_, all, call.forces, call.energies, stream());
      }
      device_.add_exclusions(call.positions, reduced_, smooth_, all, call.forces, call.energies, stream(), call.part);
      if (call.energies) {
        device_.add_own_energies(self_per_square_, background_per_charge_, call.energies, stream());
      }
    }
    if (call.part == ElectrostaticPart::near) return;
    sort_.sort(call.positions, device_.charges(), view_, stream());
    spme_spread_cuda(options_.order, sort_, largest_, mesh_.data(), stream());
    fft_.forward(options_.mesh, mesh_.data(), spectrum_.data());
    spme_multiply_cuda(device_influence_, influence_.data(), spectrum_.data(), all ? device_.sums() : nullptr,
                       stream());
    fft_.backward(options_.mesh, spectrum_.data(), mesh_.data());
    spme_gather_cuda(options_.order, sort_, mesh_.data(), gradient_, pairs_, call.forces, call.energies, stream());
  }

  SpmeOptions options_;
  bool pairs_;
  EnergyDevice device_;
  AtomSort sort_;
  CudaFft fft_;
  std::optional<PairsCuda> near_;
  CellView view_, reduced_;
  std::unique_ptr<SpmeTables> tables_;
  SpmeInfluence device_influence_;
  DeviceArray<double> moduli_[3];
  double gradient_[9] = {};
  SmoothKernel smooth_;
  DeviceArray<float> mesh_, influence_;
  DeviceArray<std::complex<float>> spectrum_;
  float largest_ = 0;
  double squares_ = 0;
  double self_per_square_ = 0;
  double background_per_charge_ = 0;
  bool warm_[3] = {};  ///< by part
  std::vector<std::pair<Call, CudaGraph>> graphs_;
};

// The mesh of a system, done, and its atoms sorted for the sum over pairs.
class SpmeMapCuda final : public SpmeMapBody {
 public:
  SpmeMapCuda(std::span<const glm::vec3> positions, std::span<const float> charges, const Cell& cell,
              const SpmeOptions& options, SpmeMap map, Device device, Job& job)
      : options_(options),
        stream_(device),
        fft_(stream_),
        at_(positions.size(), stream_, "SPME charges"),
        values_(charges.size(), stream_, "SPME charges"),
        sort_(charges.size(), mesh_bricks(options.mesh), device) {
    const std::size_t rows = static_cast<std::size_t>(options.mesh.y) * static_cast<std::size_t>(options.mesh.z);
    const std::size_t waves = rows * static_cast<std::size_t>(options.mesh.x / 2 + 1);
    mesh_ = DeviceArray<float>(rows * static_cast<std::size_t>(options.mesh.x), device, "SPME mesh");
    spectrum_ = DeviceArray<std::complex<float>>(waves, device, "SPME spectrum");
    factors_ = DeviceArray<float>(waves, device, "SPME influence function");
    if (map == SpmeMap::full) near_ = ShortRange::fit(SmoothKernel::of_ewald(options.alpha), options.cutoff);
    solve(positions, charges, cell, job);
  }
  // Nothing that is still in use is freed before the stream has come to its end.
  ~SpmeMapCuda() override { (void)cuda_api().stream_synchronize(stream_.handle()); }

  void renew(std::span<const glm::vec3> positions, std::span<const float> charges, const Cell& cell,
             Job& job) override {
    solve(positions, charges, cell, job);
  }

  void map(const Grid& grid, Span<float> potential, Job& job) override {
    const DeviceScope scope(stream_.device());
    const GridView points = GridView::of(grid);
    constexpr double volts = 1 / units::ev_in_kcal_per_mol;
    spme_map_cuda(options_.order, options_.mesh, mesh_.data(), points, view_, static_cast<float>(volts),
                  static_cast<float>(background_), potential.data, stream_);
    if (pairs_) {
      stream_.synchronize("SPME map");
      job.check();
      pairs_->add_map(points, static_cast<float>(units::coulomb_volt_angstrom), potential.data, stream_);
    }
    stream_.synchronize("SPME map");
    job.progress(1, "SPME map");
  }

 private:
  void solve(std::span<const glm::vec3> positions, std::span<const float> charges, const Cell& cell, Job& job) {
    const DeviceScope scope(stream_.device());
    if (cell_ != cell) set_cell(cell);
    copy_memory(at_.data(), stream_.device(), positions.data(), Device::cpu(), positions.size_bytes(),
                stream_.handle());
    copy_memory(values_.data(), stream_.device(), charges.data(), Device::cpu(), charges.size_bytes(),
                stream_.handle());
    float largest = 0;
    double total = 0;
    for (const float q : charges) {
      largest = std::max(largest, std::abs(q));
      total += static_cast<double>(q);
    }
    const auto* const places = reinterpret_cast<const float*>(at_.data());
    sort_.sort(places, values_.data(), view_, stream_);
    spme_spread_cuda(options_.order, sort_, largest, mesh_.data(), stream_);
    fft_.forward(options_.mesh, mesh_.data(), spectrum_.data());
    spme_multiply_cuda(influence_, factors_.data(), spectrum_.data(), nullptr, stream_);
    fft_.backward(options_.mesh, spectrum_.data(), mesh_.data());
    if (pairs_) {
      background_ =
          -units::coulomb_volt_angstrom * units::pi / (options_.alpha * options_.alpha * cell.volume()) * total;
      pairs_->sort(places, values_.data(), stream_);
    }
    stream_.synchronize("SPME map");
    job.check();
  }

  void set_cell(const Cell& cell) {
    cell_ = {};  // until all that follows from it is there
    view_ = CellView::of(cell);
    const SpmeTables tables(options_, cell);
    influence_ = tables.influence;
    for (int a = 0; a < 3; ++a) {
      moduli_[a] = DeviceArray<double>::from_host(tables.moduli[a], stream_.device(), "SPME splines");
      influence_.moduli[a] = moduli_[a].data();
    }
    spme_influence_cuda(influence_, factors_.data(), stream_);
    if (near_) {
      pairs_.reset();
      pairs_.emplace(at_.size(), cell, true, *near_, stream_.device());
    }
    cell_ = cell;
  }

  SpmeOptions options_;
  Cell cell_;
  CellView view_;
  Stream stream_;
  CudaFft fft_;
  DeviceArray<glm::vec3> at_;
  DeviceArray<float> values_;
  AtomSort sort_;
  DeviceArray<float> mesh_, factors_;
  DeviceArray<std::complex<float>> spectrum_;
  DeviceArray<double> moduli_[3];
  SpmeInfluence influence_;
  std::optional<ShortRange> near_;  ///< of full maps
  std::optional<PairsCuda> pairs_;
  double background_ = 0;
};

}  // namespace

std::unique_ptr<Electrostatics> spme_cuda(ElectrostaticProblem problem, const SpmeOptions& options, bool pairs,
                                          Device device) {
  return std::make_unique<SpmeCuda>(std::move(problem), options, pairs, device);
}

std::unique_ptr<SpmeMapBody> spme_map_body_cuda(std::span<const glm::vec3> positions, std::span<const float> charges,
                                                const Cell& cell, const SpmeOptions& options, SpmeMap map,
                                                Device device, Job& job) {
  if (!cufft_present()) throw Error("SPME on CUDA: " + cufft_status());
  return std::make_unique<SpmeMapCuda>(positions, charges, cell, options, map, device, job);
}

}  // namespace isolume
