// The steps of SPME's mesh on the CPU, in vectors along x.
#include "compute/electrostatics/ewald/spme_mesh_cpu.h"

#include <algorithm>
#include <cmath>

#include "compute/electrostatics/ewald/spme_math.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/electrostatics/ewald/spme_mesh_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "compute/electrostatics/ewald/spme_weights.h"

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {

void locate(const MeshFrame& f, const glm::vec3* positions, const float* charges, std::size_t first, std::size_t count,
            MeshAtom* atoms) {
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<float, decltype(d)> df;
  const hn::Rebind<std::int32_t, decltype(d)> di;
  constexpr std::size_t most = 8;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < count; i += lanes) {
    const std::size_t here = std::min(lanes, count - i);
    alignas(64) float place[3 * most] = {};
    const glm::vec3* const from = positions + first + i;
    if (here < lanes) {
      for (std::size_t k = 0; k < here; ++k) {
        for (std::size_t axis = 0; axis < 3; ++axis) place[3 * k + axis] = from[k][static_cast<int>(axis)];
      }
    }
    hn::Vec<decltype(df)> px, py, pz;
    hn::LoadInterleaved3(df, here < lanes ? place : &from->x, px, py, pz);
    const auto x = hn::PromoteTo(d, px), y = hn::PromoteTo(d, py), z = hn::PromoteTo(d, pz);
    alignas(64) std::int32_t at[3][most];
    alignas(64) float beyond[3][most];
    for (int k = 0; k < 3; ++k) {
      auto u = hn::MulAdd(hn::Set(d, f.inverse[0][k]), x,
                          hn::MulAdd(hn::Set(d, f.inverse[1][k]), y, hn::Mul(hn::Set(d, f.inverse[2][k]), z)));
      u = hn::Mul(hn::Sub(u, hn::Floor(u)), hn::Set(d, f.counts[k]));
      const auto below = hn::Min(hn::Floor(u), hn::Set(d, f.counts[k] - 1));
      hn::Store(hn::DemoteTo(di, below), di, at[k]);
      hn::Store(hn::DemoteTo(df, hn::Sub(u, below)), df, beyond[k]);
    }
    for (std::size_t k = 0; k < here; ++k) {
      MeshAtom& a = atoms[i + k];
      for (int axis = 0; axis < 3; ++axis) {
        a.at[axis] = static_cast<std::uint16_t>(at[axis][k]);
        a.beyond[axis] = beyond[axis][k];
      }
      a.atom = static_cast<std::uint32_t>(first + i + k);
      a.charge = charges[first + i + k];
    }
  }
}

// A fault of GCC 12.2 at -O3, not of aliasing here: it expresses the address of the row that is written by that of the
// local weights, takes the function for one that writes nothing that others see, and leaves its calls away.
// cmake/checks/lost_writes.cpp is the case alone; clang, -fno-ivopts and the sanitizers get it right.
#if defined(__GNUC__) && !defined(__clang__)
#define ISOLUME_WRITES __attribute__((noipa))
#else
#define ISOLUME_WRITES
#endif
template <int order>
ISOLUME_WRITES void spread(const MeshAtom* atoms, std::size_t count, const MeshView& mesh) {
  constexpr int width = Weights<order>::width;
  const hn::CappedTag<float, width> d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(d));
  using V = hn::Vec<decltype(d)>;
  Weights<order> w;
  for (std::size_t some = 0; some < count; some += weighed_atoms) {
    const std::size_t here = std::min(weighed_atoms, count - some);
    weigh<order, true>(atoms + some, here, w);
    for (std::size_t i = 0; i < here; ++i) {
      const MeshAtom& a = atoms[some + i];
      const std::size_t* const rows = mesh.rows + a.at[1];
      float* const base = mesh.values + a.at[0];
      for (int x = 0; x < width; x += lanes) {
        const V wx = hn::Load(d, w.x + i * width + x);
        for (int z = 0; z < order; ++z) {
          float* const plane = base + mesh.planes[a.at[2] + z] + x;
          const V wxz = hn::Mul(wx, hn::Set(d, w.z[z][i]));
          for (int y = 0; y < order; ++y) {
            float* const row = plane + rows[y];
            hn::StoreU(hn::MulAdd(wxz, hn::Set(d, w.y[y][i]), hn::LoadU(d, row)), d, row);
          }
        }
      }
    }
  }
}

/// A vector's sums over the lanes of four, in its lanes.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void store_sums(D d, V a, V b, V c, V e, float* sums) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (hn::MaxLanes(d) == 4) {
    const V ab = hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
    const V ce = hn::Add(hn::InterleaveLower(d, c, e), hn::InterleaveUpper(d, c, e));
    hn::StoreU(hn::Add(hn::ConcatLowerLower(d, ce, ab), hn::ConcatUpperUpper(d, ce, ab)), d, sums);
    return;
  }
#endif
  sums[0] = hn::GetLane(hn::SumOfLanes(d, a));
  sums[1] = hn::GetLane(hn::SumOfLanes(d, b));
  sums[2] = hn::GetLane(hn::SumOfLanes(d, c));
  sums[3] = hn::GetLane(hn::SumOfLanes(d, e));
}

