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
  float cutoff2, inverse_cutoff;
  float threshold;  ///< kT: from here on what the far ones add does not bring a probe below the ceiling
};

/// One orientation: offsets and kinds of its sites.
struct ProbeTurn {
  const float* offsets;  ///< x, y, z of every site
  const std::uint32_t* kinds;
  std::size_t sites, site_kinds;
};

/// Probes at points and in orientations where the near atoms leave room: places of their sites.
struct ProbeItems {
  static constexpr std::size_t most = 256;  ///< at once; a multiple of two vectors
  const float* places;                      ///< x, y, z of every site, `most` numbers each
  const std::uint32_t* kinds;
  std::size_t sites, site_kinds, count;
};

}  // namespace isolume
#endif

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Adds the energies of two vectors of sites of one kind with atoms [begin, end).
template <ProbeTerms terms, class D, class V = hn::Vec<D>>
HWY_ATTR HWY_INLINE void add_atoms(D d, const ProbeBrick& brick, std::size_t begin, std::size_t end,
                                   std::size_t site_kinds, std::uint32_t kind, const V (&at0)[3], const V (&at1)[3],
                                   V& sum0, V& sum1) {
  const auto cutoff2 = hn::Set(d, brick.cutoff2),
             closest2 = hn::Set(d, static_cast<float>(probe_closest * probe_closest));
  const auto inverse_cutoff = hn::Set(d, brick.inverse_cutoff);
  const auto two = hn::Set(d, 2.0f);
  const float* law = brick.laws + ProbeBrick::law_size * (begin * site_kinds + kind);
  for (std::size_t n = begin; n < end; ++n, law += ProbeBrick::law_size * site_kinds) {
    const auto ax = hn::Set(d, brick.atoms[3 * n]), ay = hn::Set(d, brick.atoms[3 * n + 1]),
               az = hn::Set(d, brick.atoms[3 * n + 2]);
    const auto a = hn::Set(d, law[0]), b = hn::Set(d, law[1]);
    const auto pair = [&](const V(&at)[3], V& sum) HWY_ATTR {
      const auto dx = hn::Sub(at[0], ax), dy = hn::Sub(at[1], ay), dz = hn::Sub(at[2], az);
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
        energy = hn::IfThenElse(hn::Lt(safe, hn::Set(d, law[3])), hn::Set(d, static_cast<float>(probe_closed)), energy);
      } else {
        energy = hn::Mul(hn::MulSub(a, i6, b), i6);
      }
      if constexpr (terms == ProbeTerms::with_charges) {
        const auto root = hn::Sqrt(inverse);
        energy = hn::MulAdd(hn::Set(d, law[2]), hn::Sub(root, inverse_cutoff), energy);
      }
      sum = hn::Add(sum, hn::IfThenElseZero(within, energy));
    };
    pair(at0, sum0);
    pair(at1, sum1);
  }
}

/// The energies of one orientation at all points with the near atoms.
template <ProbeTerms terms>
HWY_ATTR void near_energies(const ProbeBrick& brick, const ProbeTurn& turn, float* energies) {
  const hn::CappedTag<float, 16> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t v = 0; v < ProbeBrick::points; v += 2 * lanes) {
    auto sum0 = hn::Zero(d), sum1 = hn::Zero(d);
    for (std::size_t s = 0; s < turn.sites; ++s) {
      const auto ox = hn::Set(d, turn.offsets[3 * s]), oy = hn::Set(d, turn.offsets[3 * s + 1]),
                 oz = hn::Set(d, turn.offsets[3 * s + 2]);
      const V at0[3] = {hn::Add(hn::LoadU(d, brick.x + v), ox), hn::Add(hn::LoadU(d, brick.y + v), oy),
                        hn::Add(hn::LoadU(d, brick.z + v), oz)};
      const V at1[3] = {hn::Add(hn::LoadU(d, brick.x + v + lanes), ox), hn::Add(hn::LoadU(d, brick.y + v + lanes), oy),
                        hn::Add(hn::LoadU(d, brick.z + v + lanes), oz)};
      add_atoms<terms>(d, brick, 0, brick.near_count, turn.site_kinds, turn.kinds[s], at0, at1, sum0, sum1);
    }
    hn::StoreU(sum0, d, energies + v);
    hn::StoreU(sum1, d, energies + v + lanes);
  }
}

