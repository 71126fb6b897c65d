// Hierarchical charge partitioning on the CPU: tiles of 16 neighbouring points share one walk through the hierarchy.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "compute/potential/direct_math.h"
#include "compute/potential/hcp_bodies.h"
#include "molecule/units.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/potential/hcp_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#ifndef ISOLUME_HCP_TILE
#define ISOLUME_HCP_TILE
namespace isolume {

/// Points that are summed together, and a charge's mask says on which of them it acts.
constexpr int tile_size = 16;
constexpr int tile_x = 4, tile_y = 2, tile_z = 2;  // of a grid
constexpr unsigned all_points = (1u << tile_size) - 1;

struct HcpTile {
  alignas(64) float x[tile_size], y[tile_size], z[tile_size];
  alignas(64) float v[tile_size], ex[tile_size], ey[tile_size], ez[tile_size];
};

/// A constant dielectric is 1 here; its D is divided out at the end.
struct HcpLaw {
  float bulk = 1, half = 0, slope = 0;  ///< D, (D - 1)/2, S
};

}  // namespace isolume
#endif

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// exp(-x) for x >= 0, relative error 2e-7: 2^n by the exponent's bits, 2^f by its Taylor series on [-1/2, 1/2].
template <class D, class V>
HWY_INLINE V exp_of_minus(D d, V x) {
  const hn::RebindToSigned<D> di;
  const V t = hn::Max(hn::Mul(x, hn::Set(d, -1.44269504089f)), hn::Set(d, -126.0f));
  const auto n = hn::NearestInt(t);
  const V f = hn::Sub(t, hn::ConvertTo(d, n));
  V p = hn::Set(d, 1.5403530393e-4f);
  p = hn::MulAdd(p, f, hn::Set(d, 1.3333558146e-3f));
  p = hn::MulAdd(p, f, hn::Set(d, 9.6181291076e-3f));
  p = hn::MulAdd(p, f, hn::Set(d, 5.5504108665e-2f));
  p = hn::MulAdd(p, f, hn::Set(d, 2.4022650696e-1f));
  p = hn::MulAdd(p, f, hn::Set(d, 6.9314718056e-1f));
  p = hn::MulAdd(p, f, hn::Set(d, 1.0f));
  return hn::Mul(p, hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(n, hn::Set(di, 127)))));
}

