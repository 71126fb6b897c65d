// The steps of SPME's mesh on the CPU, in vectors along x.
#include "compute/potential/spme_mesh_cpu.h"

#include <algorithm>
#include <cmath>

#include "compute/potential/spme_math.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/potential/spme_mesh_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Weights and slopes along the three axes; along x in a vector's length, filled up with 0.
template <int order>
struct Weights {
  static constexpr int width = order == 4 ? 4 : 8;
  alignas(32) float x[width] = {};
  alignas(32) float dx[width] = {};
  float y[order], dy[order], z[order], dz[order];
};

template <int order>
HWY_INLINE void weigh(const MeshAtom& a, Weights<order>& w) {
  // The three axes side by side, which a compiler turns into vectors.
  float m[order][4] = {};
  float d[order][4];
  const float t[4] = {a.beyond[0], a.beyond[1], a.beyond[2], 0};
  for (int i = 0; i < 4; ++i) {
    m[0][i] = 1 - t[i];
    m[1][i] = t[i];
  }
  // As bspline(): from order n - 1 to n.
  const auto raise = [&](int n) {
    const float divide = 1.0f / static_cast<float>(n - 1);
    for (int i = 0; i < 4; ++i) m[n - 1][i] = divide * t[i] * m[n - 2][i];
    for (int j = 1; j < n - 1; ++j) {
      for (int i = 0; i < 4; ++i) {
        m[n - 1 - j][i] = divide * ((t[i] + static_cast<float>(j)) * m[n - 2 - j][i] +
                                    (static_cast<float>(n - j) - t[i]) * m[n - 1 - j][i]);
      }
    }
    for (int i = 0; i < 4; ++i) m[0][i] = divide * (1 - t[i]) * m[0][i];
  };
  for (int n = 3; n < order; ++n) raise(n);
  for (int i = 0; i < 4; ++i) {
    d[0][i] = -m[0][i];
    for (int j = 1; j < order - 1; ++j) d[j][i] = m[j - 1][i] - m[j][i];
    d[order - 1][i] = m[order - 2][i];
  }
  raise(order);
  for (int k = 0; k < order; ++k) {
    w.x[k] = m[k][0];
    w.y[k] = m[k][1];
    w.z[k] = m[k][2];
    w.dx[k] = d[k][0];
    w.dy[k] = d[k][1];
    w.dz[k] = d[k][2];
  }
}

template <int order>
struct Rows {
  int y[order];
  int z[order];
  HWY_INLINE Rows(const MeshAtom& a, const MeshView& mesh) {
    for (int k = 0; k < order; ++k) {
      y[k] = a.at[1] + k;
      y[k] -= y[k] >= mesh.n.y ? mesh.n.y : 0;
      z[k] = a.at[2] + k;
      z[k] -= z[k] >= mesh.n.z ? mesh.n.z : 0;
    }
  }
};

void locate(const MeshFrame& f, const glm::vec3* positions, const float* charges, MeshAtom* atoms, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    MeshAtom& a = atoms[i];
    const glm::vec3 p = positions[a.atom];
    const double x = static_cast<double>(p.x), y = static_cast<double>(p.y), z = static_cast<double>(p.z);
    // The axes side by side.
    int at[4];
    float beyond[4];
    for (int k = 0; k < 4; ++k) {
      double u = f.inverse[0][k] * x + f.inverse[1][k] * y + f.inverse[2][k] * z;
      u = (u - std::floor(u)) * f.counts[k];
      const double below = std::min(std::floor(u), f.counts[k] - 1);
      at[k] = static_cast<int>(below);
      beyond[k] = static_cast<float>(u - below);
    }
    for (int k = 0; k < 3; ++k) {
      a.at[k] = static_cast<std::uint16_t>(at[k]);
      a.beyond[k] = beyond[k];
    }
    a.charge = charges[a.atom];
  }
}

