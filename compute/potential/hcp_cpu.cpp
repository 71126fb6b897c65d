// Hierarchical charge partitioning on the CPU: tiles of 32 neighbouring points share one walk through the hierarchy.
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

/// Points that are summed together. What does not take part in a sum has weight 0.
struct HcpTile {
  alignas(64) float x[hcp_tile], y[hcp_tile], z[hcp_tile];
  alignas(64) float v[hcp_tile], ex[hcp_tile], ey[hcp_tile], ez[hcp_tile];
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

/// Adds `count` charges to a tile; `weights` (null: all 1) are 0 for points that do not take part.
template <bool sigmoidal, bool field>
void add_charges(const HcpCharge* charges, std::size_t count, const HcpLaw& law, const float* weights, HcpTile& tile) {
  const hn::CappedTag<float, hcp_tile> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto near = hn::Set(d, static_cast<float>(coincidence * coincidence));
  const auto half = hn::Set(d, 0.5f), one_and_half = hn::Set(d, 1.5f), two = hn::Set(d, 2.0f);
  for (std::size_t i = 0; i < hcp_tile; i += lanes) {
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
      const auto q = hn::Set(d, charges[c].q);
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
    const auto w = weights ? hn::LoadU(d, weights + i) : hn::Set(d, 1.0f);
    const auto add = [&](auto sum, float* to) HWY_ATTR { hn::Store(hn::MulAdd(w, sum, hn::Load(d, to)), d, to); };
    add(v, tile.v + i);
    if constexpr (field) {
      add(ex, tile.ex + i);
      add(ey, tile.ey + i);
      add(ez, tile.ez + i);
    }
  }
}

void add_constant(const HcpCharge* c, std::size_t n, const HcpLaw& law, const float* weights, HcpTile& tile) {
  add_charges<false, false>(c, n, law, weights, tile);
}
void add_constant_field(const HcpCharge* c, std::size_t n, const HcpLaw& law, const float* weights, HcpTile& tile) {
  add_charges<false, true>(c, n, law, weights, tile);
}
void add_sigmoidal(const HcpCharge* c, std::size_t n, const HcpLaw& law, const float* weights, HcpTile& tile) {
  add_charges<true, false>(c, n, law, weights, tile);
}
void add_sigmoidal_field(const HcpCharge* c, std::size_t n, const HcpLaw& law, const float* weights, HcpTile& tile) {
  add_charges<true, true>(c, n, law, weights, tile);
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "compute/parallel_for.h"
#include "compute/timing.h"

namespace isolume {

HWY_EXPORT(add_constant);
HWY_EXPORT(add_constant_field);
HWY_EXPORT(add_sigmoidal);
HWY_EXPORT(add_sigmoidal_field);

namespace {

using AddCharges = void (*)(const HcpCharge*, std::size_t, const HcpLaw&, const float*, HcpTile&);

AddCharges body_for(bool sigmoidal, bool field) {
  // The instruction set is looked up at each call, which is some hundred charges long.
  if (sigmoidal) {
    if (field)
      return [](const HcpCharge* c, std::size_t n, const HcpLaw& law, const float* weights, HcpTile& tile) {
        HWY_DYNAMIC_DISPATCH(add_sigmoidal_field)(c, n, law, weights, tile);
      };
    return [](const HcpCharge* c, std::size_t n, const HcpLaw& law, const float* weights, HcpTile& tile) {
      HWY_DYNAMIC_DISPATCH(add_sigmoidal)(c, n, law, weights, tile);
    };
  }
  if (field)
    return [](const HcpCharge* c, std::size_t n, const HcpLaw& law, const float* weights, HcpTile& tile) {
      HWY_DYNAMIC_DISPATCH(add_constant_field)(c, n, law, weights, tile);
    };
  return [](const HcpCharge* c, std::size_t n, const HcpLaw& law, const float* weights, HcpTile& tile) {
    HWY_DYNAMIC_DISPATCH(add_constant)(c, n, law, weights, tile);
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

/// Walks the hierarchy for one tile. What acts on all of its points is collected and summed in one go; the components
/// at a threshold, near for some points and far for others, are summed at once with weights.
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
    visit(top, 0, static_cast<std::uint32_t>(count), nullptr);
    flush();
  }

 private:
  void visit(std::size_t level, std::uint32_t begin, std::uint32_t end, const float* weights) {
    if (level == 0) {
      emit(&system_.atoms[begin], end - begin, weights);
      return;
    }
    const HcpComponents& components = system_.components[level - 1];
    const std::vector<std::uint32_t>& first = system_.levels[level - 1].first;
    for (std::uint32_t c = begin; c < end; ++c) {
      const HcpCentre& centre = components.centres[c];
      const HcpCharge* charges = &components.charges[c * system_.charges_each];
      const float distance = glm::distance(centre_, glm::vec3(centre.x, centre.y, centre.z));
      if (distance > centre.reach + radius_) {
        emit(charges, system_.charges_each, weights);
      } else if (distance + radius_ <= centre.reach) {
        visit(level - 1, first[c], first[c + 1], weights);
      } else {
        split(level, c, weights);
      }
    }
  }

  /// A component that is far for some points: its charges for those, its parts for the others.
  void split(std::size_t level, std::uint32_t c, const float* weights) {
    const HcpCentre& centre = system_.components[level - 1].centres[c];
    alignas(64) float far[hcp_tile], near[hcp_tile];
    bool any_far = false, any_near = false;
    for (int i = 0; i < hcp_tile; ++i) {
      const float dx = tile_.x[i] - centre.x, dy = tile_.y[i] - centre.y, dz = tile_.z[i] - centre.z;
      const float taking_part = weights ? weights[i] : 1.0f;
      const bool is_far = dx * dx + dy * dy + dz * dz > centre.reach * centre.reach;
      far[i] = is_far ? taking_part : 0.0f;
      near[i] = taking_part - far[i];
      any_far |= far[i] > 0;
      any_near |= near[i] > 0;
    }
    const std::vector<std::uint32_t>& first = system_.levels[level - 1].first;
    if (any_far)
      emit(&system_.components[level - 1].charges[c * system_.charges_each], system_.charges_each,
           any_near || weights ? far : nullptr);
    if (any_near) visit(level - 1, first[c], first[c + 1], any_far || weights ? near : nullptr);
  }

  void emit(const HcpCharge* charges, std::size_t count, const float* weights) {
    if (weights) {
      system_.add(charges, count, system_.law, weights, tile_);
      return;
    }
    while (count > 0) {
      const std::size_t part = std::min(count, collected_.size() - size_);
      std::copy_n(charges, part, collected_.begin() + static_cast<std::ptrdiff_t>(size_));
      size_ += part;
      charges += part;
      count -= part;
      if (size_ == collected_.size()) flush();
    }
  }

  void flush() {
    system_.add(collected_.data(), size_, system_.law, nullptr, tile_);
    size_ = 0;
  }

  const System& system_;
  HcpTile& tile_;
  glm::vec3 centre_{0};
  float radius_ = 0;
  std::array<HcpCharge, 512> collected_;
  std::size_t size_ = 0;
};

System make_system(std::span<const PointCharge> charges, const std::vector<HcpLevel>& levels, const HcpOptions& options,
                   bool field) {
  const PhaseTimer timer("hierarchical partitioning: components");
  System system{levels, {}, {}, static_cast<std::size_t>(options.charges), {}, nullptr};
  system.atoms.reserve(charges.size());
  for (const PointCharge& c : charges) system.atoms.push_back({c.position.x, c.position.y, c.position.z, c.charge});
  for (const HcpLevel& level : levels) system.components.push_back(hcp_components(charges, level, options.charges));
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
  for (int i = count; i < hcp_tile; ++i) tile.x[i] = tile.x[0], tile.y[i] = tile.y[0], tile.z[i] = tile.z[0];
  for (float* sums : {tile.v, tile.ex, tile.ey, tile.ez}) std::fill_n(sums, hcp_tile, 0.0f);
  Walk(system, tile, count).run();
  for (int i = 0; i < count; ++i) store(i);
}

void sum_grid(const System& system, const Grid& grid, float scale, float* potential, Job& job) {
  const glm::ivec3 n = grid.counts;
  const glm::ivec3 tiles((n.x + hcp_tile_x - 1) / hcp_tile_x, (n.y + hcp_tile_y - 1) / hcp_tile_y,
                         (n.z + hcp_tile_z - 1) / hcp_tile_z);
  const std::size_t rows = static_cast<std::size_t>(tiles.y) * static_cast<std::size_t>(tiles.z);
  parallel_for(rows, job, "hierarchical partitioning", [&](std::size_t row) {
    const int j0 = static_cast<int>(row % static_cast<std::size_t>(tiles.y)) * hcp_tile_y;
    const int k0 = static_cast<int>(row / static_cast<std::size_t>(tiles.y)) * hcp_tile_z;
    HcpTile tile;
    std::size_t to[hcp_tile];
    for (int i0 = 0; i0 < n.x; i0 += hcp_tile_x) {
      job.check();
      int count = 0;
      for (int k = k0; k < std::min(k0 + hcp_tile_z, n.z); ++k)
        for (int j = j0; j < std::min(j0 + hcp_tile_y, n.y); ++j)
          for (int i = i0; i < std::min(i0 + hcp_tile_x, n.x); ++i) {
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
  const std::size_t tiles = (points + hcp_tile - 1) / hcp_tile;
  parallel_for(tiles, job, "hierarchical partitioning", [&](std::size_t t) {
    HcpTile tile;
    const std::size_t begin = t * hcp_tile;
    const int count = static_cast<int>(std::min<std::size_t>(hcp_tile, points - begin));
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
  const System system = make_system(charges, levels, options, false);
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
  const System system = make_system(charges, levels, options, true);
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