/// Adds `count` charges to a tile; each acts on the points in its mask (null: on all).
template <bool sigmoidal, bool field, bool masked>
void add_charges(const HcpCharge* charges, const std::uint16_t* masks, std::size_t count, const HcpLaw& law,
                 HcpTile& tile) {
  const hn::CappedTag<float, tile_size> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto near = hn::Set(d, static_cast<float>(coincidence * coincidence));
  const auto half = hn::Set(d, 0.5f), one_and_half = hn::Set(d, 1.5f), two = hn::Set(d, 2.0f);
  for (std::size_t i = 0; i < tile_size; i += lanes) {
    const auto px = hn::Load(d, tile.x + i), py = hn::Load(d, tile.y + i), pz = hn::Load(d, tile.z + i);
    auto v = hn::Zero(d), ex = v, ey = v, ez = v;
    for (std::size_t c = 0; c < count; ++c) {
      const auto dx = hn::Sub(px, hn::Set(d, charges[c].x));
      const auto dy = hn::Sub(py, hn::Set(d, charges[c].y));
      const auto dz = hn::Sub(pz, hn::Set(d, charges[c].z));
      const auto r2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
      auto inverse = hn::ApproximateReciprocalSqrt(r2);
      const auto h = hn::Mul(half, r2);
      inverse = hn::Mul(inverse, hn::NegMulAdd(hn::Mul(h, inverse), inverse, one_and_half));
#if HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR
      inverse = hn::Div(hn::Set(d, 1.0f), hn::Sqrt(r2));
#endif
      inverse = hn::IfThenElseZero(hn::Ge(r2, near), inverse);
      auto q = hn::Set(d, charges[c].q);
      if constexpr (masked) {
        const unsigned bits = static_cast<unsigned>(masks[c]) >> i;
        const std::uint8_t bytes[8] = {static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(bits >> 8)};
        q = hn::IfThenElseZero(hn::LoadMaskBits(d, bytes), q);
      }
      if constexpr (sigmoidal) {
        const auto x = hn::Mul(hn::Mul(r2, inverse), hn::Set(d, law.slope));
        const auto fall = hn::Mul(hn::Set(d, law.half), exp_of_minus(d, x));
        const auto eps = hn::NegMulAdd(hn::MulAdd(x, hn::Add(x, two), two), fall, hn::Set(d, law.bulk));
        auto u = hn::ApproximateReciprocal(eps);
        u = hn::Mul(u, hn::NegMulAdd(eps, u, two));
        const auto value = hn::Mul(q, hn::Mul(u, inverse));
        v = hn::Add(v, value);
        if constexpr (field) {
          // E = V (1/r + eps'/eps) r/|r|, eps' = S (D - 1)/2 x^2 exp(-x).
          const auto bend = hn::Mul(hn::Mul(hn::Mul(x, x), fall), hn::Mul(u, hn::Set(d, law.slope)));
          const auto along = hn::Mul(hn::Mul(value, inverse), hn::Add(inverse, bend));
          ex = hn::MulAdd(along, dx, ex);
          ey = hn::MulAdd(along, dy, ey);
          ez = hn::MulAdd(along, dz, ez);
        }
      } else {
        const auto value = hn::Mul(q, inverse);
        v = hn::Add(v, value);
        if constexpr (field) {
          const auto along = hn::Mul(hn::Mul(value, inverse), inverse);
          ex = hn::MulAdd(along, dx, ex);
          ey = hn::MulAdd(along, dy, ey);
          ez = hn::MulAdd(along, dz, ez);
        }
      }
    }
    const auto add = [&](auto sum, float* to) HWY_ATTR { hn::Store(hn::Add(sum, hn::Load(d, to)), d, to); };
    add(v, tile.v + i);
    if constexpr (field) {
      add(ex, tile.ex + i);
      add(ey, tile.ey + i);
      add(ez, tile.ez + i);
    }
  }
}

template <bool sigmoidal, bool field>
void add_any(const HcpCharge* charges, const std::uint16_t* masks, std::size_t count, const HcpLaw& law,
             HcpTile& tile) {
  if (masks) {
    add_charges<sigmoidal, field, true>(charges, masks, count, law, tile);
  } else {
    add_charges<sigmoidal, field, false>(charges, masks, count, law, tile);
  }
}

void add_constant(const HcpCharge* c, const std::uint16_t* m, std::size_t n, const HcpLaw& law, HcpTile& tile) {
  add_any<false, false>(c, m, n, law, tile);
}
void add_constant_field(const HcpCharge* c, const std::uint16_t* m, std::size_t n, const HcpLaw& law, HcpTile& tile) {
  add_any<false, true>(c, m, n, law, tile);
}
void add_sigmoidal(const HcpCharge* c, const std::uint16_t* m, std::size_t n, const HcpLaw& law, HcpTile& tile) {
  add_any<true, false>(c, m, n, law, tile);
}
void add_sigmoidal_field(const HcpCharge* c, const std::uint16_t* m, std::size_t n, const HcpLaw& law, HcpTile& tile) {
  add_any<true, true>(c, m, n, law, tile);
}

