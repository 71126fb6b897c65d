// Multilevel summation on the CPU: charges onto the finest lattice.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "compute/electrostatics/msm/msm_cpu.h"
#include "compute/electrostatics/msm/slab_turns.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/electrostatics/msm/msm_spread_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#ifndef ISOLUME_MSM_SPREAD
#define ISOLUME_MSM_SPREAD
namespace isolume {

/// A charge in lattice coordinates: the node before it, and where it is between that and the next.
struct LatticeCharge {
  std::int32_t node[3];
  float t[3];
  float charge;
};

}  // namespace isolume
#endif

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Adds charges to a lattice whose rows have room for 8 values beyond their end; `first` = node - below, wrapped.
void spread_charges(const float (*coefficient)[8], int degree, const LatticeCharge* charges, std::size_t count,
                    const bool* periodic, MsmNodes& nodes) {
  const hn::CappedTag<float, 8> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int taps = degree + 1;
  const int below = (degree - 1) / 2;
  // Coefficients by power, so that the weights of all taps come from one polynomial of vectors.
  HWY_ALIGN float w[3][8];
  for (std::size_t n = 0; n < count; ++n) {
    const LatticeCharge& c = charges[n];
    for (int axis = 0; axis < 3; ++axis) {
      const auto t = hn::Set(d, c.t[axis]);
      for (int v = 0; v < 8; v += lanes) {
        auto sum = hn::LoadU(d, coefficient[degree] + v);
        for (int k = degree - 1; k >= 0; --k) sum = hn::MulAdd(sum, t, hn::LoadU(d, coefficient[k] + v));
        hn::StoreU(sum, d, w[axis] + v);
      }
    }
    int ix = c.node[0] - below;
    if (periodic[0] && ix < 0) ix += nodes.counts.x * ((-ix - 1) / nodes.counts.x + 1);
    for (int kk = 0; kk < taps; ++kk) {
      int k = c.node[2] - below + kk;
      if (periodic[2]) k = ((k % nodes.counts.z) + nodes.counts.z) % nodes.counts.z;
      const float wz = w[2][kk] * c.charge;
      for (int jj = 0; jj < taps; ++jj) {
        int j = c.node[1] - below + jj;
        if (periodic[1]) j = ((j % nodes.counts.y) + nodes.counts.y) % nodes.counts.y;
        float* row = nodes.row(j, k) + ix;
        const auto wyz = hn::Set(d, wz * w[1][jj]);
        for (int v = 0; v < 8; v += lanes) {
          hn::StoreU(hn::MulAdd(wyz, hn::LoadU(d, w[0] + v), hn::LoadU(d, row + v)), d, row + v);
        }
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"

namespace isolume {

HWY_EXPORT(spread_charges);

MsmNodes msm_spread_cpu(const MsmPlan& plan, std::span<const PointCharge> charges, double scale, Job& job) {
  const PhaseTimer timer("MSM: charges to lattice");
  const glm::ivec3 n = plan.levels.front().counts;
  MsmNodes nodes(n, n.x + 8);
  constexpr int thickness = 16;
  const int slabs = (n.z + thickness - 1) / thickness;
  constexpr int strips = 16;  // layers in y, for locality only
  const int rows = (n.y + strips - 1) / strips;
  const std::size_t buckets = static_cast<std::size_t>(slabs) * static_cast<std::size_t>(rows);
  const std::size_t part_size = 32768;
  const std::size_t parts = (charges.size() + part_size - 1) / part_size;
  std::vector<LatticeCharge> unsorted(charges.size());
  std::vector<std::uint32_t> bucket(charges.size());
  std::vector<std::vector<std::uint32_t>> counts(parts);
  const glm::dmat3 to_lattice = plan.inverse * plan.frame.turn;
  const glm::dvec3 offset = -(to_lattice * plan.frame.origin) - plan.inverse * plan.origin;
  parallel_for(parts, job, "charges to lattice", [&](std::size_t part) {
    counts[part].assign(buckets, 0);
    const std::size_t end = std::min(charges.size(), (part + 1) * part_size);
    for (std::size_t i = part * part_size; i < end; ++i) {
      glm::dvec3 u = to_lattice * glm::dvec3(charges[i].position) + offset;
      LatticeCharge c;
      for (int axis = 0; axis < 3; ++axis) {
        if (plan.periodic[axis]) u[axis] -= n[axis] * std::floor(u[axis] / n[axis]);
        const double base = std::floor(u[axis]);
        c.node[axis] = static_cast<std::int32_t>(base);
        c.t[axis] = static_cast<float>(u[axis] - base);
        if (plan.periodic[axis]) {
          if (c.node[axis] >= n[axis]) c.node[axis] = 0;
        } else {
          // Rounding of coordinates may put a charge one node outside of what was counted for it.
          const int least = plan.basis.below;
          const int most = n[axis] - plan.basis.below - 2;
          if (c.node[axis] < least || c.node[axis] > most) {
            c.node[axis] = std::clamp(c.node[axis], least, most);
            c.t[axis] = static_cast<float>(u[axis] - c.node[axis]);
          }
        }
      }
      c.charge = static_cast<float>(static_cast<double>(charges[i].charge) * scale);
      unsorted[i] = c;
      bucket[i] = static_cast<std::uint32_t>(c.node[2] / thickness * rows + c.node[1] / strips);
      ++counts[part][bucket[i]];
    }
  });
  std::vector<std::uint32_t> first(buckets + 1);
  std::uint32_t at = 0;
  for (std::size_t b = 0; b < buckets; ++b) {
    first[b] = at;
    for (auto& part : counts) {
      const std::uint32_t own = part[b];
      part[b] = at;
      at += own;
    }
  }
  first[buckets] = at;
  std::vector<LatticeCharge> sorted(charges.size());
  parallel_for(parts, job, "charges to lattice", [&](std::size_t part) {
    const std::size_t end = std::min(charges.size(), (part + 1) * part_size);
    for (std::size_t i = part * part_size; i < end; ++i) sorted[counts[part][bucket[i]]++] = unsorted[i];
  });
  float coefficient[8][8] = {};
  for (int k = 0; k <= plan.basis.degree; ++k) {
    for (int m = 0; m <= plan.basis.degree; ++m) coefficient[k][m] = static_cast<float>(plan.basis.coefficient[m][k]);
  }
  const auto fill = [&](int slab) {
    const std::size_t b = static_cast<std::size_t>(slab) * static_cast<std::size_t>(rows);
    HWY_DYNAMIC_DISPATCH(spread_charges)
    (coefficient, plan.basis.degree, sorted.data() + first[b], first[b + static_cast<std::size_t>(rows)] - first[b],
     plan.periodic, nodes);
  };
  for (const std::vector<int>& together : slab_turns(n.z, thickness, plan.periodic[2]))
    parallel_for(together.size(), job, "charges to lattice", [&](std::size_t i) { fill(together[i]); });
  if (plan.periodic[0]) {
    // What fell beyond the end of a row belongs to its beginning.
    for (int k = 0; k < n.z; ++k) {
      for (int j = 0; j < n.y; ++j) {
        float* row = nodes.row(j, k);
        for (int i = n.x; i < n.x + 8; ++i) {
          row[i % n.x] += row[i];
          row[i] = 0;
        }
      }
    }
  }
  return nodes;
}

}  // namespace isolume
#endif  // HWY_ONCE
