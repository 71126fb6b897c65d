// The lattices' part of the virial of a periodic multilevel summation.
#include "compute/electrostatics/msm/msm_virial.h"

#include <cmath>
#include <complex>
#include <vector>

#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"
#include "compute/fft/fft_cpu.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr int first_of[6] = {0, 1, 2, 0, 0, 1}, second_of[6] = {0, 1, 2, 1, 2, 2};

int wrap(int i, int n) {
  return ((i % n) + n) % n;
}

std::size_t at(glm::ivec3 i, glm::ivec3 n) {
  return (static_cast<std::size_t>(i.z) * static_cast<std::size_t>(n.y) + static_cast<std::size_t>(i.y)) *
             static_cast<std::size_t>(n.x) +
         static_cast<std::size_t>(i.x);
}

/// The derivative of split_far() by the strain, over split_far().
std::array<double, 6> far_slope(const MsmPlan& plan, double alpha, glm::ivec3 m) {
  const glm::dvec3 k = 2 * units::pi * (glm::transpose(plan.images.inverse) * glm::dvec3(m));
  const double both = 2 * (1 / glm::dot(k, k) + 1 / (4 * alpha * alpha));
  std::array<double, 6> slope{};
  for (std::size_t c = 0; c < 6; ++c)
    slope[c] = both * k[first_of[c]] * k[second_of[c]] - (first_of[c] == second_of[c] ? 1 : 0);
  return slope;
}

/// Six components for each layer of a sum.
using Slopes = std::vector<std::array<double, 6>>;

/// dF/d(r^2) of the kernel of a level (of the top: of its short-ranged part), by differences in double precision: to
/// 1e-8 of it.
double radial_slope(const MsmPlan& plan, const MsmLevel& level, const MsmPlan::Split& parts, double r2) {
  const double a = std::ldexp(plan.options.cutoff, plan.index_of(level));
  const TaylorGamma gamma(plan.options.smoothing);
  const auto value = [&](double square) {
    if (level.top) return square < parts.reach * parts.reach ? plan.split_near(parts, std::sqrt(square)) : 0.0;
    const double s = square / (a * a);
    return s >= 4 ? 0.0 : (gamma(s) - 0.5 * gamma(s / 4)) / a;
  };
  if (r2 == 0) return 0;
  const double step = 1e-4 * r2;
  return (value(r2 + step) - value(r2 - step)) / (2 * step);
}

/// How many nodes of a level are within a distance of one, along each axis.
glm::ivec3 reach_of(const MsmPlan& plan, double distance, int level) {
  glm::ivec3 reach(0);
  for (int axis = 0; axis < 3; ++axis) {
    double row = 0;
    for (int j = 0; j < 3; ++j) row += plan.inverse[j][axis] * plan.inverse[j][axis];
    reach[axis] = static_cast<int>(std::ceil(std::ldexp(distance, -level) * std::sqrt(row)));
  }
  return reach;
}

}  // namespace

LargeVector<float> msm_dense(const MsmNodes& nodes, Job& job) {
  const glm::ivec3 n = nodes.counts;
  LargeVector<float> dense(static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y) *
                           static_cast<std::size_t>(n.z));
  parallel_for(static_cast<std::size_t>(n.z), job, "restriction", [&](std::size_t k) {
    for (int j = 0; j < n.y; ++j) {
      const float* from = nodes.row(j, static_cast<int>(k));
      std::copy(from, from + n.x, dense.data() + at({0, j, static_cast<int>(k)}, n));
    }
  });
  return dense;
}

LargeVector<float> msm_restrict(const MsmPlan& plan, std::size_t l, const LargeVector<float>& charges, Job& job) {
  glm::ivec3 size = plan.levels[l].counts;
  LargeVector<float> work;
  for (int axis = 2; axis >= 0; --axis) {
    const int coarse = plan.levels[l + 1].counts[axis];
    work = msm_restrict_axis(axis == 2 ? charges : work, size, axis, coarse, plan.levels[l].shift[axis],
                             plan.periodic[axis], plan.basis, job);
    size[axis] = coarse;
  }
  return work;
}