/// The points of a tile for which a component is far.
std::uint32_t far_points(const HcpTile& tile, const HcpCentre& centre) {
  const hn::CappedTag<float, tile_size> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto reach2 = hn::Set(d, centre.reach * centre.reach);
  std::uint32_t far = 0;
  for (std::size_t i = 0; i < tile_size; i += lanes) {
    const auto dx = hn::Sub(hn::Load(d, tile.x + i), hn::Set(d, centre.x));
    const auto dy = hn::Sub(hn::Load(d, tile.y + i), hn::Set(d, centre.y));
    const auto dz = hn::Sub(hn::Load(d, tile.z + i), hn::Set(d, centre.z));
    const auto r2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, hn::Gt(r2, reach2), bytes);
    const std::uint32_t bits = bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8;
    far |= (lanes < 16 ? bits & ((1u << lanes) - 1u) : bits) << i;
  }
  return far;
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "compute/parallel_for.h"
#include "compute/timing.h"

namespace isolume {

HWY_EXPORT(far_points);
HWY_EXPORT(add_constant);
HWY_EXPORT(add_constant_field);
HWY_EXPORT(add_sigmoidal);
HWY_EXPORT(add_sigmoidal_field);

namespace {

using AddCharges = void (*)(const HcpCharge*, const std::uint16_t*, std::size_t, const HcpLaw&, HcpTile&);

AddCharges body_for(bool sigmoidal, bool field) {
  // The instruction set is looked up at each call, which is some hundred charges long.
  if (sigmoidal) {
    if (field)
      return [](const HcpCharge* c, const std::uint16_t* m, std::size_t n, const HcpLaw& law, HcpTile& tile) {
        HWY_DYNAMIC_DISPATCH(add_sigmoidal_field)(c, m, n, law, tile);
      };
    return [](const HcpCharge* c, const std::uint16_t* m, std::size_t n, const HcpLaw& law, HcpTile& tile) {
      HWY_DYNAMIC_DISPATCH(add_sigmoidal)(c, m, n, law, tile);
    };
  }
  if (field)
    return [](const HcpCharge* c, const std::uint16_t* m, std::size_t n, const HcpLaw& law, HcpTile& tile) {
      HWY_DYNAMIC_DISPATCH(add_constant_field)(c, m, n, law, tile);
    };
  return [](const HcpCharge* c, const std::uint16_t* m, std::size_t n, const HcpLaw& law, HcpTile& tile) {
    HWY_DYNAMIC_DISPATCH(add_constant)(c, m, n, law, tile);
  };
}

/// The system as the walk reads it.
struct System {
  const std::vector<HcpLevel>& levels;
  std::vector<HcpComponents> components;
  std::vector<HcpCharge> atoms;
  std::size_t charges_each;
  HcpLaw law;
  AddCharges add;
};

/// Walks the hierarchy for one tile. What acts on all of its points is collected in one list, what acts on some in
/// another with masks, and each is summed some hundred charges at a time.
class Walk {
 public:
  Walk(const System& system, HcpTile& tile, int count) : system_(system), tile_(tile) {
    glm::vec3 low(tile.x[0], tile.y[0], tile.z[0]), high = low;
    for (int i = 1; i < count; ++i) {
      const glm::vec3 p(tile.x[i], tile.y[i], tile.z[i]);
      low = glm::min(low, p);
      high = glm::max(high, p);
    }
    centre_ = 0.5f * (low + high);
    for (int i = 0; i < count; ++i)
      radius_ = std::max(radius_, glm::distance(centre_, glm::vec3(tile.x[i], tile.y[i], tile.z[i])));
    // Room for the rounding of the distances.
    radius_ = radius_ * 1.0001f + 1e-4f;
  }

  void run() {
    const std::size_t top = system_.levels.size();
    const std::size_t count = top == 0 ? system_.atoms.size() : system_.levels[top - 1].first.size() - 1;
    visit(top, 0, static_cast<std::uint32_t>(count), all_points);
    flush();
    flush_masked();
  }