/// Adds those of the other atoms where there is room.
template <ProbeTerms terms>
HWY_ATTR void add_far_energies(const ProbeBrick& brick, const ProbeItems& items, float* energies) {
  const hn::CappedTag<float, 16> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t v = 0; v < items.count; v += 2 * lanes) {
    auto sum0 = hn::LoadU(d, energies + v), sum1 = hn::LoadU(d, energies + v + lanes);
    for (std::size_t s = 0; s < items.sites; ++s) {
      const float* const x = items.places + 3 * s * ProbeItems::most + v;
      const float *const y = x + ProbeItems::most, *const z = y + ProbeItems::most;
      const V at0[3] = {hn::LoadU(d, x), hn::LoadU(d, y), hn::LoadU(d, z)};
      const V at1[3] = {hn::LoadU(d, x + lanes), hn::LoadU(d, y + lanes), hn::LoadU(d, z + lanes)};
      add_atoms<terms>(d, brick, brick.near_count, brick.count, items.site_kinds, items.kinds[s], at0, at1, sum0, sum1);
    }
    hn::StoreU(sum0, d, energies + v);
    hn::StoreU(sum1, d, energies + v + lanes);
  }
}

void near_energies_of(const ProbeBrick& brick, const ProbeTurn& turn, ProbeTerms terms, float* energies) {
  switch (terms) {
    case ProbeTerms::lennard_jones:
      return near_energies<ProbeTerms::lennard_jones>(brick, turn, energies);
    case ProbeTerms::with_charges:
      return near_energies<ProbeTerms::with_charges>(brick, turn, energies);
    case ProbeTerms::buckingham:
      return near_energies<ProbeTerms::buckingham>(brick, turn, energies);
  }
}

