// Energies and forces by multilevel summation: checks, the choice of the body, and that of the CPU.
#include "compute/electrostatics/msm/msm_forces.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/energy/energy_cpu.h"
#include "compute/electrostatics/msm/msm_cpu.h"
#include "compute/electrostatics/msm/msm_force_plan.h"
#include "compute/electrostatics/msm/msm_virial.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

class MsmForcesCpu final : public Electrostatics {
 public:
  MsmForcesCpu(ElectrostaticProblem problem, const MsmOptions& options, bool periodic)
      : Electrostatics(std::move(problem), Device::cpu(), "MSM"),
        options_(options),
        periodic_(periodic),
        smooth_(SmoothKernel::of_msm(options.cutoff, options.smoothing)),
        near_(ShortRange::fit(smooth_, options.cutoff)) {}
  std::string name() const override { return "msm"; }
  std::string describe() const override { return isolume::describe(options_); }
  std::size_t memory() const override { return problem_.atoms() * 160; }
  bool splits() const override { return true; }
  ElectrostaticSums sums() override {
    ElectrostaticSums s = collector_.sums;
    if (!periodic_) s.virial = {};
    s.has_virial = periodic_;
    return s;
  }
  void set_cell(const Cell& cell) override {
    check_msm_cell(options_, periodic_, cell);
    Electrostatics::set_cell(cell);
    options_.cell = cell;
  }

 protected:
  void compute(Span<const glm::vec3> positions, const ElectrostaticOutput& out, Job& job) override {
    collector_.begin(problem_, out, job);
    if (out.part != ElectrostaticPart::far) {
      const PhaseTimer timer("pairs");
      add_near_pairs_cpu(problem_, positions, near_, periodic_, collector_, job);
    }
    collector_.add_exclusions(positions, smooth_, periodic_, job);
    collector_.add_self(smooth_);
    if (out.part == ElectrostaticPart::near) return collector_.finish(job);
    charges_.resize(problem_.atoms());
    for (std::size_t i = 0; i < charges_.size(); ++i) charges_[i] = {positions.data[i], problem_.charges[i]};
    const MsmPlan plan = msm_force_plan(charges_, options_, device());
    MsmNodes nodes;
    {
      const PhaseTimer timer("lattice: charges");
      nodes = msm_spread_cpu(plan, charges_, units::coulomb_kcal_angstrom, job);
    }
    if (out.sums && periodic_) add_virial(plan, nodes, job);
    {
      const PhaseTimer timer("lattices");
      nodes = msm_lattices_cpu(plan, std::move(nodes), job);
    }
    const PhaseTimer timer("lattice: forces");
    gather(plan, nodes, job);
    collector_.finish(job);
  }

 private:
  void add_virial(const MsmPlan& plan, const MsmNodes& charges, Job& job) {
    const std::array<double, 6> whole = msm_virial(plan, msm_dense(charges, job), job);
    double virial[6];
    for (std::size_t c = 0; c < 6; ++c) virial[c] = whole[c] / units::coulomb_kcal_angstrom;
    collector_.add_sums(&ElectrostaticSums::long_range, std::numeric_limits<std::size_t>::max(), 0, virial);
  }

