// A probe's field on the CPU: bricks of 4 x 4 x 4 points, their atoms nearest first, vectors of points and of probes.
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

/// A brick's points, octant after octant, and its atoms, relative to its middle, in single precision.
struct ProbeBrick {
  static constexpr std::size_t octant = 8, octants = 8, points = octant * octants;
  static constexpr std::size_t law_size = 4;
  const float* x;  ///< of the points
  const float* y;
  const float* z;
  const float* near;                  ///< x, y, z of the atoms that alone decide where nothing fits, the nearest first
  const float* far;                   ///< -2x, -2y, -2z, x^2 + y^2 + z^2 of the others
  const float* laws;                  ///< ProbeLaw of atom * site_kinds + kind, four numbers each; near ones first
  std::size_t near_count, far_count;  ///< atoms
  float cutoff2, inverse_cutoff;
  float threshold;  ///< kT: from here on what the far ones add does not bring a probe below the ceiling
  float limit;      ///< kT: from here on what is left of the near ones does not bring it below the threshold
};

/// One orientation: offsets and kinds of its sites.
struct ProbeTurn {
  const float* offsets;  ///< x, y, z of every site
  const std::uint32_t* kinds;
  std::size_t sites, site_kinds;
};

/// Probes at points of an octant and in orientations where the near atoms leave room: places of their sites.
struct ProbeItems {
  static constexpr std::size_t most = 256;  ///< at once; a multiple of two vectors
  const float* places;                      ///< x, y, z, x^2 + y^2 + z^2 of every site, `most` numbers each
  const std::uint32_t* kinds;
  std::size_t sites, site_kinds, count;
  const std::uint32_t* inner;  ///< far atoms within the cutoff of all of them
  const std::uint32_t* outer;  ///< and of some
  std::size_t inner_count, outer_count;
};

}  // namespace isolume
#endif

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// 1 / x to 2e-7: x86 begins with 12 bits or more.
template <class D, class V = hn::Vec<D>>
HWY_ATTR HWY_INLINE V reciprocal(D d, V x) {
  const auto two = hn::Set(d, 2.0f);
  auto inverse = hn::ApproximateReciprocal(x);
  inverse = hn::Mul(inverse, hn::NegMulAdd(x, inverse, two));
#if !HWY_ARCH_X86
  inverse = hn::Mul(inverse, hn::NegMulAdd(x, inverse, two));
#endif
  return inverse;
}

/// `sum` with the energy of sites at distances of the root of r2 from an atom; 0 where they are not `within`.
template <ProbeTerms terms, bool cut, class D, class V, class M>
HWY_ATTR HWY_INLINE V with_energy(D d, const float* law, float inverse_cutoff, V r2, M within, V sum) {
  const auto a = hn::Set(d, law[0]), b = hn::Set(d, law[1]);
  const auto inverse = reciprocal(d, r2);
  const auto i6 = hn::Mul(inverse, hn::Mul(inverse, inverse));
  const auto kept = [&](V energy) HWY_ATTR {
    if constexpr (cut) return hn::IfThenElseZero(within, energy);
    return energy;
  };
  if constexpr (terms == ProbeTerms::buckingham) {
    auto energy = hn::Mul(a, hn::Exp(d, hn::Neg(hn::Mul(b, hn::Sqrt(r2)))));
    energy = hn::NegMulAdd(hn::Set(d, law[2]), i6, energy);
    energy = hn::IfThenElse(hn::Lt(r2, hn::Set(d, law[3])), hn::Set(d, static_cast<float>(probe_closed)), energy);
    return hn::Add(sum, kept(energy));
  } else if constexpr (terms == ProbeTerms::with_charges) {
    const auto over = hn::Sub(hn::Sqrt(inverse), hn::Set(d, inverse_cutoff));
    return hn::Add(sum, kept(hn::MulAdd(hn::Set(d, law[2]), over, hn::Mul(hn::MulSub(a, i6, b), i6))));
  } else {
    return hn::MulAdd(kept(hn::MulSub(a, i6, b)), i6, sum);
  }
}

