// Coulomb's sums at points on the CPU: the order of the steps.
#include <algorithm>
#include <cmath>
#include <vector>

#include "compute/base/job_part.h"
#include "compute/base/parallel_for.h"
#include "compute/electrostatics/charges/charge_bins.h"
#include "compute/electrostatics/coulomb_sum/coulomb_lattice.h"
#include "compute/electrostatics/coulomb_sum/coulomb_rows_cpu.h"
#include "compute/electrostatics/pairs/pair_function.h"

namespace isolume {
namespace {

const char* const points_name = "Coulomb's potential at points";

class CoulombLatticeCpu final : public CoulombLattice {
 public:
  CoulombLatticeCpu(std::span<const PointCharge> charges, const CoulombLatticePlan& plan, Job& job)
      : CoulombLattice(plan),
        msm_(charges, plan.box, plan.options, Device::cpu()),
        taps_(msm_.basis),
        field_(msm_field_cpu(charges, msm_, JobPart(job, 0, 0.8))) {
    const PairFunction function = PairFunction::msm_short_range(plan.options.cutoff, plan.options.smoothing, true);
    const MsmNodesView lattice = field_->nodes();
    nodes_ = {lattice.values, lattice.counts,           lattice.padded,
              msm_.origin,    1 / plan.options.spacing, static_cast<float>(1 / function.scale)};
    const ChargeBins bins = bin_charges(charges, plan.box, msm_.frame, plan.options.cutoff, plan.side(), 1.0,
                                        msm_.images, JobPart(job, 0.8, 1));
    cells_.lower = bins.lower;
    cells_.side = bins.side;
    cells_.counts = bins.counts;
    cells_.first = bins.first;
    cells_.cutoff2 = function.cutoff2;
    std::copy(std::begin(function.coefficient), std::end(function.coefficient), std::begin(cells_.coefficient));
    // As many binary digits of an angstrom as 32 bits hold, and no more than 23.
    double furthest = 0;
    const glm::dvec3 end = bins.lower + bins.side * glm::dvec3(bins.counts);
    for (int axis = 0; axis < 3; ++axis)
      furthest = std::max({furthest, std::abs(bins.lower[axis]), std::abs(end[axis])});
    cells_.per_angstrom = std::min(std::exp2(std::floor(std::log2(1.9e9 / (furthest + 1)))), 8388608.0);
    const auto whole = [&](const std::vector<double>& from) {
      std::vector<std::int32_t> to(from.size() + CoulombCells::spare, 0);
      for (std::size_t i = 0; i < from.size(); ++i)
        to[i] = static_cast<std::int32_t>(std::lrint(from[i] * cells_.per_angstrom));
      return to;
    };
    cells_.x = whole(bins.x);
    cells_.y = whole(bins.y);
    cells_.z = whole(bins.z);
    cells_.charge = bins.charge;
    cells_.charge.resize(bins.size() + CoulombCells::spare, 0.0f);
  }

  void at(std::span<const glm::dvec3> points, std::span<double> potential, std::span<glm::dvec3> gradients,
          Job& job) override {
    constexpr std::size_t tile = 256;
    parallel_for((points.size() + tile - 1) / tile, job, points_name, [&](std::size_t t) {
      for (std::size_t i = t * tile; i < std::min(points.size(), (t + 1) * tile); ++i) {
        const glm::dvec3 place = msm_.frame.to_frame(points[i]);
        double found[4];
        coulomb_at_point(cells_, nodes_, taps_, &place.x, found);
        potential[i] = found[0];
        if (!gradients.empty()) gradients[i] = glm::dvec3(found[1], found[2], found[3]);
      }
    });
  }

 private:
  const MsmPlan msm_;
  const CoulombTaps taps_;
  const std::unique_ptr<MsmFieldBody> field_;
  CoulombNodes nodes_;
  CoulombCells cells_;
};

}  // namespace

std::unique_ptr<CoulombLattice> coulomb_lattice_cpu(std::span<const PointCharge> charges,
                                                    const CoulombLatticePlan& plan, Job& job) {
  return std::make_unique<CoulombLatticeCpu>(charges, plan, job);
}

void coulomb_direct_cpu(std::span<const PointCharge> charges, std::span<const glm::dvec3> points,
                        std::span<double> potential, std::span<glm::dvec3> gradients, Job& job) {
  constexpr std::size_t lanes = 16, run = 64, block = 1024;
  const glm::dvec3 middle = coulomb_middle(charges);
  const std::size_t count = charges.size();
  std::vector<float> x(count), y(count), z(count), q(count);
  for (std::size_t j = 0; j < count; ++j) {
    const glm::vec3 at(glm::dvec3(charges[j].position) - middle);
    x[j] = at.x;
    y[j] = at.y;
    z[j] = at.z;
    q[j] = charges[j].charge;
  }
  parallel_for((points.size() + block - 1) / block, job, points_name, [&](std::size_t b) {
    const std::size_t end = std::min(points.size(), (b + 1) * block);
    for (std::size_t first = b * block; first < end; first += lanes) {
      job.check();  // a run of points with a million charges takes some milliseconds
      alignas(64) float at[3 * lanes], sums[lanes], slopes[3 * lanes];
      double total[lanes] = {};
      glm::dvec3 slope[lanes] = {};
      const std::size_t used = std::min(lanes, end - first);
      for (std::size_t l = 0; l < lanes; ++l) {
        const glm::dvec3 r = points[first + std::min(l, used - 1)] - middle;
        for (std::size_t axis = 0; axis < 3; ++axis)
          at[axis * lanes + l] = static_cast<float>(r[static_cast<int>(axis)]);
      }
      // Totals in double precision, from runs of single.
      for (std::size_t j = 0; j < count; j += run) {
        coulomb_block(&x[j], &y[j], &z[j], &q[j], std::min(run, count - j), at, sums,
                      gradients.empty() ? nullptr : slopes);
        for (std::size_t l = 0; l < lanes; ++l) total[l] += static_cast<double>(sums[l]);
        for (std::size_t l = 0; l < lanes && !gradients.empty(); ++l)
          slope[l] += glm::dvec3(static_cast<double>(slopes[l]), static_cast<double>(slopes[lanes + l]),
                                 static_cast<double>(slopes[2 * lanes + l]));
      }
      for (std::size_t l = 0; l < used; ++l) {
        potential[first + l] = total[l];
        if (!gradients.empty()) gradients[first + l] = slope[l];
      }
    }
  });
}

}  // namespace isolume
