// A probe's field on the CPU: bricks of 4 x 4 x 4 points, their atoms nearest first, vectors of points.
#include <cstddef>
#include <cstdint>

#include "compute/sampling/probe_system.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/sampling/probe_field_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#ifndef ISOLUME_PROBE_BRICK
#define ISOLUME_PROBE_BRICK
namespace isolume {

/// A brick's points and atoms, relative to its middle, in single precision.
struct ProbeBrick {
  static constexpr int side = 4, points = side * side * side;
  static constexpr std::size_t law_size = 4;
  const float* x;  ///< of the points
  const float* y;
  const float* z;
  const float* atoms;             ///< x, y, z of every atom
  const float* laws;              ///< ProbeLaw of atom * site_kinds + kind, four numbers each
  std::size_t count, near_count;  ///< atoms; the first ones alone decide where nothing fits
  float threshold;                ///< kT: from here on what the others add does not bring it below the ceiling
  float cutoff2, inverse_cutoff;
};

/// One orientation: offsets and kinds of its sites.
struct ProbeTurn {
  const float* offsets;  ///< x, y, z of every site
  const std::uint32_t* kinds;
  std::size_t sites, site_kinds;
};

}  // namespace isolume
#endif

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <ProbeTerms terms>
HWY_ATTR void turn_energies(const ProbeBrick& brick, const ProbeTurn& turn, float* energies) {
  const hn::CappedTag<float, 16> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto cutoff2 = hn::Set(d, brick.cutoff2),
             closest2 = hn::Set(d, static_cast<float>(probe_closest * probe_closest));
  const auto inverse_cutoff = hn::Set(d, brick.inverse_cutoff);
  const auto two = hn::Set(d, 2.0f);
  for (std::size_t v = 0; v < ProbeBrick::points; v += 2 * lanes) {
    auto sum0 = hn::Zero(d), sum1 = hn::Zero(d);
    const auto add = [&](std::size_t begin, std::size_t end) HWY_ATTR {
      for (std::size_t s = 0; s < turn.sites; ++s) {
        const auto ox = hn::Set(d, turn.offsets[3 * s]), oy = hn::Set(d, turn.offsets[3 * s + 1]),
                   oz = hn::Set(d, turn.offsets[3 * s + 2]);
        const auto x0 = hn::Add(hn::LoadU(d, brick.x + v), ox), x1 = hn::Add(hn::LoadU(d, brick.x + v + lanes), ox);
        const auto y0 = hn::Add(hn::LoadU(d, brick.y + v), oy), y1 = hn::Add(hn::LoadU(d, brick.y + v + lanes), oy);
        const auto z0 = hn::Add(hn::LoadU(d, brick.z + v), oz), z1 = hn::Add(hn::LoadU(d, brick.z + v + lanes), oz);
        const float* law = brick.laws + ProbeBrick::law_size * (begin * turn.site_kinds + turn.kinds[s]);
        for (std::size_t n = begin; n < end; ++n, law += ProbeBrick::law_size * turn.site_kinds) {
          const auto ax = hn::Set(d, brick.atoms[3 * n]), ay = hn::Set(d, brick.atoms[3 * n + 1]),
                     az = hn::Set(d, brick.atoms[3 * n + 2]);
          const auto a = hn::Set(d, law[0]), b = hn::Set(d, law[1]);
          const auto pair = [&](auto x, auto y, auto z, auto& sum) HWY_ATTR {
            const auto dx = hn::Sub(x, ax), dy = hn::Sub(y, ay), dz = hn::Sub(z, az);
            const auto r2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
            const auto within = hn::Lt(r2, cutoff2);
            const auto safe = hn::Max(r2, closest2);
            auto inverse = hn::ApproximateReciprocal(safe);
            inverse = hn::Mul(inverse, hn::NegMulAdd(safe, inverse, two));
            inverse = hn::Mul(inverse, hn::NegMulAdd(safe, inverse, two));
            const auto i6 = hn::Mul(inverse, hn::Mul(inverse, inverse));
            auto energy = i6;
            if constexpr (terms == ProbeTerms::buckingham) {
              energy = hn::Mul(a, hn::Exp(d, hn::Neg(hn::Mul(b, hn::Sqrt(safe)))));
              energy = hn::NegMulAdd(hn::Set(d, law[2]), i6, energy);
              energy = hn::IfThenElse(hn::Lt(safe, hn::Set(d, law[3])), hn::Set(d, static_cast<float>(probe_closed)),
                                      energy);
            } else {
              energy = hn::Mul(hn::MulSub(a, i6, b), i6);
            }
            if constexpr (terms == ProbeTerms::with_charges) {
              const auto root = hn::Sqrt(inverse);
              energy = hn::MulAdd(hn::Set(d, law[2]), hn::Sub(root, inverse_cutoff), energy);
            }
            sum = hn::Add(sum, hn::IfThenElseZero(within, energy));
          };
          pair(x0, y0, z0, sum0);
          pair(x1, y1, z1, sum1);
        }
      }
    };
    add(0, brick.near_count);
    const auto open = hn::Lt(hn::Min(sum0, sum1), hn::Set(d, brick.threshold));
    if (!hn::AllFalse(d, open)) add(brick.near_count, brick.count);
    hn::StoreU(sum0, d, energies + v);
    hn::StoreU(sum1, d, energies + v + lanes);
  }
}

