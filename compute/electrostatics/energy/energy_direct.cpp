// Energies and forces by the sum over all pairs: the choice of the body, and that of the CPU.
#include <algorithm>

#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "compute/electrostatics/energy/energy_bodies.h"
#include "compute/electrostatics/energy/energy_cpu.h"

namespace isolume {

namespace {

class DirectCpu final : public Electrostatics {
 public:
  explicit DirectCpu(ElectrostaticProblem problem) : Electrostatics(std::move(problem), Device::cpu(), "direct") {
    const std::size_t padded = problem_.atoms() + pair_lanes;
    for (auto* v : {&x_, &y_, &z_, &q_}) v->assign(padded, 0.0f);
  }
  std::string name() const override { return "direct"; }
  std::string describe() const override { return "all pairs, no periodicity"; }
  std::size_t memory() const override { return problem_.atoms() * 48; }
  ElectrostaticSums sums() override { return collector_.sums; }

 protected:
  void compute(Span<const glm::vec3> positions, const ElectrostaticOutput& out, Job& job) override {
    const std::size_t atoms = problem_.atoms();
    for (std::size_t i = 0; i < atoms; ++i) {
      x_[i] = positions.data[i].x;
      y_[i] = positions.data[i].y;
      z_[i] = positions.data[i].z;
      q_[i] = problem_.charges[i];
    }
    collector_.begin(problem_, out, job);
    constexpr std::size_t some = 64;    // atoms a task
    constexpr std::size_t chunk = 512;  // partners at a time
    const ShortRange plain = ShortRange::plain();
    const PairExclusions& x = problem_.exclusions;
    parallel_for((atoms + some - 1) / some, job, "all pairs", [&](std::size_t part) {
      double energy = 0;
      double virial[6] = {};
      alignas(64) float charges[chunk + pair_lanes];
      for (std::size_t i = part * some; i < std::min(atoms, (part + 1) * some); ++i) {
        PairSums sums;
        std::uint32_t at = x.empty() ? 0 : x.offsets[i];
        const std::uint32_t end = x.empty() ? 0 : x.offsets[i + 1];
        for (std::size_t begin = 0; begin < atoms; begin += chunk) {
          const std::size_t count = std::min(chunk, atoms - begin);
          const float* q = q_.data() + begin;
          if ((at < end && x.partners[at] < begin + count) || begin + count == atoms) {
            // Excluded partners carry no charge for this atom, nor does what is beyond the end.
            std::copy(q, q + count, charges);
            std::fill(charges + count, charges + count + pair_lanes, 0.0f);
            for (; at < end && x.partners[at] < begin + count; ++at) charges[x.partners[at] - begin] = 0;
            q = charges;
          }
          pair_loop({x_.data() + begin, y_.data() + begin, z_.data() + begin, q, count}, x_[i], y_[i], z_[i], plain,
                    collector_.all(), sums);
        }
        collector_.add_pairs(i, sums, energy, virial);
      }
      collector_.add_sums(&ElectrostaticSums::pairs, part, energy, virial);
    });
    collector_.add_exclusions(positions, SmoothKernel::none(), false, job);
    collector_.finish(job);
  }

 private:
  std::vector<float> x_, y_, z_, q_;
  ForceCollector collector_;
};

}  // namespace

std::unique_ptr<Electrostatics> direct_electrostatics(ElectrostaticProblem problem, Device device) {
  require_memory(problem.atoms() * 160, device, "direct");
  if (device.is_cuda()) return direct_electrostatics_cuda(std::move(problem), device);
  return std::make_unique<DirectCpu>(std::move(problem));
}

}  // namespace isolume