template <int order>
void spread(const MeshAtom* atoms, std::size_t count, const MeshView& mesh) {
  constexpr int width = Weights<order>::width;
  const hn::CappedTag<float, width> d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(d));
  Weights<order> w;
  for (std::size_t i = 0; i < count; ++i) {
    const MeshAtom& a = atoms[i];
    weigh<order>(a, w);
    const Rows<order> rows(a, mesh);
    for (int z = 0; z < order; ++z) {
      const float qz = a.charge * w.z[z];
      for (int y = 0; y < order; ++y) {
        const auto scale = hn::Set(d, qz * w.y[y]);
        float* row = mesh.row(rows.y[y], rows.z[z]) + a.at[0];
        for (int x = 0; x < width; x += lanes) {
          hn::StoreU(hn::MulAdd(hn::Load(d, w.x + x), scale, hn::LoadU(d, row + x)), d, row + x);
        }
      }
    }
  }
}

template <int order>
void gather(const MeshAtom* atoms, std::size_t count, const MeshView& mesh, MeshValue* values) {
  constexpr int width = Weights<order>::width;
  const hn::CappedTag<float, width> d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(d));
  constexpr int parts = width / lanes;
  using V = hn::Vec<decltype(d)>;
  Weights<order> w;
  for (std::size_t i = 0; i < count; ++i) {
    const MeshAtom& a = atoms[i];
    weigh<order>(a, w);
    const Rows<order> rows(a, mesh);
    float sums[4] = {};
    for (int x = 0; x < parts; ++x) {
      V plain = hn::Zero(d), by_y = plain, by_z = plain;
      for (int z = 0; z < order; ++z) {
        V line = hn::Zero(d), slope = line;
        for (int y = 0; y < order; ++y) {
          const V v = hn::LoadU(d, mesh.row(rows.y[y], rows.z[z]) + a.at[0] + x * lanes);
          line = hn::MulAdd(v, hn::Set(d, w.y[y]), line);
          slope = hn::MulAdd(v, hn::Set(d, w.dy[y]), slope);
        }
        plain = hn::MulAdd(line, hn::Set(d, w.z[z]), plain);
        by_y = hn::MulAdd(slope, hn::Set(d, w.z[z]), by_y);
        by_z = hn::MulAdd(line, hn::Set(d, w.dz[z]), by_z);
      }
      const V wx = hn::Load(d, w.x + x * lanes);
      const V dx = hn::Load(d, w.dx + x * lanes);
#if HWY_TARGET != HWY_SCALAR
      if constexpr (width == 4 && lanes == 4) {
        // All four sums of lanes at once.
        const V a = hn::Mul(plain, wx), b = hn::Mul(plain, dx), c = hn::Mul(by_y, wx), e = hn::Mul(by_z, wx);
        const V ab = hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
        const V ce = hn::Add(hn::InterleaveLower(d, c, e), hn::InterleaveUpper(d, c, e));
        hn::StoreU(hn::Add(hn::ConcatLowerLower(d, ce, ab), hn::ConcatUpperUpper(d, ce, ab)), d, sums);
        continue;
      }
#endif
      sums[0] += hn::GetLane(hn::SumOfLanes(d, hn::Mul(plain, wx)));
      sums[1] += hn::GetLane(hn::SumOfLanes(d, hn::Mul(plain, dx)));
      sums[2] += hn::GetLane(hn::SumOfLanes(d, hn::Mul(by_y, wx)));
      sums[3] += hn::GetLane(hn::SumOfLanes(d, hn::Mul(by_z, wx)));
    }
    values[i] = {sums[0], {sums[1], sums[2], sums[3]}};
  }
}

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

void locate_atoms(const MeshFrame& frame, const glm::vec3* positions, const float* charges, MeshAtom* atoms,
                  std::size_t count) {
  HWY_DYNAMIC_DISPATCH(locate)(frame, positions, charges, atoms, count);
}

void spread_charges(int order, const MeshAtom* atoms, std::size_t count, const MeshView& mesh) {
  HWY_DYNAMIC_DISPATCH(spread_any)(order, atoms, count, mesh);
}
void gather_potentials(int order, const MeshAtom* atoms, std::size_t count, const MeshView& mesh, MeshValue* values) {
  HWY_DYNAMIC_DISPATCH(gather_any)(order, atoms, count, mesh, values);
}

}  // namespace isolume
#endif