/// Adds the energies of two vectors of sites of one kind with the near atoms [begin, end).
template <ProbeTerms terms, class D, class V = hn::Vec<D>>
HWY_ATTR HWY_INLINE void add_near(D d, const ProbeBrick& brick, std::size_t begin, std::size_t end,
                                  std::size_t site_kinds, std::uint32_t kind, const V (&at0)[3], const V (&at1)[3],
                                  V& sum0, V& sum1) {
  const auto cutoff2 = hn::Set(d, brick.cutoff2),
             closest2 = hn::Set(d, static_cast<float>(probe_closest * probe_closest));
  const float* law = brick.laws + ProbeBrick::law_size * (begin * site_kinds + kind);
  for (std::size_t n = begin; n < end; ++n, law += ProbeBrick::law_size * site_kinds) {
    const auto ax = hn::Set(d, brick.near[3 * n]), ay = hn::Set(d, brick.near[3 * n + 1]),
               az = hn::Set(d, brick.near[3 * n + 2]);
    const auto pair = [&](const V(&at)[3], V& sum) HWY_ATTR {
      const auto dx = hn::Sub(at[0], ax), dy = hn::Sub(at[1], ay), dz = hn::Sub(at[2], az);
      const auto r2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
      sum = with_energy<terms, true>(d, law, brick.inverse_cutoff, hn::Max(r2, closest2), hn::Lt(r2, cutoff2), sum);
    };
    pair(at0, sum0);
    pair(at1, sum1);
  }
}

/// The energies of one orientation at all points with the near atoms, or with so many of them that the others do not
/// bring it down. Bit n of the result: octant n has points with room.
template <ProbeTerms terms>
HWY_ATTR std::uint32_t near_energies(const ProbeBrick& brick, const ProbeTurn& turn, float* energies) {
  const hn::CappedTag<float, 16> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d);
  constexpr std::size_t block = 8;  // atoms between looks at the sums
  const auto limit = hn::Set(d, brick.limit), threshold = hn::Set(d, brick.threshold);
  std::uint32_t open = 0;
  for (std::size_t v = 0; v < ProbeBrick::points; v += 2 * lanes) {
    auto sum0 = hn::Zero(d), sum1 = hn::Zero(d);
    for (std::size_t begin = 0; begin < brick.near_count; begin += block) {
      const std::size_t end = begin + block < brick.near_count ? begin + block : brick.near_count;
      for (std::size_t s = 0; s < turn.sites; ++s) {
        const auto ox = hn::Set(d, turn.offsets[3 * s]), oy = hn::Set(d, turn.offsets[3 * s + 1]),
                   oz = hn::Set(d, turn.offsets[3 * s + 2]);
        const V at0[3] = {hn::Add(hn::LoadU(d, brick.x + v), ox), hn::Add(hn::LoadU(d, brick.y + v), oy),
                          hn::Add(hn::LoadU(d, brick.z + v), oz)};
        const V at1[3] = {hn::Add(hn::LoadU(d, brick.x + v + lanes), ox),
                          hn::Add(hn::LoadU(d, brick.y + v + lanes), oy),
                          hn::Add(hn::LoadU(d, brick.z + v + lanes), oz)};
        add_near<terms>(d, brick, begin, end, turn.site_kinds, turn.kinds[s], at0, at1, sum0, sum1);
      }
      if (hn::AllTrue(d, hn::Gt(hn::Min(sum0, sum1), limit))) break;
    }
    hn::StoreU(sum0, d, energies + v);
    hn::StoreU(sum1, d, energies + v + lanes);
    const auto mark = [&](std::size_t at, V sum) HWY_ATTR {
      if (hn::AllFalse(d, hn::Lt(sum, threshold))) return;
      for (std::size_t p = at; p < at + lanes; p += ProbeBrick::octant) open |= 1u << (p / ProbeBrick::octant);
    };
    mark(v, sum0);
    mark(v + lanes, sum1);
  }
  return open;
}

