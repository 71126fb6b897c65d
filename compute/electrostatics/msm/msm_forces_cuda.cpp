// Energies and forces by multilevel summation on CUDA: lattices and their kernels are kept from step to step.
#include "compute/electrostatics/msm/msm_forces_cuda.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "compute/electrostatics/energy/energy_pairs_cuda.h"
#include "compute/electrostatics/msm/msm_force_plan.h"
#include "compute/electrostatics/msm/msm_virial.h"
#include "compute/fft/fft_cpu.h"
#include "compute/fft/fft_cuda.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

std::size_t product(glm::ivec3 n) {
  return static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y) * static_cast<std::size_t>(n.z);
}

/// A level's charges, potentials and kernel.
struct Level {
  DeviceArray<float> charges, potentials, kernel;
  MsmView q, e;
  glm::ivec3 first{0}, last{0};
};

class MsmForcesCuda final : public Electrostatics {
 public:
  MsmForcesCuda(ElectrostaticProblem problem, const MsmOptions& options, bool periodic, Device device)
      : Electrostatics(std::move(problem), device, "MSM"),
        options_(options),
        periodic_(periodic),
        smooth_(SmoothKernel::of_msm(options.cutoff, options.smoothing)),
        near_(ShortRange::fit(smooth_, options.cutoff)),
        device_(problem_, device),
        raw_(problem_.atoms(), device, "MSM charges"),
        fft_(stream()) {
    if (!cufft_present()) throw Error("MSM on CUDA: " + cufft_status());
    for (const float q : problem_.charges) squares_ += static_cast<double>(q) * static_cast<double>(q);
  }
  ~MsmForcesCuda() override { (void)cuda_api().stream_synchronize(stream().handle()); }
  std::string name() const override { return "msm"; }
  std::string describe() const override { return isolume::describe(options_); }
  std::size_t memory() const override {
    std::size_t bytes = device_.bytes() + raw_.size() * sizeof(RawCharge) + spectrum_.size() * 8;
    for (const Level& l : levels_) bytes += (l.charges.size() + l.potentials.size() + l.kernel.size()) * 4;
    return bytes;
  }
  bool splits() const override { return true; }
  ElectrostaticSums sums() override {
    ElectrostaticSums s = device_.read_sums(stream());
    double slope = 0;
    s.self = -units::coulomb_kcal_angstrom / 2 * smooth_.value(0.0, &slope) * squares_;
    for (std::size_t c = 0; c < 6; ++c) s.virial[c] = periodic_ ? s.virial[c] + lattice_virial_[c] : 0;
    s.has_virial = periodic_;
    return s;
  }
  void set_cell(const Cell& cell) override {
    check_msm_cell(options_, periodic_, cell);
    Electrostatics::set_cell(cell);
    options_.cell = cell;
    plan_.reset();
  }