 private:
  /// Components [begin, end) of a level, for the points in `mask`.
  void visit(std::size_t level, std::uint32_t begin, std::uint32_t end, std::uint32_t mask) {
    if (level == 0) {
      emit(&system_.atoms[begin], end - begin, mask);
      return;
    }
    const HcpComponents& components = system_.components[level - 1];
    const std::vector<std::uint32_t>& first = system_.levels[level - 1].first;
    for (std::uint32_t c = begin; c < end; ++c) {
      const HcpCentre& centre = components.centres[c];
      const HcpCharge* charges = &components.charges[c * system_.charges_each];
      const float dx = centre_.x - centre.x, dy = centre_.y - centre.y, dz = centre_.z - centre.z;
      const float distance2 = dx * dx + dy * dy + dz * dz;
      const float beyond = centre.reach + radius_, within = centre.reach - radius_;
      if (distance2 > beyond * beyond) {
        emit(charges, system_.charges_each, mask);
      } else if (within > 0 && distance2 <= within * within) {
        visit(level - 1, first[c], first[c + 1], mask);
      } else {
        const std::uint32_t far = HWY_DYNAMIC_DISPATCH(far_points)(tile_, centre) & mask;
        if (far != 0) emit(charges, system_.charges_each, far);
        if (far != mask) visit(level - 1, first[c], first[c + 1], mask & ~far);
      }
    }
  }

  void emit(const HcpCharge* charges, std::size_t count, std::uint32_t mask) {
    for (std::size_t i = 0; i < count; ++i) {
      if (mask == all_points) {
        collected_[size_++] = charges[i];
        if (size_ == collected_.size()) flush();
      } else {
        masks_[masked_size_] = static_cast<std::uint16_t>(mask);
        masked_[masked_size_++] = charges[i];
        if (masked_size_ == masked_.size()) flush_masked();
      }
    }
  }

  void flush() {
    system_.add(collected_.data(), nullptr, size_, system_.law, tile_);
    size_ = 0;
  }
  void flush_masked() {
    system_.add(masked_.data(), masks_.data(), masked_size_, system_.law, tile_);
    masked_size_ = 0;
  }

