// Smooth particle-mesh Ewald on the CPU.
#include <algorithm>

#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/energy/energy_cpu.h"
#include "compute/electrostatics/ewald/spme_bodies.h"
#include "compute/electrostatics/ewald/spme_solver_cpu.h"

namespace isolume {

namespace {

class SpmeCpu final : public Electrostatics {
 public:
  SpmeCpu(ElectrostaticProblem problem, const SpmeOptions& options, bool pairs)
      : Electrostatics(std::move(problem), Device::cpu(), "SPME"),
        options_(options),
        pairs_(pairs),
        solver_(options, problem_.cell) {
    prepare();
  }
  std::string name() const override { return "spme"; }
  std::string describe() const override { return isolume::describe(options_); }
  std::size_t memory() const override { return spme_memory(problem_.atoms(), options_, problem_.cell, device()); }
  bool splits() const override { return pairs_; }
  ElectrostaticSums sums() override { return collector_.sums; }
  void set_cell(const Cell& cell) override {
    options_ = complete_spme(options_, cell);
    Electrostatics::set_cell(cell);
    solver_.set_cell(options_, cell);
    prepare();
  }

 protected:
  void compute(Span<const glm::vec3> positions, const ElectrostaticOutput& out, Job& job) override {
    collector_.begin(problem_, out, job, pairs_);
    if (pairs_) {
      if (out.part != ElectrostaticPart::far) {
        const PhaseTimer timer("pairs");
        add_near_pairs_cpu(problem_, positions, near_, true, collector_, job);
      }
      const PhaseTimer timer("excluded pairs");
      collector_.add_exclusions(positions, smooth_, true, job);
      collector_.add_self(smooth_);
      collector_.add_background(options_.alpha);
    }
    if (out.part == ElectrostaticPart::near) return collector_.finish(job);
    SpmeSolverCpu::AddSums add;
    if (collector_.all()) {
      add = [&](std::size_t index, double energy, const double(&virial)[6]) {
        collector_.add_sums(&ElectrostaticSums::long_range, index, energy, virial);
      };
    }
    solver_.solve({positions.data, positions.size}, problem_.charges, add, job);
    gather(job);
    collector_.settle();
  }

 private:
  void prepare() {
    smooth_ = SmoothKernel::of_ewald(options_.alpha);
    if (pairs_) near_ = ShortRange::fit(smooth_, options_.cutoff);
    solver_.tables().gradient(options_, gradient_);
  }

  void gather(Job& job) {
    const PhaseTimer timer("mesh: forces");
    constexpr std::size_t part = 2048, block = 64;
    const auto atoms = solver_.sorted();
    parallel_for((atoms.size() + part - 1) / part, job, "mesh: forces", [&](std::size_t p) {
      MeshValue values[block];
      for (std::size_t begin = p * part; begin < std::min(atoms.size(), (p + 1) * part); begin += block) {
        const auto some = atoms.subspan(begin, std::min(block, atoms.size() - begin));
        for (const MeshAtom& a : some) collector_.expect(a.atom);
        gather_potentials(options_.order, some.data(), some.size(), solver_.mesh(), values);
        for (std::size_t i = 0; i < some.size(); ++i) {
          const double q = static_cast<double>(some[i].charge);
          const glm::dvec3 g(values[i].gradient[0], values[i].gradient[1], values[i].gradient[2]);
          const glm::dvec3 force(gradient_[0] * g.x + gradient_[3] * g.y + gradient_[6] * g.z,
                                 gradient_[1] * g.x + gradient_[4] * g.y + gradient_[7] * g.z,
                                 gradient_[2] * g.x + gradient_[5] * g.y + gradient_[8] * g.z);
          collector_.put(some[i].atom, -q * force, q / 2 * static_cast<double>(values[i].potential));
        }
      }
    });
  }

  SpmeOptions options_;
  bool pairs_;
  SpmeSolverCpu solver_;
  SmoothKernel smooth_;
  ShortRange near_;
  double gradient_[9] = {};
  ForceCollector collector_;
};

}  // namespace

std::unique_ptr<Electrostatics> spme_cpu(ElectrostaticProblem problem, const SpmeOptions& options, bool pairs) {
  return std::make_unique<SpmeCpu>(std::move(problem), options, pairs);
}

}  // namespace isolume
