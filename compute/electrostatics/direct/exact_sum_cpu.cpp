// The direct Coulomb sum at points in double precision on the CPU: four points at a time, explicit SIMD.
#include "compute/base/parallel_for.h"
#include "compute/electrostatics/charges/direct_math.h"
#include "compute/electrostatics/direct/exact_sum.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/electrostatics/direct/exact_sum_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t at_once = 4;  // points for which a vector of charges is loaded

/// sums[p] += the charges' q / r for up to `at_once` points.
void add_charges(const PointCharge* charges, std::size_t count, const glm::dvec3* points, std::size_t used,
                 double* sums) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> f;
  const std::size_t lanes = hn::Lanes(d);
  const auto least = hn::Set(d, coincidence * coincidence);
  const auto half = hn::Set(d, 0.5);
  const auto three_halves = hn::Set(d, 1.5);
  auto sum0 = hn::Zero(d), sum1 = hn::Zero(d), sum2 = hn::Zero(d), sum3 = hn::Zero(d);
  const auto add = [&](auto x, auto y, auto z, auto q, const glm::dvec3& point, auto& sum) {
    const auto dx = hn::Sub(hn::Set(d, point.x), x);
    const auto dy = hn::Sub(hn::Set(d, point.y), y);
    const auto dz = hn::Sub(hn::Set(d, point.z), z);
    const auto r2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
    const auto apart = hn::Ge(r2, least);
    const auto safe = hn::IfThenElse(apart, r2, hn::Set(d, 1.0));
    // From some 10 bits to all by three Newton steps, which take less than a root and a division.
    auto root = hn::PromoteTo(d, hn::ApproximateReciprocalSqrt(hn::DemoteTo(f, safe)));
    const auto halved = hn::Mul(half, safe);
    for (int step = 0; step < 3; ++step) root = hn::Mul(root, hn::NegMulAdd(hn::Mul(halved, root), root, three_halves));
    sum = hn::MulAdd(hn::IfThenElseZero(apart, q), root, sum);
  };
  const glm::dvec3 at[at_once] = {points[0], points[used > 1 ? 1 : 0], points[used > 2 ? 2 : 0],
                                  points[used > 3 ? 3 : 0]};
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    hn::Vec<decltype(f)> x, y, z, q;
    hn::LoadInterleaved4(f, &charges[i].position.x, x, y, z, q);
    const auto dx = hn::PromoteTo(d, x), dy = hn::PromoteTo(d, y), dz = hn::PromoteTo(d, z), dq = hn::PromoteTo(d, q);
    add(dx, dy, dz, dq, at[0], sum0);
    add(dx, dy, dz, dq, at[1], sum1);
    add(dx, dy, dz, dq, at[2], sum2);
    add(dx, dy, dz, dq, at[3], sum3);
  }
  const double totals[at_once] = {hn::GetLane(hn::SumOfLanes(d, sum0)), hn::GetLane(hn::SumOfLanes(d, sum1)),
                                  hn::GetLane(hn::SumOfLanes(d, sum2)), hn::GetLane(hn::SumOfLanes(d, sum3))};
  for (std::size_t p = 0; p < used; ++p) {
    sums[p] += totals[p];
    for (std::size_t rest = i; rest < count; ++rest) {
      const double r = glm::distance(at[p], glm::dvec3(charges[rest].position));
      if (r >= coincidence) sums[p] += static_cast<double>(charges[rest].charge) / r;
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(add_charges);

void exact_sum_cpu(std::span<const PointCharge> charges, std::span<const glm::dvec3> points, std::span<double> sums,
                   Job& job) {
  static_assert(sizeof(PointCharge) == 4 * sizeof(float));
  constexpr std::size_t group = 4;
  constexpr std::size_t run = std::size_t{1} << 16;  // charges between two looks at the job
  parallel_for((points.size() + group - 1) / group, job, "exact potential", [&](std::size_t n) {
    const std::size_t begin = n * group;
    const std::size_t used = std::min(group, points.size() - begin);
    double totals[group] = {};
    for (std::size_t first = 0; first < charges.size(); first += run) {
      job.check();
      HWY_DYNAMIC_DISPATCH(add_charges)
      (&charges[first], std::min(run, charges.size() - first), &points[begin], used, totals);
    }
    for (std::size_t p = 0; p < used; ++p) sums[begin + p] = totals[p];
  });
}

}  // namespace isolume
#endif