std::array<double, 6> msm_virial(const MsmPlan& plan, LargeVector<float> charges, Job& job) {
  const PhaseTimer timer("MSM: virial");
  std::array<double, 6> virial{};
  for (std::size_t l = 0; l < plan.levels.size(); ++l) {
    if (l > 0) charges = msm_restrict(plan, l - 1, charges, job);
    const MsmLevel& level = plan.levels[l];
    const glm::ivec3 n = level.counts;
    const double nodes = static_cast<double>(level.size());
    LargeVector<std::complex<float>> spectrum(fft_spectrum_size(n));
    fft_forward(n, charges.data(), spectrum.data(), 0, &job);
    const double total = static_cast<double>(spectrum[0].real());
    const MsmPlan::Split parts = level.top ? plan.top_split() : MsmPlan::Split{};
    std::array<std::vector<double>, 3> filter;  // squared, by wave number
    for (int axis = 0; axis < 3; ++axis)
      for (int m = 0; m < n[axis]; ++m) {
        const double b = plan.basis.transform(2 * units::pi * m / n[axis]);
        filter[static_cast<std::size_t>(axis)].push_back(b * b);
      }
    const int half = n.x / 2 + 1;
    Slopes far(static_cast<std::size_t>(n.z));
    parallel_for(far.size(), job, "virial", [&](std::size_t z) {
      const int kz = static_cast<int>(z);
      for (int y = 0; y < n.y; ++y) {
        for (int x = 0; x < half; ++x) {
          std::complex<float>& value = spectrum[at({x, y, kz}, {half, n.y, n.z})];
          const double power = static_cast<double>(std::norm(value)) / nodes;
          value = static_cast<float>(
              power / (filter[0][static_cast<std::size_t>(x)] * filter[1][static_cast<std::size_t>(y)] * filter[2][z]));
          if (!level.top || (x == 0 && y == 0 && kz == 0)) continue;
          const glm::ivec3 m(x, y > n.y / 2 ? y - n.y : y, kz > n.z / 2 ? kz - n.z : kz);
          const double both = x == 0 || 2 * x == n.x ? 1 : 2;  // the other half of the spectrum
          const double weight = both * power * plan.split_far(parts, m);
          const std::array<double, 6> slope = far_slope(plan, parts.alpha, m);
          for (std::size_t c = 0; c < 6; ++c) far[z][c] += weight * slope[c];
        }
      }
    });
    // The constant goes as 1/V.
    if (level.top)
      for (std::size_t c = 0; c < 3; ++c) virial[c] += 0.5 * parts.constant * total * total;
    LargeVector<float> products(level.size());
    fft_backward(n, spectrum.data(), products.data(), 0, &job);
    const glm::ivec3 reach = level.top ? reach_of(plan, parts.reach, plan.index_of(level)) : level.radius;
    Slopes near(static_cast<std::size_t>(2 * reach.z + 1));
    parallel_for(near.size(), job, "virial", [&](std::size_t layer) {
      const int k = static_cast<int>(layer) - reach.z;
      for (int j = -reach.y; j <= reach.y; ++j)
        for (int i = -reach.x; i <= reach.x; ++i) {
          const double product = static_cast<double>(products[at({wrap(i, n.x), wrap(j, n.y), wrap(k, n.z)}, n)]);
          const glm::dvec3 r = std::ldexp(1.0, plan.index_of(level)) * (plan.lattice * glm::dvec3(i, j, k));
          const double slope = 2 * product * radial_slope(plan, level, parts, glm::dot(r, r));
          for (std::size_t c = 0; c < 6; ++c) near[layer][c] += slope * r[first_of[c]] * r[second_of[c]];
        }
    });
    for (const Slopes& slopes : {far, near})
      for (const std::array<double, 6>& slope : slopes)
        for (std::size_t c = 0; c < 6; ++c) virial[c] -= 0.5 * slope[c];
  }
  return virial;
}

}  // namespace isolume
