// The steps of multilevel summation on the CPU.
#pragma once

#include <memory>
#include <vector>

#include "compute/base/job.h"
#include "compute/base/large_vector.h"
#include "compute/electrostatics/msm/msm_plan.h"
#include "compute/electrostatics/pairs/near_sum_cpu.h"

namespace isolume {

/// Lattice values in single precision; rows are stride long, x fastest.
struct MsmNodes {
  glm::ivec3 counts{0};
  int stride = 0;
  LargeVector<float> values;
  MsmNodes() = default;
  MsmNodes(glm::ivec3 counts_, int stride_)
      : counts(counts_),
        stride(stride_),
        values(static_cast<std::size_t>(stride_) * static_cast<std::size_t>(counts_.y) *
                   static_cast<std::size_t>(counts_.z),
               0.0f) {}
  float* row(int j, int k) {
    return values.data() +
           (static_cast<std::size_t>(k) * static_cast<std::size_t>(counts.y) + static_cast<std::size_t>(j)) *
               static_cast<std::size_t>(stride);
  }
  const float* row(int j, int k) const { return const_cast<MsmNodes*>(this)->row(j, k); }
};

/// Eq. 12: charges (times `scale`) onto the nodes of level 0.
MsmNodes msm_spread_cpu(const MsmPlan& plan, std::span<const PointCharge> charges, double scale, Job& job);

/// One axis of eq. 13: node J of the coarse lattice takes node 2 (J - shift) + t of the fine one with refine(t).
LargeVector<float> msm_restrict_axis(const LargeVector<float>& fine, glm::ivec3 counts, int axis, int coarse, int shift,
                                     bool periodic, const MsmBasis& basis, Job& job);
/// One axis of eq. 16: node i of the fine lattice takes the coarse lattice at i/2 + shift.
LargeVector<float> msm_prolong_axis(const LargeVector<float>& coarse, glm::ivec3 counts, int axis, int fine, int shift,
                                    bool periodic, const MsmBasis& basis, Job& job);

/// Eqs. 13 to 16: potentials of level 0 from its charges.
MsmNodes msm_lattices_cpu(const MsmPlan& plan, MsmNodes charges, Job& job);

/// Eq. 17 for a tile of the map: fills it with the long-range part.
void msm_interpolate_cpu(const MsmPlan& plan, const MsmNodes& potentials, const NearTile& tile);

}  // namespace isolume