void turn_energies_of(const ProbeBrick& brick, const ProbeTurn& turn, ProbeTerms terms, float* energies) {
  switch (terms) {
    case ProbeTerms::lennard_jones:
      return turn_energies<ProbeTerms::lennard_jones>(brick, turn, energies);
    case ProbeTerms::with_charges:
      return turn_energies<ProbeTerms::with_charges>(brick, turn, energies);
    case ProbeTerms::buckingham:
      return turn_energies<ProbeTerms::buckingham>(brick, turn, energies);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"

namespace isolume {

HWY_EXPORT(turn_energies_of);

namespace {

constexpr double near_margin = 3.2;  // angstrom: closer atoms keep a probe out

struct NearAtom {
  double distance2;
  std::uint32_t index;
};

// A brick's own room, kept by a thread from one to the next.
struct Workspace {
  std::vector<NearAtom> near;
  std::vector<float> atoms, laws, energies;
};

}  // namespace

void probe_free_energy_cpu(const ProbeSystem& system, const Grid& grid, Span<float> free_energy, Job& job) {
  const PhaseTimer timer("probe");
  constexpr int side = ProbeBrick::side, points = ProbeBrick::points;
  const glm::ivec3 bricks = (grid.counts + side - 1) / side;
  std::vector<float> x(points), y(points), z(points);
  const glm::dvec3 half = grid.step * glm::dvec3(0.5 * (side - 1));
  double radius = 0;
  for (int p = 0; p < points; ++p) {
    const glm::dvec3 at = grid.step * glm::dvec3(p % side, p / side % side, p / side / side) - half;
    x[static_cast<std::size_t>(p)] = static_cast<float>(at.x);
    y[static_cast<std::size_t>(p)] = static_cast<float>(at.y);
    z[static_cast<std::size_t>(p)] = static_cast<float>(at.z);
    radius = std::max(radius, glm::length(at));
  }
  std::vector<float> offsets;
  for (const glm::dvec3& o : system.offsets)
    for (int axis = 0; axis < 3; ++axis) offsets.push_back(static_cast<float>(o[axis]));
  const std::size_t turns = system.orientations(), sites = system.sites(), site_kinds = system.site_kinds;
  const double reach = system.reach + radius, extent = system.reach - system.cutoff;
  const auto total =
      static_cast<std::size_t>(bricks.x) * static_cast<std::size_t>(bricks.y) * static_cast<std::size_t>(bricks.z);
  parallel_for(total, job, "probe", [&](std::size_t brick_index) {
    thread_local Workspace room;
    const int bi = static_cast<int>(brick_index % static_cast<std::size_t>(bricks.x));
    const int bj =
        static_cast<int>(brick_index / static_cast<std::size_t>(bricks.x) % static_cast<std::size_t>(bricks.y));
    const int bk =
        static_cast<int>(brick_index / static_cast<std::size_t>(bricks.x) / static_cast<std::size_t>(bricks.y));
    const glm::dvec3 middle = grid.point(bi * side, bj * side, bk * side) + half, from = middle - system.middle;
    room.near.clear();
    int low[3], high[3];
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = system.cells.along(axis, from[axis] - reach);
      high[axis] = system.cells.along(axis, from[axis] + reach);
    }
    for (int k = low[2]; k <= high[2]; ++k)
      for (int j = low[1]; j <= high[1]; ++j)
        for (std::uint32_t i = system.starts[system.cells.index(low[0], j, k)];
             i < system.starts[system.cells.index(high[0], j, k) + 1]; ++i) {
          const glm::dvec3 d = system.places[i] - middle;
          const double d2 = glm::dot(d, d);
          if (d2 < reach * reach) room.near.push_back({d2, i});
        }
    std::sort(room.near.begin(), room.near.end(), [](const NearAtom& a, const NearAtom& b) {
      return a.distance2 != b.distance2 ? a.distance2 < b.distance2 : a.index < b.index;
    });
    const std::size_t count = room.near.size();
    room.atoms.resize(3 * count);
    room.laws.resize(ProbeBrick::law_size * count * site_kinds);
    room.energies.resize(turns * points);
    const double decisive = radius + extent + near_margin;
    std::size_t near_count = 0;
    double depth = 0;
    for (std::size_t n = 0; n < count; ++n) {
      const std::uint32_t i = room.near[n].index;
      for (int axis = 0; axis < 3; ++axis)
        room.atoms[3 * n + static_cast<std::size_t>(axis)] = static_cast<float>(system.places[i][axis] - middle[axis]);
      for (std::size_t s = 0; s < site_kinds; ++s) {
        const ProbeLaw& law = system.laws[system.kinds[i] * site_kinds + s];
        float* const to = &room.laws[ProbeBrick::law_size * (n * site_kinds + s)];
        to[0] = static_cast<float>(law.a);
        to[1] = static_cast<float>(law.b);
        to[2] = static_cast<float>(law.q);
        to[3] = static_cast<float>(law.top2);
      }
      if (room.near[n].distance2 < decisive * decisive) {
        near_count = n + 1;
      } else {
        depth += system.depths[system.kinds[i]];
      }
    }
    // Charges have no such bound: there all atoms always count.
    const bool charges = system.terms == ProbeTerms::with_charges;
    const double threshold = charges ? std::numeric_limits<float>::max() : probe_ceiling + 1 + depth;
    const ProbeBrick brick{x.data(),
                           y.data(),
                           z.data(),
                           room.atoms.data(),
                           room.laws.data(),
                           count,
                           near_count,
                           static_cast<float>(threshold),
                           static_cast<float>(system.cutoff * system.cutoff),
                           static_cast<float>(system.inverse_cutoff())};
    for (std::size_t o = 0; o < turns; ++o) {
      if (o % 64 == 0) job.check();
      const ProbeTurn turn{&offsets[3 * o * sites], system.site_kind.data(), sites, site_kinds};
      HWY_DYNAMIC_DISPATCH(turn_energies_of)(brick, turn, system.terms, &room.energies[o * points]);
    }
    for (int p = 0; p < points; ++p) {
      const int i = bi * side + p % side, j = bj * side + p / side % side, k = bk * side + p / side / side;
      if (i >= grid.counts.x || j >= grid.counts.y || k >= grid.counts.z) continue;
      float lowest = std::numeric_limits<float>::max();
      for (std::size_t o = 0; o < turns; ++o)
        lowest = std::min(lowest, room.energies[o * points + static_cast<std::size_t>(p)]);
      double value = probe_ceiling;
      if (static_cast<double>(lowest) < probe_ceiling) {
        double sum = 0;
        for (std::size_t o = 0; o < turns; ++o) {
          const float e = room.energies[o * points + static_cast<std::size_t>(p)] - lowest;
          if (e < 50) sum += std::exp(static_cast<double>(-e));
        }
        value = std::min(probe_ceiling, static_cast<double>(lowest) - std::log(sum / static_cast<double>(turns)));
      }
      free_energy.data[grid.index(i, j, k)] = static_cast<float>(value);
    }
  });
}

}  // namespace isolume
#endif  // HWY_ONCE
