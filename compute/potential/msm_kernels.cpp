// The kernels of multilevel summation's lattices.
#include <cmath>
#include <limits>

#include "compute/parallel_for.h"
#include "compute/potential/msm_plan.h"
#include "molecule/units.h"

namespace isolume {

double MsmPlan::kernel(const MsmLevel& level, glm::ivec3 difference) const {
  const int k = index_of(level);
  const double a = std::ldexp(options.cutoff, k);
  const glm::dvec3 d = std::ldexp(1.0, k) * (lattice * glm::dvec3(difference));
  if (level.top && ewald) return ewald->smooth(d, a, options.smoothing);
  const TaylorGamma gamma(options.smoothing);
  const double s = glm::dot(d, d) / (a * a);
  if (level.top) return gamma(s) / a;
  return s >= 4 ? 0 : (gamma(s) - 0.5 * gamma(s / 4)) / a;
}

MsmPlan::Split MsmPlan::top_split() const {
  Split split;
  const MsmLevel& top = levels.back();
  split.a = std::ldexp(options.cutoff, index_of(top));
  // The highest wave number that the nodes carry, in the direction where it is lowest.
  double highest = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    // Distance of the face m_axis = n/2 from the origin of Fourier space is pi n / |cell vector|.
    highest = std::min(highest, units::pi * top.counts[axis] / glm::length(images.vectors[axis]));
  }
  split.alpha = highest / 10;  // exp(-25) at the edge
  split.reach = std::max(split.a, 4.9 / split.alpha);
  const double volume = std::abs(glm::determinant(images.vectors));
  split.constant = -units::pi / (split.alpha * split.alpha * volume);
  return split;
}

double MsmPlan::split_near(const Split& split, double r) const {
  const TaylorGamma gamma(options.smoothing);
  if (r < 1e-9) return gamma(0) / split.a - 2 * split.alpha / std::sqrt(units::pi);
  if (r >= split.a) return std::erfc(split.alpha * r) / r;
  return gamma(r * r / (split.a * split.a)) / split.a - std::erf(split.alpha * r) / r;
}

double MsmPlan::split_far(const Split& split, glm::ivec3 m) const {
  if (m.x == 0 && m.y == 0 && m.z == 0) return 0;
  const glm::dvec3 k = 2 * units::pi * (glm::transpose(images.inverse) * glm::dvec3(m));
  const double k2 = glm::dot(k, k);
  const double volume = std::abs(glm::determinant(images.vectors));
  return static_cast<double>(levels.back().size()) / volume * 4 * units::pi / k2 *
         std::exp(-k2 / (4 * split.alpha * split.alpha));
}

MsmStencil msm_stencil(const MsmPlan& plan, const MsmLevel& level, Job& job) {
  MsmStencil stencil;
  const bool split = level.top && plan.periodic_top();
  const MsmPlan::Split parts = split ? plan.top_split() : MsmPlan::Split{};
  const double step = std::ldexp(1.0, plan.index_of(level));
  glm::ivec3 radius = level.radius;
  for (int axis = 0; split && axis < 3; ++axis) {
    double row = 0;
    for (int j = 0; j < 3; ++j) row += plan.inverse[j][axis] * plan.inverse[j][axis];
    radius[axis] = static_cast<int>(std::ceil(parts.reach / step * std::sqrt(row)));
  }
  stencil.first = -radius;
  stencil.last = radius;
  for (int axis = 0; level.top && !split && axis < 3; ++axis) {
    // Along periodic axes the kernel holds all images and repeats.
    if (plan.periodic[axis]) {
      stencil.first[axis] = 0;
      stencil.last[axis] = level.counts[axis] - 1;
    }
  }
  const glm::ivec3 size = stencil.size();
  stencil.values.resize(static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y) *
                        static_cast<std::size_t>(size.z));
  const auto rows = static_cast<std::size_t>(size.y) * static_cast<std::size_t>(size.z);
  parallel_for(rows, job, "kernels", [&](std::size_t row) {
    const int j = static_cast<int>(row % static_cast<std::size_t>(size.y));
    const int k = static_cast<int>(row / static_cast<std::size_t>(size.y));
    for (int i = 0; i < size.x; ++i) {
      const glm::ivec3 d = stencil.first + glm::ivec3(i, j, k);
      double value = 0;
      if (split) {
        const double r = step * glm::length(plan.lattice * glm::dvec3(d));
        if (r < parts.reach) value = plan.split_near(parts, r);
      } else {
        value = plan.kernel(level, d);
      }
      stencil.values[row * static_cast<std::size_t>(size.x) + static_cast<std::size_t>(i)] = static_cast<float>(value);
    }
  });
  return stencil;
}

MsmKernelKey msm_kernel_key(const MsmPlan& plan, const MsmLevel& level) {
  return {level.counts,
          level.padded,
          level.radius,
          level.top,
          level.fft,
          plan.index_of(level),
          plan.lattice,
          plan.options.cutoff,
          plan.options.smoothing,
          plan.options.periodic};
}

}  // namespace isolume
