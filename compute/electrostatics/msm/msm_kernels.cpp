// The kernels of multilevel summation's lattices, and the filter that B-splines need.
#include <cmath>
#include <limits>

#include "compute/base/parallel_for.h"
#include "compute/electrostatics/msm/msm_plan.h"
#include "molecule/base/units.h"

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
  double filter = 1;
  for (int axis = 0; axis < 3; ++axis) filter *= basis.transform(2 * units::pi * m[axis] / levels.back().counts[axis]);
  return static_cast<double>(levels.back().size()) / volume * 4 * units::pi / k2 *
         std::exp(-k2 / (4 * split.alpha * split.alpha)) / (filter * filter);
}

namespace {

/// The filter that makes B-splines interpolate, applied once for the charges and once for the points:
/// values[n] = 1/(2 pi) times the integral of exp(i n angle) / transform(angle)^2, as far as it matters.
std::vector<double> filter_of(const MsmBasis& basis) {
  constexpr int waves = 256;  // what comes around has fallen by 0.54^200 and more
  constexpr double least = 1e-7;
  std::vector<double> values;
  for (int n = 0; n < waves / 2; ++n) {
    double sum = 0;
    for (int k = 0; k < waves; ++k) {
      const double angle = 2 * units::pi * k / waves;
      const double b = basis.transform(angle);
      sum += std::cos(n * angle) / (b * b) / waves;
    }
    if (std::abs(sum) < least) break;
    values.push_back(sum);
  }
  return values;
}

/// Numbers over a box of node differences, x fastest.
struct Box {
  glm::ivec3 first{0};
  glm::ivec3 last{0};
  std::vector<double> values;
  int size(int axis) const { return last[axis] - first[axis] + 1; }
};

/// Fills a box with value(difference).
template <class Value>
Box box_of(glm::ivec3 first, glm::ivec3 last, Job& job, const Value& value) {
  Box box{first, last, {}};
  const auto nx = static_cast<std::size_t>(box.size(0));
  const auto ny = static_cast<std::size_t>(box.size(1));
  box.values.resize(nx * ny * static_cast<std::size_t>(box.size(2)));
  parallel_for(box.values.size() / nx, job, "kernels", [&](std::size_t row) {
    const int j = static_cast<int>(row % ny);
    const int k = static_cast<int>(row / ny);
    for (std::size_t i = 0; i < nx; ++i) {
      box.values[row * nx + i] = value(first + glm::ivec3(static_cast<int>(i), j, k));
    }
  });
  return box;
}

/// The filter along one axis: out has the box from `first` to `last` of that axis; beyond the box are zeros, or, where
/// it is `cyclic`, its own other end.
Box filtered(const Box& in, int axis, int first, int last, bool cyclic, const std::vector<double>& filter, Job& job) {
  const int reach = static_cast<int>(filter.size()) - 1;
  const int n = in.size(axis);
  const auto nx = static_cast<std::size_t>(in.size(0));
  const auto ny = static_cast<std::size_t>(in.size(1));
  const std::size_t stride = axis == 0 ? 1 : axis == 1 ? nx : nx * ny;
  glm::ivec3 from = in.first;
  glm::ivec3 to = in.last;
  from[axis] = first;
  to[axis] = last;
  return box_of(from, to, job, [&](glm::ivec3 d) {
    glm::ivec3 start = d - in.first;
    const int middle = start[axis];
    start[axis] = 0;
    const double* line = in.values.data() +
                         (static_cast<std::size_t>(start.z) * ny + static_cast<std::size_t>(start.y)) * nx +
                         static_cast<std::size_t>(start.x);
    double sum = 0;
    for (int t = -reach; t <= reach; ++t) {
      int i = middle + t;
      if (cyclic) i = ((i % n) + n) % n;
      if (i < 0 || i >= n) continue;
      sum += filter[static_cast<std::size_t>(std::abs(t))] * line[static_cast<std::size_t>(i) * stride];
    }
    return sum;
  });
}

/// value(difference) from `first` to `last`, filtered along all axes; `grown` is by how much more is evaluated for it.
template <class Value>
std::vector<double> filtered_box(const MsmBasis& basis, glm::ivec3 first, glm::ivec3 last, const bool (&cyclic)[3],
                                 Job& job, const Value& value) {
  if (basis.kind == MsmBasisKind::nodal) return box_of(first, last, job, value).values;
  const std::vector<double> filter = filter_of(basis);
  const int reach = static_cast<int>(filter.size()) - 1;
  glm::ivec3 from = first;
  glm::ivec3 to = last;
  for (int axis = 0; axis < 3; ++axis) {
    if (cyclic[axis]) continue;
    from[axis] -= reach;
    to[axis] += reach;
  }
  Box box = box_of(from, to, job, value);
  for (int axis = 2; axis >= 0; --axis) {
    box = filtered(box, axis, first[axis], last[axis], cyclic[axis], filter, job);
  }
  return std::move(box.values);
}

}  // namespace

int msm_filter_reach(const MsmBasis& basis) {
  return basis.kind == MsmBasisKind::nodal ? 0 : basis.degree + 1;
}

std::vector<double> msm_kernel_values(const MsmPlan& plan, const MsmLevel& level, glm::ivec3 first, glm::ivec3 last,
                                      Job& job) {
  bool cyclic[3];
  for (int axis = 0; axis < 3; ++axis) cyclic[axis] = level.top && plan.periodic[axis];
  return filtered_box(plan.basis, first, last, cyclic, job, [&](glm::ivec3 d) { return plan.kernel(level, d); });
}

MsmStencil msm_stencil(const MsmPlan& plan, const MsmLevel& level, Job& job) {
  MsmStencil stencil;
  const bool split = level.top && plan.periodic_top();
  stencil.first = -level.radius;
  stencil.last = level.radius;
  std::vector<double> values;
  if (split) {
    const MsmPlan::Split parts = plan.top_split();
    const double step = std::ldexp(1.0, plan.index_of(level));
    const int filter = plan.basis.kind == MsmBasisKind::nodal ? 0 : static_cast<int>(filter_of(plan.basis).size()) - 1;
    for (int axis = 0; axis < 3; ++axis) {
      double row = 0;
      for (int j = 0; j < 3; ++j) row += plan.inverse[j][axis] * plan.inverse[j][axis];
      stencil.last[axis] = static_cast<int>(std::ceil(parts.reach / step * std::sqrt(row))) + filter;
    }
    stencil.first = -stencil.last;
    const bool never[3] = {};
    values = filtered_box(plan.basis, stencil.first, stencil.last, never, job, [&](glm::ivec3 d) {
      const double r = step * glm::length(plan.lattice * glm::dvec3(d));
      return r < parts.reach ? plan.split_near(parts, r) : 0.0;
    });
  } else {
    for (int axis = 0; level.top && axis < 3; ++axis) {
      // Along periodic axes the kernel holds all images and repeats.
      if (!plan.periodic[axis]) continue;
      stencil.first[axis] = 0;
      stencil.last[axis] = level.counts[axis] - 1;
    }
    values = msm_kernel_values(plan, level, stencil.first, stencil.last, job);
  }
  stencil.values.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) stencil.values[i] = static_cast<float>(values[i]);
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
          plan.basis.kind == MsmBasisKind::nodal ? 0 : plan.basis.degree,
          plan.options.periodic};
}

}  // namespace isolume