  void gather(const MsmPlan& plan, const MsmNodes& nodes, Job& job) {
    constexpr std::size_t chunk = 1024;
    const glm::dmat3 to_lattice = plan.inverse * plan.frame.turn;
    const int taps = plan.basis.taps();
    const glm::ivec3 n = nodes.counts;
    parallel_for((charges_.size() + chunk - 1) / chunk, job, "lattice: forces", [&](std::size_t part) {
      double energy = 0;
      for (std::size_t i = part * chunk; i < std::min(charges_.size(), (part + 1) * chunk); ++i) {
        const glm::dvec3 u = plan.coordinates(charges_[i].position);
        int at[3][MsmBasis::most];
        float w[3][MsmBasis::most];
        float d[3][MsmBasis::most];
        for (int a = 0; a < 3; ++a) {
          const double base = std::floor(u[a]);
          msm_weights(plan.basis, u[a] - base, w[a], d[a]);
          for (int m = 0; m < taps; ++m) {
            int node = static_cast<int>(base) - plan.basis.below + m;
            if (plan.periodic[a]) node = (node % n[a] + n[a]) % n[a];
            at[a][m] = std::clamp(node, 0, n[a] - 1);  // beyond its ends weights are 0
          }
        }
        double value = 0;
        glm::dvec3 slope(0.0);
        for (int c = 0; c < taps; ++c) {
          float plane = 0;
          float by_x = 0;
          float by_y = 0;
          for (int b = 0; b < taps; ++b) {
            const float* row = nodes.row(at[1][b], at[2][c]);
            float v = 0;
            float s = 0;
            for (int a = 0; a < taps; ++a) {
              v += w[0][a] * row[at[0][a]];
              s += d[0][a] * row[at[0][a]];
            }
            plane += w[1][b] * v;
            by_x += w[1][b] * s;
            by_y += d[1][b] * v;
          }
          value += static_cast<double>(w[2][c] * plane);
          slope += glm::dvec3(w[2][c] * by_x, w[2][c] * by_y, d[2][c] * plane);
        }
        const double q = static_cast<double>(charges_[i].charge);
        collector_.add_force(i, -q * (glm::transpose(to_lattice) * slope));
        collector_.add_energy(i, q / 2 * value);
        energy += q / 2 * value;
      }
      collector_.add_sums(&ElectrostaticSums::long_range, part, energy, {});
    });
  }

  MsmOptions options_;
  bool periodic_;
  SmoothKernel smooth_;
  ShortRange near_;
  std::vector<PointCharge> charges_;
  ForceCollector collector_;
};

}  // namespace

void check_msm_cell(const MsmOptions& options, bool periodic, const Cell& cell) {
  if (!periodic) return;
  if (!cell.exists()) throw Error("MSM: periodicity was asked for and there is no cell", Error::Kind::usage);
  const glm::dmat3 dual = glm::transpose(glm::inverse(cell.vectors));
  const double most = 0.5 / std::max({glm::length(dual[0]), glm::length(dual[1]), glm::length(dual[2])});
  if (options.cutoff > most) {
    throw Error(fmt::format("MSM: a cutoff of {:.4g} angstrom does not fit into the cell; the largest that does is "
                            "{:.4g}, half of the least distance between its faces",
                            options.cutoff, std::floor(most * 1000) / 1000),
                Error::Kind::usage);
  }
}

MsmPlan msm_force_plan(std::span<const PointCharge> charges, const MsmOptions& options, Device device, double margin) {
  // The lattices cover this grid and the charges.
  Grid grid;
  grid.counts = glm::ivec3(2);
  if (!options.periodic[0]) {
    glm::dvec3 lower(charges[0].position);
    glm::dvec3 upper = lower;
    for (const PointCharge& c : charges) {
      lower = glm::min(lower, glm::dvec3(c.position));
      upper = glm::max(upper, glm::dvec3(c.position));
    }
    grid.origin = lower - margin;
    for (int a = 0; a < 3; ++a) grid.step[a][a] = std::max(1.0, upper[a] - lower[a] + 2 * margin);
  }
  return {charges, grid, options, device};
}

void msm_weights(const MsmBasis& basis, double t, float* weights, float* slopes) {
  for (int m = 0; m < basis.taps(); ++m) {
    double w = 0;
    double d = 0;
    for (int k = basis.degree; k >= 0; --k) {
      d = d * t + w;
      w = w * t + basis.coefficient[m][k];
    }
    weights[m] = static_cast<float>(w);
    slopes[m] = static_cast<float>(d);
  }
}

std::unique_ptr<Electrostatics> msm_electrostatics(ElectrostaticProblem problem, const MsmOptions& options,
                                                   bool periodic, Device device) {
  problem.check("MSM");
  MsmOptions o = options;
  o.periodic = {periodic, periodic, periodic};
  o.cell = problem.cell;
  check_msm_cell(o, periodic, problem.cell);
  // Its checks of the options are those of the potential.
  const PointCharge one{glm::vec3(0), 1};
  Grid grid;
  grid.counts = glm::ivec3(1);
  (void)msm_potential_memory({&one, 1}, grid, o, device);
  require_memory(problem.atoms() * 200, device, "MSM");
  if (device.is_cuda()) return msm_forces_cuda(std::move(problem), o, periodic, device);
  return std::make_unique<MsmForcesCpu>(std::move(problem), o, periodic);
}

}  // namespace isolume