void add_far_energies_of(const ProbeBrick& brick, const ProbeItems& items, ProbeTerms terms, float* energies) {
  switch (terms) {
    case ProbeTerms::lennard_jones:
      return add_far_energies<ProbeTerms::lennard_jones>(brick, items, energies);
    case ProbeTerms::with_charges:
      return add_far_energies<ProbeTerms::with_charges>(brick, items, energies);
    case ProbeTerms::buckingham:
      return add_far_energies<ProbeTerms::buckingham>(brick, items, energies);
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

HWY_EXPORT(near_energies_of);
HWY_EXPORT(add_far_energies_of);

namespace {

// A brick's own room, kept by a thread from one to the next.
struct Workspace {
  std::vector<std::uint32_t> near, far;
  std::vector<float> atoms, laws, energies, places, sums;
  std::vector<std::uint32_t> items;
};

/// Everything that is the same for all bricks.
class ProbeMap {
 public:
  ProbeMap(const ProbeSystem& system, const Grid& grid)
      : system_(system),
        grid_(grid),
        bricks_((grid.counts + side - 1) / side),
        half_(grid.step * glm::dvec3(0.5 * (side - 1))),
        x_(points),
        y_(points),
        z_(points) {
    for (std::size_t p = 0; p < points; ++p) {
      const glm::dvec3 at = grid.step * glm::dvec3(place(p)) - half_;
      x_[p] = static_cast<float>(at.x);
      y_[p] = static_cast<float>(at.y);
      z_[p] = static_cast<float>(at.z);
      radius_ = std::max(radius_, glm::length(at));
    }
    for (const glm::dvec3& o : system.offsets)
      for (int axis = 0; axis < 3; ++axis) offsets_.push_back(static_cast<float>(o[axis]));
  }

  std::size_t bricks() const {
    return static_cast<std::size_t>(bricks_.x) * static_cast<std::size_t>(bricks_.y) *
           static_cast<std::size_t>(bricks_.z);
  }

  void fill(std::size_t number, Span<float> free_energy, Job& job) const {
    thread_local Workspace room;
    const auto nx = static_cast<std::size_t>(bricks_.x), ny = static_cast<std::size_t>(bricks_.y);
    const glm::ivec3 first = side * glm::ivec3(static_cast<int>(number % nx), static_cast<int>(number / nx % ny),
                                               static_cast<int>(number / nx / ny));
    const ProbeBrick brick = brick_at(grid_.point(first.x, first.y, first.z) + half_, room);
    const std::size_t turns = system_.orientations(), sites = system_.sites();
    room.energies.resize(turns * points);
    room.items.clear();
    const auto inside = [&](std::size_t p) { return glm::all(glm::lessThan(first + place(p), grid_.counts)); };
    bool in_grid[points];
    for (std::size_t p = 0; p < points; ++p) in_grid[p] = inside(p);
    for (std::size_t o = 0; o < turns; ++o) {
      if (o % 64 == 0) job.check();
      float* const energies = &room.energies[o * points];
      const ProbeTurn turn{&offsets_[3 * o * sites], system_.site_kind.data(), sites, system_.site_kinds};
      HWY_DYNAMIC_DISPATCH(near_energies_of)(brick, turn, system_.terms, energies);
      for (std::size_t p = 0; p < points; ++p)
        if (in_grid[p] && energies[p] < brick.threshold)
          room.items.push_back(static_cast<std::uint32_t>(o * points + p));
    }
    add_far(brick, room, job);
    for (std::size_t p = 0; p < points; ++p) {
      if (!in_grid[p]) continue;
      const glm::ivec3 at = first + place(p);
      free_energy.data[grid_.index(at.x, at.y, at.z)] = mean(&room.energies[p], turns);
    }
  }

 private:
  static constexpr int side = ProbeBrick::side, points = ProbeBrick::points;

  static glm::ivec3 place(std::size_t p) {
    const int n = static_cast<int>(p);
    return {n % side, n / side % side, n / side / side};
  }

  /// The atoms that a probe in the brick about `middle` meets, those first that may keep it out.
  ProbeBrick brick_at(const glm::dvec3& middle, Workspace& room) const {
    const glm::dvec3 from = middle - system_.middle;
    const double reach = system_.reach + radius_,
                 decisive = std::min(reach, radius_ + system_.reach - system_.cutoff + system_.near);
    room.near.clear();
    room.far.clear();
    int low[3], high[3];
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = system_.cells.along(axis, from[axis] - reach);
      high[axis] = system_.cells.along(axis, from[axis] + reach);
    }
    double depth = 0;
    for (int k = low[2]; k <= high[2]; ++k)
      for (int j = low[1]; j <= high[1]; ++j)
        for (std::uint32_t i = system_.starts[system_.cells.index(low[0], j, k)];
             i < system_.starts[system_.cells.index(high[0], j, k) + 1]; ++i) {
          const glm::dvec3 d = system_.places[i] - middle;
          const double d2 = glm::dot(d, d);
          if (d2 >= reach * reach) continue;
          if (d2 < decisive * decisive) {
            room.near.push_back(i);
          } else {
            room.far.push_back(i);
            depth += system_.depths[system_.kinds[i]];
          }
        }
    const std::size_t count = room.near.size() + room.far.size(), site_kinds = system_.site_kinds;
    room.atoms.resize(3 * count);
    room.laws.resize(ProbeBrick::law_size * count * site_kinds);
    for (std::size_t n = 0; n < count; ++n) {
      const std::uint32_t i = n < room.near.size() ? room.near[n] : room.far[n - room.near.size()];
      for (int axis = 0; axis < 3; ++axis)
        room.atoms[3 * n + static_cast<std::size_t>(axis)] = static_cast<float>(system_.places[i][axis] - middle[axis]);
      for (std::size_t s = 0; s < site_kinds; ++s) {
        const ProbeLaw& law = system_.laws[system_.kinds[i] * site_kinds + s];
        float* const to = &room.laws[ProbeBrick::law_size * (n * site_kinds + s)];
        to[0] = static_cast<float>(law.a);
        to[1] = static_cast<float>(law.b);
        to[2] = static_cast<float>(law.q);
        to[3] = static_cast<float>(law.top2);
      }
    }
    // Charges have no such bound: there all atoms always count.
    const float threshold = system_.terms == ProbeTerms::with_charges ? std::numeric_limits<float>::max()
                                                                      : static_cast<float>(probe_ceiling + 1 + depth);
    return {x_.data(),
            y_.data(),
            z_.data(),
            room.atoms.data(),
            room.laws.data(),
            count,
            room.near.size(),
            static_cast<float>(system_.cutoff * system_.cutoff),
            static_cast<float>(system_.inverse_cutoff()),
            threshold};
  }

  void add_far(const ProbeBrick& brick, Workspace& room, Job& job) const {
    constexpr std::size_t most = ProbeItems::most;
    const std::size_t sites = system_.sites();
    room.places.resize(3 * sites * most);
    room.sums.resize(most);
    for (std::size_t begin = 0; begin < room.items.size(); begin += most) {
      job.check();
      const std::size_t count = std::min(most, room.items.size() - begin);
      for (std::size_t n = 0; n < most; ++n) {  // the last ones' vectors are filled up with copies
        const std::uint32_t item = room.items[begin + std::min(n, count - 1)];
        const std::size_t p = item % points;
        room.sums[n] = room.energies[item];
        for (std::size_t s = 0; s < sites; ++s) {
          const float* const offset = &offsets_[3 * (item / points * sites + s)];
          float* const to = &room.places[3 * s * most + n];
          to[0] = x_[p] + offset[0];
          to[most] = y_[p] + offset[1];
          to[2 * most] = z_[p] + offset[2];
        }
      }
      const ProbeItems items{room.places.data(), system_.site_kind.data(), sites, system_.site_kinds, count};
      HWY_DYNAMIC_DISPATCH(add_far_energies_of)(brick, items, system_.terms, room.sums.data());
      for (std::size_t n = 0; n < count; ++n) room.energies[room.items[begin + n]] = room.sums[n];
    }
  }

  /// Of the energies at every `points`-th place.
  static float mean(const float* energies, std::size_t turns) {
    float lowest = std::numeric_limits<float>::max();
    for (std::size_t o = 0; o < turns; ++o) lowest = std::min(lowest, energies[o * points]);
    if (!(static_cast<double>(lowest) < probe_ceiling)) return static_cast<float>(probe_ceiling);
    double sum = 0;
    for (std::size_t o = 0; o < turns; ++o) {
      const float e = energies[o * points] - lowest;
      if (e < 50) sum += std::exp(static_cast<double>(-e));
    }
    return static_cast<float>(
        std::min(probe_ceiling, static_cast<double>(lowest) - std::log(sum / static_cast<double>(turns))));
  }

  const ProbeSystem& system_;
  const Grid& grid_;
  glm::ivec3 bricks_;
  glm::dvec3 half_;
  double radius_ = 0;
  std::vector<float> x_, y_, z_, offsets_;
};

}  // namespace

void probe_free_energy_cpu(const ProbeSystem& system, const Grid& grid, Span<float> free_energy, Job& job) {
  const PhaseTimer timer("probe");
  const ProbeMap map(system, grid);
  parallel_for(map.bricks(), job, "probe", [&](std::size_t brick) { map.fill(brick, free_energy, job); });
}

}  // namespace isolume
#endif  // HWY_ONCE