/// Adds the energies of `vectors` vectors of sites of one kind with listed far atoms, `cut` where the cutoff counts.
template <ProbeTerms terms, bool cut, int vectors, class D, class V = hn::Vec<D>>
HWY_ATTR HWY_INLINE void add_listed(D d, const ProbeBrick& brick, const std::uint32_t* list, std::size_t count,
                                    std::size_t site_kinds, std::uint32_t kind, const V (&at)[vectors][4],
                                    V (&sums)[vectors]) {
  const auto cutoff2 = hn::Set(d, brick.cutoff2);
  for (std::size_t n = 0; n < count; ++n) {
    const float* const atom = brick.far + 4 * std::size_t{list[n]};
    const float* const law = brick.laws + ProbeBrick::law_size * ((brick.near_count + list[n]) * site_kinds + kind);
    const auto ax = hn::Set(d, atom[0]), ay = hn::Set(d, atom[1]), az = hn::Set(d, atom[2]), a2 = hn::Set(d, atom[3]);
    for (int v = 0; v < vectors; ++v) {
      const auto r2 =
          hn::MulAdd(at[v][0], ax, hn::MulAdd(at[v][1], ay, hn::MulAdd(at[v][2], az, hn::Add(at[v][3], a2))));
      sums[v] = with_energy<terms, cut>(d, law, brick.inverse_cutoff, r2, hn::Lt(r2, cutoff2), sums[v]);
    }
  }
}

/// Adds those of the far atoms to `vectors` vectors of items.
template <ProbeTerms terms, int vectors, class D>
HWY_ATTR HWY_INLINE void add_far_vectors(D d, const ProbeBrick& brick, const ProbeItems& items, std::size_t first,
                                         float* energies) {
  using V = hn::Vec<D>;
  const std::size_t lanes = hn::Lanes(d);
  V sums[vectors];
  for (int v = 0; v < vectors; ++v) sums[v] = hn::LoadU(d, energies + first + static_cast<std::size_t>(v) * lanes);
  for (std::size_t s = 0; s < items.sites; ++s) {
    V at[vectors][4];
    for (int v = 0; v < vectors; ++v)
      for (std::size_t k = 0; k < 4; ++k)
        at[v][k] =
            hn::LoadU(d, items.places + (4 * s + k) * ProbeItems::most + first + static_cast<std::size_t>(v) * lanes);
    add_listed<terms, false, vectors>(d, brick, items.inner, items.inner_count, items.site_kinds, items.kinds[s], at,
                                      sums);
    add_listed<terms, true, vectors>(d, brick, items.outer, items.outer_count, items.site_kinds, items.kinds[s], at,
                                     sums);
  }
  for (int v = 0; v < vectors; ++v) hn::StoreU(sums[v], d, energies + first + static_cast<std::size_t>(v) * lanes);
}

template <ProbeTerms terms>
HWY_ATTR void add_far_energies(const ProbeBrick& brick, const ProbeItems& items, float* energies) {
  const hn::CappedTag<float, 16> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t v = 0;
  for (; v + lanes < items.count; v += 2 * lanes) add_far_vectors<terms, 2>(d, brick, items, v, energies);
  if (v < items.count) add_far_vectors<terms, 1>(d, brick, items, v, energies);
}

std::uint32_t near_energies_of(const ProbeBrick& brick, const ProbeTurn& turn, ProbeTerms terms, float* energies) {
  if (terms == ProbeTerms::with_charges) return near_energies<ProbeTerms::with_charges>(brick, turn, energies);
  if (terms == ProbeTerms::buckingham) return near_energies<ProbeTerms::buckingham>(brick, turn, energies);
  return near_energies<ProbeTerms::lennard_jones>(brick, turn, energies);
}

