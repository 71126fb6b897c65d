// Solvent-accessible area on the CPU: vectors of test points against the neighbours of each atom.
#include <cstddef>
#include <cstdint>

#include "compute/analysis/sasa.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/analysis/sasa_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#ifndef ISOLUME_SASA_PLANE
#define ISOLUME_SASA_PLANE
namespace isolume {

/// A neighbour cuts a cap off the unit sphere: points p with p . normal > limit are covered.
struct SasaPlane {
  float x, y, z, limit;
};

/// Coordinates of the test points, padded with copies of nothing (NaN, which no cap covers) to a multiple of 16.
struct SasaPoints {
  const float* x;
  const float* y;
  const float* z;
  std::size_t count;   ///< points
  std::size_t padded;  ///< points and padding
};

}  // namespace isolume
#endif

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// How many of the points no cap covers. The cap that covered the last vector is tried first: neighbours of a point
/// are mostly covered by the same.
HWY_ATTR std::size_t open_points(const SasaPoints& points, const SasaPlane* planes, std::size_t count) {
  const hn::CappedTag<float, 16> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t open = 0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < points.padded; i += lanes) {
    const auto x = hn::LoadU(d, points.x + i);
    const auto y = hn::LoadU(d, points.y + i);
    const auto z = hn::LoadU(d, points.z + i);
    auto free = hn::FirstN(d, points.count > i ? points.count - i : 0);
    const auto cut = [&](const SasaPlane& p) HWY_ATTR {
      const auto dot = hn::MulAdd(x, hn::Set(d, p.x), hn::MulAdd(y, hn::Set(d, p.y), hn::Mul(z, hn::Set(d, p.z))));
      free = hn::AndNot(hn::Gt(dot, hn::Set(d, p.limit)), free);
    };
    if (count > 0) cut(planes[last]);
    for (std::size_t n = 0; n < count && !hn::AllFalse(d, free); ++n) {
      cut(planes[n]);
      if (hn::AllFalse(d, free)) last = n;
    }
    open += hn::CountTrue(d, free);
  }
  return open;
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <limits>

#include "compute/analysis/sasa_body.h"
#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"

namespace isolume {

HWY_EXPORT(open_points);

void solvent_accessible_area_cpu(std::span<const SasaAtom> atoms, const SasaOptions& options, Span<float> areas,
                                 Job& job) {
  const PhaseTimer timer("solvent-accessible area");
  const std::vector<glm::dvec3> unit = sphere_points(options.points);
  const std::size_t padded = (unit.size() + 15) / 16 * 16;
  std::vector<float> x(padded, std::numeric_limits<float>::quiet_NaN()), y = x, z = x;
  for (std::size_t i = 0; i < unit.size(); ++i) {
    x[i] = static_cast<float>(unit[i].x);
    y[i] = static_cast<float>(unit[i].y);
    z[i] = static_cast<float>(unit[i].z);
  }
  const SasaPoints points{x.data(), y.data(), z.data(), unit.size(), padded};
  const BallCells cells = sasa_cells(atoms, options);
  double largest = 0;
  for (const Ball& ball : cells.balls) largest = std::max(largest, static_cast<double>(ball.radius));
  constexpr std::size_t block = 32;
  parallel_for((atoms.size() + block - 1) / block, job, "solvent-accessible area", [&](std::size_t b) {
    std::vector<std::pair<float, SasaPlane>> near;
    std::vector<SasaPlane> planes;
    for (std::size_t i = b * block; i < std::min(atoms.size(), (b + 1) * block); ++i) {
      const Ball& ball = cells.balls[i];
      const double bx = static_cast<double>(ball.x), by = static_cast<double>(ball.y), bz = static_cast<double>(ball.z);
      const double radius = static_cast<double>(ball.radius);
      near.clear();
      bool inside = false;
      cells.near(bx, by, bz, radius + largest, [&](std::uint32_t k) {
        if (k == i) return;
        const Ball& other = cells.balls[k];
        const double dx = static_cast<double>(other.x) - bx, dy = static_cast<double>(other.y) - by,
                     dz = static_cast<double>(other.z) - bz;
        const double r = static_cast<double>(other.radius);
        const double d2 = dx * dx + dy * dy + dz * dz;
        if (d2 >= (radius + r) * (radius + r)) return;
        // |R p - d| < r  where  p . d > (d^2 + R^2 - r^2) / (2 R)
        const double limit = (d2 + radius * radius - r * r) / (2 * radius);
        if (limit < 0 && limit * limit > d2) inside = true;
        near.emplace_back(static_cast<float>(limit / std::sqrt(std::max(d2, 1e-30))),
                          SasaPlane{static_cast<float>(dx), static_cast<float>(dy), static_cast<float>(dz),
                                    static_cast<float>(limit)});
      });
      // The largest caps first.
      std::sort(near.begin(), near.end(), [](const auto& a, const auto& c) { return a.first < c.first; });
      planes.clear();
      for (const auto& entry : near) planes.push_back(entry.second);
      const std::size_t open = inside ? 0 : HWY_DYNAMIC_DISPATCH(open_points)(points, planes.data(), planes.size());
      areas.data[cells.order[i]] = static_cast<float>(sphere_area * radius * radius * static_cast<double>(open) /
                                                      static_cast<double>(unit.size()));
    }
  });
}

}  // namespace isolume
#endif  // HWY_ONCE
