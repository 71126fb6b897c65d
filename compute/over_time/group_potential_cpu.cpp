// The direct sum split by groups of charges, by explicit SIMD in double precision.
#include <algorithm>
#include <vector>

#include "compute/over_time/group_potential_bodies.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/over_time/group_potential_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#ifndef ISOLUME_GROUP_POTENTIAL_CPU
#define ISOLUME_GROUP_POTENTIAL_CPU
namespace isolume {

constexpr std::size_t most_doubles = 8;  // of a vector

/// The charges group after group, each group filled up to whole vectors by charges of 0.
struct PackedCharges {
  std::vector<double> x, y, z, charge;
  std::vector<std::size_t> starts{0};
};

}  // namespace isolume
#endif

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, most_doubles>;
using V = hn::Vec<D>;

/// 1 / sqrt(x) to rounding: the estimate in single precision with a step of Newton's there, and one of third order.
HWY_INLINE V inverse_root(D d, V x) {
  const hn::Rebind<float, D> df;
  const auto single = hn::DemoteTo(df, x);
  auto guess = hn::ApproximateReciprocalSqrt(single);
  guess = hn::Mul(guess, hn::NegMulAdd(hn::Mul(hn::Mul(single, hn::Set(df, 0.5f)), guess), guess, hn::Set(df, 1.5f)));
  const auto y = hn::PromoteTo(d, guess);
  const auto off = hn::NegMulAdd(hn::Mul(x, y), y, hn::Set(d, 1.0));
  return hn::MulAdd(hn::Mul(y, off), hn::MulAdd(off, hn::Set(d, 0.375), hn::Set(d, 0.5)), y);
}

HWY_ATTR void group_share(const PackedCharges& packed, std::size_t group, const glm::dvec3& point, double scale,
                          GroupShare& share) {
  const D d;
  const double *const x = packed.x.data(), *const y = packed.y.data(), *const z = packed.z.data(),
                      *const q = packed.charge.data();
  const auto px = hn::Set(d, point.x), py = hn::Set(d, point.y), pz = hn::Set(d, point.z);
  const auto nearest = hn::Set(d, group_nearest * group_nearest);
  auto v = hn::Zero(d), ex = v, ey = v, ez = v;
  for (std::size_t i = packed.starts[group]; i < packed.starts[group + 1]; i += hn::Lanes(d)) {
    const auto dx = hn::Sub(px, hn::LoadU(d, x + i));
    const auto dy = hn::Sub(py, hn::LoadU(d, y + i));
    const auto dz = hn::Sub(pz, hn::LoadU(d, z + i));
    const auto squared = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
    const auto counts = hn::Gt(squared, nearest);
    const auto inverse = inverse_root(d, hn::IfThenElse(counts, squared, hn::Set(d, 1.0)));
    const auto part = hn::IfThenElseZero(counts, hn::Mul(hn::LoadU(d, q + i), inverse));
    const auto along = hn::Mul(part, hn::Mul(inverse, inverse));
    v = hn::Add(v, part);
    ex = hn::MulAdd(along, dx, ex);
    ey = hn::MulAdd(along, dy, ey);
    ez = hn::MulAdd(along, dz, ez);
  }
  const auto sum = [&](V values) HWY_ATTR { return scale * hn::GetLane(hn::SumOfLanes(d, values)); };
  share.potential = sum(v);
  share.field = glm::dvec3(sum(ex), sum(ey), sum(ez));
}