/// What an atom's sums over y and z are, by lanes along x: the potential, and its slopes along y and z.
template <int order, class D, class V = hn::Vec<D>>
HWY_INLINE void sum_rows(D d, const Weights<order>& w, std::size_t i, const MeshAtom& a, const MeshView& mesh,
                         const float* base, V& plain, V& by_y, V& by_z) {
  const std::size_t* const rows = mesh.rows + a.at[1];
  plain = by_y = by_z = hn::Zero(d);
#if HWY_MAX_BYTES >= 32 && !HWY_HAVE_SCALABLE
  if constexpr (order == 4) {
    // Both sums along y side by side.
    const hn::FixedTag<float, 8> twice;
    hn::Vec<decltype(twice)> weights[order], both = hn::Zero(twice);
    for (int y = 0; y < order; ++y) weights[y] = hn::Combine(twice, hn::Set(d, w.dy[y][i]), hn::Set(d, w.y[y][i]));
    for (int z = 0; z < order; ++z) {
      const float* const plane = base + mesh.planes[a.at[2] + z];
      auto line = hn::Mul(hn::LoadDup128(twice, plane + rows[0]), weights[0]);
      for (int y = 1; y < order; ++y) line = hn::MulAdd(hn::LoadDup128(twice, plane + rows[y]), weights[y], line);
      both = hn::MulAdd(line, hn::Set(twice, w.z[z][i]), both);
      by_z = hn::MulAdd(hn::LowerHalf(d, line), hn::Set(d, w.dz[z][i]), by_z);
    }
    plain = hn::LowerHalf(d, both);
    by_y = hn::UpperHalf(d, both);
    return;
  }
#endif
  for (int z = 0; z < order; ++z) {
    const float* const plane = base + mesh.planes[a.at[2] + z];
    V line = hn::Zero(d), slope = line;
    for (int y = 0; y < order; ++y) {
      const V v = hn::LoadU(d, plane + rows[y]);
      line = hn::MulAdd(v, hn::Set(d, w.y[y][i]), line);
      slope = hn::MulAdd(v, hn::Set(d, w.dy[y][i]), slope);
    }
    const V wz = hn::Set(d, w.z[z][i]);
    plain = hn::MulAdd(line, wz, plain);
    by_y = hn::MulAdd(slope, wz, by_y);
    by_z = hn::MulAdd(line, hn::Set(d, w.dz[z][i]), by_z);
  }
}

template <int order>
ISOLUME_WRITES void gather(const MeshAtom* atoms, std::size_t count, const MeshView& mesh, MeshValue* values) {
  constexpr int width = Weights<order>::width;
  const hn::CappedTag<float, width> d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(d));
  constexpr int parts = width / lanes;
  using V = hn::Vec<decltype(d)>;
  Weights<order> w;
  for (std::size_t some = 0; some < count; some += weighed_atoms) {
    const std::size_t here = std::min(weighed_atoms, count - some);
    weigh<order, false>(atoms + some, here, w);
    for (std::size_t i = 0; i < here; ++i) {
      const MeshAtom& a = atoms[some + i];
      float sums[4] = {};
      for (int x = 0; x < parts; ++x) {
        V plain, by_y, by_z;
        sum_rows<order>(d, w, i, a, mesh, mesh.values + a.at[0] + x * lanes, plain, by_y, by_z);
        const V wx = hn::Load(d, w.x + i * width + x * lanes), dx = hn::Load(d, w.dx + i * width + x * lanes);
        float part[4];
        store_sums(d, hn::Mul(plain, wx), hn::Mul(plain, dx), hn::Mul(by_y, wx), hn::Mul(by_z, wx), part);
        for (int k = 0; k < 4; ++k) sums[k] += part[k];
      }
      values[some + i] = {sums[0], {sums[1], sums[2], sums[3]}};
    }
  }
}

#undef ISOLUME_WRITES

void spread_any(int order, const MeshAtom* atoms, std::size_t count, const MeshView& mesh) {
  with_order(order, [&](auto p) { spread<p.value>(atoms, count, mesh); });
}
void gather_any(int order, const MeshAtom* atoms, std::size_t count, const MeshView& mesh, MeshValue* values) {
  with_order(order, [&](auto p) { gather<p.value>(atoms, count, mesh, values); });
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(spread_any);
HWY_EXPORT(gather_any);
HWY_EXPORT(locate);

MeshFrame::MeshFrame(const glm::dmat3& inverse_cell, glm::ivec3 n) {
  for (int column = 0; column < 3; ++column) {
    for (int axis = 0; axis < 3; ++axis) inverse[column][axis] = inverse_cell[column][axis];
    counts[column] = n[column];
  }
  counts[3] = 1;
}

void locate_atoms(const MeshFrame& frame, const glm::vec3* positions, const float* charges, std::size_t first,
                  std::size_t count, MeshAtom* atoms) {
  HWY_DYNAMIC_DISPATCH(locate)(frame, positions, charges, first, count, atoms);
}

void spread_charges(int order, const MeshAtom* atoms, std::size_t count, const MeshView& mesh) {
  HWY_DYNAMIC_DISPATCH(spread_any)(order, atoms, count, mesh);
}
void gather_potentials(int order, const MeshAtom* atoms, std::size_t count, const MeshView& mesh, MeshValue* values) {
  HWY_DYNAMIC_DISPATCH(gather_any)(order, atoms, count, mesh, values);
}

}  // namespace isolume
#endif