void add_far_energies_of(const ProbeBrick& brick, const ProbeItems& items, ProbeTerms terms, float* energies) {
  if (terms == ProbeTerms::with_charges) return add_far_energies<ProbeTerms::with_charges>(brick, items, energies);
  if (terms == ProbeTerms::buckingham) return add_far_energies<ProbeTerms::buckingham>(brick, items, energies);
  add_far_energies<ProbeTerms::lennard_jones>(brick, items, energies);
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"

namespace isolume {

HWY_EXPORT(near_energies_of);
HWY_EXPORT(add_far_energies_of);

namespace {

// Energies that are this much above the ceiling add nothing to a mean below it, of any number of orientations in use.
constexpr double negligible = 15;  // kT

// A brick's own room, kept by a thread from one to the next.
struct Workspace {
  std::vector<std::pair<float, std::uint32_t>> near;  ///< by distance
  std::vector<std::uint32_t> far, inner, outer, open, items;
  std::vector<float> near_places, far_places, laws, energies, places, sums;
};

/// Everything that is the same for all bricks.
class ProbeMap {
 public:
  ProbeMap(const ProbeSystem& system, const Grid& grid)
      : system_(system),
        grid_(grid),
        bricks_((grid.counts + side - 1) / side),
        half_(grid.step * glm::dvec3(0.5 * (side - 1))),
        extent_(system.reach - system.cutoff),
        x_(points),
        y_(points),
        z_(points),
        tails_(system.depths.size()) {
    for (std::size_t p = 0; p < points; ++p) {
      const glm::dvec3 at = grid.step * glm::dvec3(place(p)) - half_;
      x_[p] = static_cast<float>(at.x);
      y_[p] = static_cast<float>(at.y);
      z_[p] = static_cast<float>(at.z);
      radius_ = std::max(radius_, glm::length(at));
    }
    for (const glm::dvec3 diagonal : {glm::dvec3(1, 1, 1), {-1, 1, 1}, {1, -1, 1}, {1, 1, -1}})
      octant_radius_ = std::max(octant_radius_, 0.5 * glm::length(grid.step * diagonal));
    for (const glm::dvec3& o : system.offsets)
      for (int axis = 0; axis < 3; ++axis) offsets_.push_back(static_cast<float>(o[axis]));
    for (std::size_t kind = 0; kind < tails_.size(); ++kind)
      for (const std::uint32_t site : system.site_kind) {
        const std::size_t law = kind * system.site_kinds + site;
        if (law >= system.laws.size()) continue;
        tails_[kind] += system.terms == ProbeTerms::buckingham ? system.laws[law].q : system.laws[law].b;
      }
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
    room.open.resize(turns);
    bool in_grid[points];
    for (std::size_t p = 0; p < points; ++p) in_grid[p] = glm::all(glm::lessThan(first + place(p), grid_.counts));
    for (std::size_t o = 0; o < turns; ++o) {
      if (o % 64 == 0) job.check();
      const ProbeTurn turn{&offsets_[3 * o * sites], system_.site_kind.data(), sites, system_.site_kinds};
      room.open[o] = HWY_DYNAMIC_DISPATCH(near_energies_of)(brick, turn, system_.terms, &room.energies[o * points]);
    }
    for (std::size_t octant = 0; octant < ProbeBrick::octants; ++octant) {
      room.items.clear();
      for (std::size_t o = 0; o < turns; ++o) {
        if ((room.open[o] >> octant & 1u) == 0) continue;
        for (std::size_t p = octant * ProbeBrick::octant; p < (octant + 1) * ProbeBrick::octant; ++p)
          if (in_grid[p] && room.energies[o * points + p] < brick.threshold)
            room.items.push_back(static_cast<std::uint32_t>(o * points + p));
      }
      if (!room.items.empty()) add_far(brick, octant, room, job);
    }
    float lowest[points];
    std::fill_n(lowest, points, std::numeric_limits<float>::max());
    for (std::size_t o = 0; o < turns; ++o)
      for (std::size_t p = 0; p < points; ++p) lowest[p] = std::min(lowest[p], room.energies[o * points + p]);
    for (std::size_t p = 0; p < points; ++p) {
      if (!in_grid[p]) continue;
      const glm::ivec3 at = first + place(p);
      free_energy.data[grid_.index(at.x, at.y, at.z)] = mean(&room.energies[p], lowest[p], turns);
    }
  }

 private:
  static constexpr int side = 4;
  static constexpr std::size_t points = ProbeBrick::points;

  /// Octant after octant of 2 x 2 x 2 points.
  static glm::ivec3 place(std::size_t p) {
    const int n = static_cast<int>(p);
    return {2 * (n >> 3 & 1) + (n & 1), 2 * (n >> 4 & 1) + (n >> 1 & 1), 2 * (n >> 5 & 1) + (n >> 2 & 1)};
  }

  /// The most that an atom takes off the energy of a probe in a brick whose middle is so far from it, kT.
  double depth(std::uint32_t kind, double distance) const {
    const double closest = distance - radius_ - extent_;
    if (!(closest > 0)) return system_.depths[kind];
    const double c2 = closest * closest;
    return std::min(system_.depths[kind], tails_[kind] / (c2 * c2 * c2));
  }

  /// The atoms that a probe in the brick about `middle` meets, those apart that may keep it out.
  ProbeBrick brick_at(const glm::dvec3& middle, Workspace& room) const {
    const glm::dvec3 from = middle - system_.middle;
    const double reach = system_.reach + radius_, decisive = std::min(reach, radius_ + extent_ + system_.near);
    room.near.clear();
    room.far.clear();
    int low[3], high[3];
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = system_.cells.along(axis, from[axis] - reach);
      high[axis] = system_.cells.along(axis, from[axis] + reach);
    }
    double near_depth = 0, far_depth = 0;
    for (int k = low[2]; k <= high[2]; ++k)
      for (int j = low[1]; j <= high[1]; ++j)
        for (std::uint32_t i = system_.starts[system_.cells.index(low[0], j, k)];
             i < system_.starts[system_.cells.index(high[0], j, k) + 1]; ++i) {
          const glm::dvec3 d = system_.places[i] - middle;
          const double d2 = glm::dot(d, d);
          if (d2 >= reach * reach) continue;
          if (d2 < decisive * decisive) {
            room.near.emplace_back(static_cast<float>(d2), i);
            near_depth += system_.depths[system_.kinds[i]];
          } else {
            room.far.push_back(i);
            far_depth += depth(system_.kinds[i], std::sqrt(d2));
          }
        }
    std::sort(room.near.begin(), room.near.end());
    const std::size_t near_count = room.near.size(), far_count = room.far.size();
    room.near_places.resize(3 * near_count);
    room.far_places.resize(4 * far_count);
    room.laws.resize(ProbeBrick::law_size * (near_count + far_count) * system_.site_kinds);
    for (std::size_t n = 0; n < near_count + far_count; ++n) {
      const bool near = n < near_count;
      const std::uint32_t i = near ? room.near[n].second : room.far[n - near_count];
      const glm::dvec3 at = system_.places[i] - middle;
      float* const to = near ? &room.near_places[3 * n] : &room.far_places[4 * (n - near_count)];
      for (int axis = 0; axis < 3; ++axis) to[axis] = static_cast<float>(near ? at[axis] : -2 * at[axis]);
      if (!near) to[3] = static_cast<float>(glm::dot(at, at));
      copy_laws(i, &room.laws[ProbeBrick::law_size * n * system_.site_kinds]);
    }
    // Charges have no such bound: there all atoms always count.
    const bool bounded = system_.terms != ProbeTerms::with_charges;
    const double threshold = probe_ceiling + negligible + far_depth;
    constexpr float never = std::numeric_limits<float>::max();
    return {x_.data(),
            y_.data(),
            z_.data(),
            room.near_places.data(),
            room.far_places.data(),
            room.laws.data(),
            near_count,
            far_count,
            static_cast<float>(system_.cutoff * system_.cutoff),
            static_cast<float>(system_.inverse_cutoff()),
            bounded ? static_cast<float>(threshold) : never,
            bounded ? static_cast<float>(threshold + near_depth) : never};
  }

  void copy_laws(std::uint32_t atom, float* to) const {
    for (std::size_t s = 0; s < system_.site_kinds; ++s, to += ProbeBrick::law_size) {
      const ProbeLaw& law = system_.laws[system_.kinds[atom] * system_.site_kinds + s];
      to[0] = static_cast<float>(law.a);
      to[1] = static_cast<float>(law.b);
      to[2] = static_cast<float>(law.q);
      to[3] = static_cast<float>(law.top2);
    }
  }

  /// Which far atoms are within the cutoff of all probes in an octant, and of some.
  void list_far(const ProbeBrick& brick, std::size_t octant, Workspace& room) const {
    room.inner.clear();
    room.outer.clear();
    const std::size_t p = octant * ProbeBrick::octant, q = p + ProbeBrick::octant - 1;  // opposite corners
    const float x = 0.5f * (x_[p] + x_[q]), y = 0.5f * (y_[p] + y_[q]), z = 0.5f * (z_[p] + z_[q]);
    const float c2 = x * x + y * y + z * z;
    constexpr double rounding = 1e-3;  // angstrom
    const double around = octant_radius_ + extent_ + rounding;
    const auto most = static_cast<float>((system_.cutoff + around) * (system_.cutoff + around));
    const double within = std::max(0.0, system_.cutoff - around);
    const auto least = static_cast<float>(within * within);
    for (std::size_t n = 0; n < brick.far_count; ++n) {
      const float* const atom = brick.far + 4 * n;
      const float d2 = c2 + atom[3] + x * atom[0] + y * atom[1] + z * atom[2];
      if (d2 < most) (d2 < least ? room.inner : room.outer).push_back(static_cast<std::uint32_t>(n));
    }
  }

  void add_far(const ProbeBrick& brick, std::size_t octant, Workspace& room, Job& job) const {
    constexpr std::size_t most = ProbeItems::most, two_vectors = 32;
    const std::size_t sites = system_.sites();
    list_far(brick, octant, room);
    room.places.resize(4 * sites * most);
    room.sums.resize(most);
    for (std::size_t begin = 0; begin < room.items.size(); begin += most) {
      job.check();
      const std::size_t count = std::min(most, room.items.size() - begin);
      const std::size_t filled = (count + two_vectors - 1) / two_vectors * two_vectors;  // with copies
      for (std::size_t n = 0; n < filled; ++n) {
        const std::uint32_t item = room.items[begin + std::min(n, count - 1)];
        const std::size_t p = item % points;
        room.sums[n] = room.energies[item];
        for (std::size_t s = 0; s < sites; ++s) {
          const float* const offset = &offsets_[3 * (item / points * sites + s)];
          float* const to = &room.places[4 * s * most + n];
          const float x = x_[p] + offset[0], y = y_[p] + offset[1], z = z_[p] + offset[2];
          to[0] = x;
          to[most] = y;
          to[2 * most] = z;
          to[3 * most] = x * x + y * y + z * z;
        }
      }
      const ProbeItems items{room.places.data(),
                             system_.site_kind.data(),
                             sites,
                             system_.site_kinds,
                             count,
                             room.inner.data(),
                             room.outer.data(),
                             room.inner.size(),
                             room.outer.size()};
      HWY_DYNAMIC_DISPATCH(add_far_energies_of)(brick, items, system_.terms, room.sums.data());
      for (std::size_t n = 0; n < count; ++n) room.energies[room.items[begin + n]] = room.sums[n];
    }
  }

  /// Of the energies at every `points`-th place.
  static float mean(const float* energies, float lowest, std::size_t turns) {
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
  double extent_;  ///< angstrom from a probe's place to its farthest site
  double radius_ = 0, octant_radius_ = 0;
  std::vector<float> x_, y_, z_, offsets_;
  std::vector<double> tails_;  ///< of each kind of atoms: a probe's energy is above minus this over r^6
};

}  // namespace

void probe_free_energy_cpu(const ProbeSystem& system, const Grid& grid, Span<float> free_energy, Job& job) {
  const PhaseTimer timer("probe");
  const ProbeMap map(system, grid);
  parallel_for(map.bricks(), job, "probe", [&](std::size_t brick) { map.fill(brick, free_energy, job); });
}

}  // namespace isolume
#endif  // HWY_ONCE
