// Multilevel summation on the CPU: the order of the steps.
#include <algorithm>
#include <optional>

#include "compute/base/job_part.h"
#include "compute/electrostatics/msm/msm_bodies.h"
#include "compute/electrostatics/msm/msm_cpu.h"

namespace isolume {

namespace {

class MsmFieldCpu : public MsmFieldBody {
 public:
  MsmFieldCpu(std::span<const PointCharge> charges, const MsmPlan& plan, Job& job)
      : charges_(charges),
        plan_(plan),
        function_(
            PairFunction::msm_short_range(plan.options.cutoff, plan.options.smoothing, plan.options.refine_roots)),
        nodes_(msm_lattices_cpu(plan, msm_spread_cpu(plan, charges, function_.scale, JobPart(job, 0, 0.25)),
                                JobPart(job, 0.25, 1))) {}

  void map(int first, int layers, Span<float> potential, Job& whole) override {
    const double sorted = bins_ ? 0.0 : 0.05;  // of the progress
    JobPart job(whole, sorted, 1);
    // One frame and one order of the charges for all parts of the map: they have the bits of the whole.
    const double cutoff = plan_.options.cutoff;
    if (!bins_) {
      bins_ = bin_charges(charges_, plan_.grid, plan_.frame, cutoff, std::clamp(cutoff, 2.0, 4.0), function_.scale,
                          plan_.images, JobPart(whole, 0, sorted));
    }
    // Said before the tiles: the calling thread reports after its own alone, and its first can be a late one of many.
    whole.progress(sorted, "MSM: short range");
    near_sum_cpu(
        *bins_, plan_.grid, plan_.frame, function_, first, layers, potential,
        [&](const NearTile& tile) { msm_interpolate_cpu(plan_, nodes_, tile); }, job, "MSM: short range");
  }

  MsmHostLattice lattice() override {
    return {nodes_.counts, nodes().padded, std::vector<float>(nodes_.values.begin(), nodes_.values.end())};
  }
  MsmNodesView nodes() override {
    return {nodes_.values.data(), nodes_.counts, glm::ivec3(nodes_.stride, nodes_.counts.y, nodes_.counts.z)};
  }

 private:
  std::span<const PointCharge> charges_;
  const MsmPlan& plan_;
  PairFunction function_;
  MsmNodes nodes_;
  std::optional<ChargeBins> bins_;  // of all charges, once a part of the map is asked for
};

}  // namespace

std::unique_ptr<MsmFieldBody> msm_field_cpu(std::span<const PointCharge> charges, const MsmPlan& plan, Job& job) {
  return std::make_unique<MsmFieldCpu>(charges, plan, job);
}

}  // namespace isolume