 protected:
  void compute(Span<const glm::vec3> positions, const ElectrostaticOutput& out, Job& job) override {
    prepare(positions, job);
    const auto* at = reinterpret_cast<const float*>(positions.data);
    auto* forces = reinterpret_cast<float*>(out.forces.data);
    float* energies = out.energies.data;
    const bool all = out.sums || energies;
    device_.clear_sums(stream());
    if (out.part == ElectrostaticPart::far) {
      device_.clear_forces(forces, stream());
    } else {
      pairs_->run(at, device_, all, forces, energies, stream());
    }
    device_.add_exclusions(at, periodic_ ? CellView::reduced(problem_.cell) : CellView{}, smooth_, all, forces,
                           energies, stream(), out.part);
    if (energies) {
      double slope = 0;
      device_.add_own_energies(-units::coulomb_kcal_angstrom / 2 * smooth_.value(0.0, &slope), 0, energies, stream());
    }
    if (out.part == ElectrostaticPart::near) return;
    msm_interleave_cuda(at, device_.charges(), problem_.atoms(), raw_.data(), stream());
    spread();
    if (out.sums && periodic_) sum_virial(job);
    sum_lattices();
    MsmGather g{};
    const glm::dmat3 to_lattice = plan_->inverse * plan_->frame.turn;
    const glm::dvec3 offset = -(to_lattice * plan_->frame.origin) - plan_->inverse * plan_->origin;
    for (int c = 0; c < 3; ++c) {
      for (int r = 0; r < 3; ++r) g.to_lattice[3 * c + r] = to_lattice[c][r];
      g.offset[c] = offset[c];
      g.counts[c] = levels_.front().e.counts[c];
      g.padded[c] = levels_.front().e.padded[c];
    }
    g.periodic = periodic_;
    g.degree = plan_->basis.degree;
    for (int m = 0; m < MsmBasis::most; ++m) {
      for (int k = 0; k < MsmBasis::most; ++k) g.coefficient[m][k] = static_cast<float>(plan_->basis.coefficient[m][k]);
    }
    msm_gather_cuda(g, raw_.data(), problem_.atoms(), levels_.front().e.values, forces, energies,
                    all ? device_.sums() + sum_long_range : nullptr, stream());
  }

 private:
  /// Lattices and cells; without periodicity new ones where an atom has left the room that they cover.
  void prepare(Span<const glm::vec3> positions, Job& job) {
    if (plan_ && periodic_) return;
    const std::vector<glm::vec3> host = copy_to_host(positions);
    glm::dvec3 lower(host[0]);
    glm::dvec3 upper = lower;
    std::vector<PointCharge> charges(host.size());
    for (std::size_t i = 0; i < host.size(); ++i) {
      charges[i] = {host[i], problem_.charges[i]};
      lower = glm::min(lower, glm::dvec3(host[i]));
      upper = glm::max(upper, glm::dvec3(host[i]));
    }
    if (!(std::isfinite(lower.x + lower.y + lower.z) && std::isfinite(upper.x + upper.y + upper.z))) {
      throw Error("MSM: the position of an atom is not a finite number", Error::Kind::usage);
    }
    constexpr double margin = 8;
    if (plan_ && glm::all(glm::greaterThanEqual(lower, lower_)) && glm::all(glm::lessThanEqual(upper, upper_))) return;
    stream().synchronize("MSM");
    lower_ = lower - margin;
    upper_ = upper + margin;
    plan_.emplace(msm_force_plan(charges, options_, device(), margin));
    Cell box = problem_.cell;
    if (!periodic_) {
      // Repeated with more than the cutoff between the images, which therefore never meet.
      box.vectors = glm::dmat3(0.0);
      for (int a = 0; a < 3; ++a) box.vectors[a][a] = upper_[a] - lower_[a] + options_.cutoff * 1.01;
    }
    pairs_.reset();
    pairs_.emplace(problem_.atoms(), box, true, near_, device());
    make_levels(job);
  }

  void make_levels(Job& job) {
    levels_.clear();
    std::size_t largest = 0;
    for (const MsmLevel& level : plan_->levels) {
      if (level.fft) largest = std::max(largest, fft_spectrum_size(level.padded));
    }
    spectrum_ = DeviceArray<std::complex<float>>(largest, device(), "MSM: spectrum");
    for (const MsmLevel& level : plan_->levels) {
      Level l;
      const glm::ivec3 shape = level.fft ? level.padded : level.counts;
      l.charges = DeviceArray<float>(product(shape), device(), "MSM: charges of a lattice");
      l.potentials = DeviceArray<float>(product(shape), device(), "MSM: potentials of a lattice");
      for (int i = 0; i < 3; ++i) {
        l.q.counts[i] = l.e.counts[i] = level.counts[i];
        l.q.padded[i] = l.e.padded[i] = shape[i];
      }
      l.q.values = l.charges.data();
      l.e.values = l.potentials.data();
      const MsmStencil stencil = msm_stencil(*plan_, level, job);
      l.first = stencil.first;
      l.last = stencil.last;
      if (!level.fft) {
        l.kernel = DeviceArray<float>::from_host(stencil.values, device(), "MSM: kernel");
      } else {
        l.kernel = DeviceArray<float>(fft_spectrum_size(level.padded), device(), "MSM: kernel");
        clear(l.potentials);
        MsmView view{l.potentials.data(), {}, {}};
        for (int i = 0; i < 3; ++i) view.counts[i] = view.padded[i] = level.padded[i];
        msm_scatter_cuda(stencil, view, stream());
        fft_.forward(level.padded, l.potentials.data(), spectrum_.data());
        msm_kernel_spectrum_cuda(*plan_, level, spectrum_.data(), l.kernel.data(), stream());
        stream().synchronize("MSM: kernel");
      }
      levels_.push_back(std::move(l));
    }
  }