  const System& system_;
  HcpTile& tile_;
  glm::vec3 centre_{0};
  float radius_ = 0;
  std::array<HcpCharge, 512> collected_, masked_;
  std::array<std::uint16_t, 512> masks_;
  std::size_t size_ = 0, masked_size_ = 0;
};

System make_system(std::span<const PointCharge> charges, const std::vector<HcpLevel>& levels, const HcpOptions& options,
                   bool field, Job& job) {
  const PhaseTimer timer("hierarchical partitioning: components");
  System system{levels, {}, {}, static_cast<std::size_t>(options.charges), {}, nullptr};
  system.atoms.reserve(charges.size());
  for (const PointCharge& c : charges) system.atoms.push_back({c.position.x, c.position.y, c.position.z, c.charge});
  for (const HcpLevel& level : levels)
    system.components.push_back(hcp_components(charges, level, options.charges, job));
  const bool sigmoidal = options.dielectric.kind == Dielectric::Kind::sigmoidal;
  if (sigmoidal)
    system.law = {static_cast<float>(options.dielectric.bulk), static_cast<float>(0.5 * (options.dielectric.bulk - 1)),
                  static_cast<float>(options.dielectric.slope)};
  system.add = body_for(sigmoidal, field);
  return system;
}

float scale_of(const HcpOptions& options) {
  const bool constant = options.dielectric.kind == Dielectric::Kind::constant;
  return static_cast<float>(units::coulomb_volt_angstrom / (constant ? options.dielectric.bulk : 1.0));
}

/// Sums one tile whose first `count` points are set and hands it over.
template <class Store>
void sum_tile(const System& system, HcpTile& tile, int count, const Store& store) {
  for (int i = count; i < tile_size; ++i) tile.x[i] = tile.x[0], tile.y[i] = tile.y[0], tile.z[i] = tile.z[0];
  for (float* sums : {tile.v, tile.ex, tile.ey, tile.ez}) std::fill_n(sums, tile_size, 0.0f);
  Walk(system, tile, count).run();
  for (int i = 0; i < count; ++i) store(i);
}

void sum_grid(const System& system, const Grid& grid, float scale, float* potential, Job& job) {
  const glm::ivec3 n = grid.counts;
  const glm::ivec3 tiles((n.x + tile_x - 1) / tile_x, (n.y + tile_y - 1) / tile_y, (n.z + tile_z - 1) / tile_z);
  const std::size_t rows = static_cast<std::size_t>(tiles.y) * static_cast<std::size_t>(tiles.z);
  parallel_for(rows, job, "hierarchical partitioning", [&](std::size_t row) {
    const int j0 = static_cast<int>(row % static_cast<std::size_t>(tiles.y)) * tile_y;
    const int k0 = static_cast<int>(row / static_cast<std::size_t>(tiles.y)) * tile_z;
    HcpTile tile;
    std::size_t to[tile_size];
    for (int i0 = 0; i0 < n.x; i0 += tile_x) {
      job.check();
      int count = 0;
      for (int k = k0; k < std::min(k0 + tile_z, n.z); ++k)
        for (int j = j0; j < std::min(j0 + tile_y, n.y); ++j)
          for (int i = i0; i < std::min(i0 + tile_x, n.x); ++i) {
            const glm::vec3 p(grid.point(i, j, k));
            tile.x[count] = p.x, tile.y[count] = p.y, tile.z[count] = p.z;
            to[count++] = grid.index(i, j, k);
          }
      sum_tile(system, tile, count, [&](int at) { potential[to[at]] = scale * tile.v[at]; });
    }
  });
}

/// The points in tiles of consecutive ones; `store(point, tile, place)`.
template <class Position, class Store>
void sum_points(const System& system, std::size_t points, const Position& position, const Store& store, Job& job) {
  const std::size_t tiles = (points + tile_size - 1) / tile_size;
  parallel_for(tiles, job, "hierarchical partitioning", [&](std::size_t t) {
    HcpTile tile;
    const std::size_t begin = t * tile_size;
    const int count = static_cast<int>(std::min<std::size_t>(tile_size, points - begin));
    for (int i = 0; i < count; ++i) {
      const glm::vec3 p = position(begin + static_cast<std::size_t>(i));
      tile.x[i] = p.x, tile.y[i] = p.y, tile.z[i] = p.z;
    }
    sum_tile(system, tile, count, [&](int at) { store(begin + static_cast<std::size_t>(at), tile, at); });
  });
}

}  // namespace

void hcp_cpu(std::span<const PointCharge> charges, const std::vector<HcpLevel>& levels, const HcpTargets& targets,
             const HcpOptions& options, Span<float> potential, Job& job) {
  const System system = make_system(charges, levels, options, false, job);
  const PhaseTimer timer("hierarchical partitioning: sum");
  const float scale = scale_of(options);
  if (targets.grid) {
    sum_grid(system, *targets.grid, scale, potential.data, job);
  } else {
    sum_points(
        system, targets.points.size(), [&](std::size_t i) { return targets.points[i]; },
        [&](std::size_t i, const HcpTile& tile, int at) { potential.data[i] = scale * tile.v[at]; }, job);
  }
}

void hcp_cpu(std::span<const PointCharge> charges, const std::vector<HcpLevel>& levels, const HcpTargets&,
             const HcpOptions& options, Span<glm::vec4> values, Job& job) {
  const System system = make_system(charges, levels, options, true, job);
  const PhaseTimer timer("hierarchical partitioning: sum");
  const float scale = scale_of(options);
  sum_points(
      system, charges.size(), [&](std::size_t i) { return charges[i].position; },
      [&](std::size_t i, const HcpTile& tile, int at) {
        values.data[i] = scale * glm::vec4(tile.ex[at], tile.ey[at], tile.ez[at], tile.v[at]);
      },
      job);
}

}  // namespace isolume
#endif  // HWY_ONCE