/// The gradient of the field: q / r^3 (1 - 3 d d / r^2).
HWY_ATTR void group_gradient(const PackedCharges& packed, std::size_t group, const glm::dvec3& point, double scale,
                             FieldGradient& gradient) {
  const D d;
  const double *const x = packed.x.data(), *const y = packed.y.data(), *const z = packed.z.data(),
                      *const q = packed.charge.data();
  const auto px = hn::Set(d, point.x), py = hn::Set(d, point.y), pz = hn::Set(d, point.z);
  const auto nearest = hn::Set(d, group_nearest * group_nearest), three = hn::Set(d, 3.0);
  auto whole = hn::Zero(d), xx = whole, yy = whole, zz = whole, xy = whole, xz = whole, yz = whole;
  for (std::size_t i = packed.starts[group]; i < packed.starts[group + 1]; i += hn::Lanes(d)) {
    const auto dx = hn::Sub(px, hn::LoadU(d, x + i));
    const auto dy = hn::Sub(py, hn::LoadU(d, y + i));
    const auto dz = hn::Sub(pz, hn::LoadU(d, z + i));
    const auto squared = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
    const auto counts = hn::Gt(squared, nearest);
    const auto inverse = inverse_root(d, hn::IfThenElse(counts, squared, hn::Set(d, 1.0)));
    const auto square = hn::Mul(inverse, inverse);
    const auto cube = hn::IfThenElseZero(counts, hn::Mul(hn::LoadU(d, q + i), hn::Mul(inverse, square)));
    const auto bend = hn::Mul(three, hn::Mul(cube, square));
    const auto bx = hn::Mul(bend, dx), by = hn::Mul(bend, dy);
    whole = hn::Add(whole, cube);
    xx = hn::MulAdd(bx, dx, xx);
    yy = hn::MulAdd(by, dy, yy);
    zz = hn::MulAdd(hn::Mul(bend, dz), dz, zz);
    xy = hn::MulAdd(bx, dy, xy);
    xz = hn::MulAdd(bx, dz, xz);
    yz = hn::MulAdd(by, dz, yz);
  }
  const auto sum = [&](V values) HWY_ATTR { return scale * hn::GetLane(hn::SumOfLanes(d, values)); };
  const double all = sum(whole);
  gradient = {all - sum(xx), all - sum(yy), all - sum(zz), -sum(xy), -sum(xz), -sum(yz)};
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {
namespace {

HWY_EXPORT(group_share);
HWY_EXPORT(group_gradient);

PackedCharges packed_charges(std::span<const ChargedSphere> charges, const ChargeGroups& groups) {
  PackedCharges packed;
  const std::size_t most = charges.size() + groups.size() * (most_doubles - 1);
  for (std::vector<double>* const values : {&packed.x, &packed.y, &packed.z, &packed.charge}) values->reserve(most);
  const auto add = [&](glm::dvec3 place, double charge) {
    packed.x.push_back(place.x);
    packed.y.push_back(place.y);
    packed.z.push_back(place.z);
    packed.charge.push_back(charge);
  };
  for (std::size_t g = 0; g < groups.size(); ++g) {
    glm::dvec3 last(0);
    for (std::uint32_t i = groups.starts[g]; i < groups.starts[g + 1]; ++i) {
      const ChargedSphere& sphere = charges[groups.order[i]];
      last = glm::dvec3(sphere.position);
      add(last, static_cast<double>(sphere.charge));
    }
    while (packed.x.size() % most_doubles != 0) add(last, 0);
    packed.starts.push_back(packed.x.size());
  }
  return packed;
}

}  // namespace

void group_potentials_cpu(std::span<const ChargedSphere> charges, const ChargeGroups& groups, double scale,
                          std::span<const glm::dvec3> points, std::span<GroupShare> shares,
                          std::span<FieldGradient> gradients, Job& job) {
  const PackedCharges packed = packed_charges(charges, groups);
  for (std::size_t p = 0; p < points.size(); ++p) {
    job.check();
    for (std::size_t g = 0; g < groups.size(); ++g)
      HWY_DYNAMIC_DISPATCH(group_share)(packed, g, points[p], scale, shares[p * groups.size() + g]);
    for (std::size_t g = 0; g < groups.size() && !gradients.empty(); ++g)
      HWY_DYNAMIC_DISPATCH(group_gradient)(packed, g, points[p], scale, gradients[p * groups.size() + g]);
  }
}

}  // namespace isolume
#endif