  void clear(DeviceArray<float>& values) {
    cuda_check(cuda_api().set_bytes(values.data(), 0, values.size() * sizeof(float), stream().handle()),
               "MSM: clearing a lattice");
  }

  /// Eq. 12.
  void spread() {
    for (std::size_t k = 0; k < levels_.size(); ++k) {
      const MsmLevel& level = plan_->levels[k];
      if (level.fft && level.padded != level.counts) clear(levels_[k].charges);
    }
    msm_spread_cuda(*plan_, raw_, units::coulomb_kcal_angstrom, levels_.front().q, stream());
  }

  /// On the host, from the charges of level 0, whose rows have no ends where all axes are periodic.
  void sum_virial(Job& job) {
    const DeviceArray<float>& there = levels_.front().charges;
    LargeVector<float> charges(there.size());
    copy_memory(charges.data(), Device::cpu(), there.data(), device(), charges.size() * sizeof(float),
                stream().handle());
    stream().synchronize("MSM: charges of the lattice");
    lattice_virial_ = msm_virial(*plan_, std::move(charges), job);
    for (double& part : lattice_virial_) part /= units::coulomb_kcal_angstrom;
  }

  /// Eqs. 13 to 16.
  void sum_lattices() {
    for (std::size_t k = 0; k + 1 < levels_.size(); ++k) {
      msm_restrict_cuda(*plan_, plan_->levels[k], levels_[k].q, levels_[k + 1].q, stream());
    }
    for (std::size_t k = levels_.size(); k-- > 0;) {
      const MsmLevel& level = plan_->levels[k];
      Level& l = levels_[k];
      if (level.fft) {
        fft_.forward(level.padded, l.q.values, spectrum_.data());
        msm_multiply_cuda(spectrum_.data(), l.kernel.data(), fft_spectrum_size(level.padded), stream());
        fft_.backward(level.padded, spectrum_.data(), l.e.values);
      } else {
        msm_direct_cuda(*plan_, l.q, l.e, l.kernel.data(), l.first, l.last, stream());
      }
      if (k + 1 < levels_.size()) msm_prolong_cuda(*plan_, level, levels_[k + 1].e, l.e, stream());
    }
  }

  MsmOptions options_;
  bool periodic_;
  SmoothKernel smooth_;
  ShortRange near_;
  EnergyDevice device_;
  DeviceArray<RawCharge> raw_;
  CudaFft fft_;
  double squares_ = 0;
  glm::dvec3 lower_{0.0}, upper_{0.0};
  std::optional<MsmPlan> plan_;
  std::array<double, 6> lattice_virial_{};
  std::optional<PairsCuda> pairs_;
  std::vector<Level> levels_;
  DeviceArray<std::complex<float>> spectrum_;
};

}  // namespace

std::unique_ptr<Electrostatics> msm_forces_cuda(ElectrostaticProblem problem, const MsmOptions& options, bool periodic,
                                                Device device) {
  return std::make_unique<MsmForcesCuda>(std::move(problem), options, periodic, device);
}

}  // namespace isolume
