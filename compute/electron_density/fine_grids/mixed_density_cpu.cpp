// The density with its slopes and mixed derivatives at a batch of points: functions with theirs, then orbitals as one
// matrix product, in SIMD.
#include <algorithm>
#include <cstdint>

#include "compute/electron_density/density_derivatives_body.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/electron_density/fine_grids/mixed_density_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "compute/electron_density/density_shells-inl.h"
#include "compute/orbitals/orbital_product-inl.h"

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {

/// Sums of a shell's primitives and their derivatives by r^2, first to third, at all points.
HWY_ATTR void mixed_radial(const DensityFunctions& all, const DensityShell& shell, const DerivativeTile& tile,
                           double* out) {
  const Lanes d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int n = 0; n < tile.used * block; n += lanes) {
    const auto x = hn::Sub(hn::Load(d, tile.points[0] + n), hn::Set(d, shell.centre.x));
    const auto y = hn::Sub(hn::Load(d, tile.points[1] + n), hn::Set(d, shell.centre.y));
    const auto z = hn::Sub(hn::Load(d, tile.points[2] + n), hn::Set(d, shell.centre.z));
    const auto r2 = hn::MulAdd(x, x, hn::MulAdd(y, y, hn::Mul(z, z)));
    auto r0 = hn::Zero(d), r1 = hn::Zero(d), r2nd = hn::Zero(d), r3 = hn::Zero(d);
    for (std::uint32_t p = shell.first_primitive; p < shell.first_primitive + shell.primitives; ++p) {
      const double a = -all.exponents[p];
      const auto e = hn::Mul(hn::Exp(d, hn::Mul(r2, hn::Set(d, a))), hn::Set(d, all.factors[p]));
      r0 = hn::Add(r0, e);
      r1 = hn::MulAdd(e, hn::Set(d, a), r1);
      r2nd = hn::MulAdd(e, hn::Set(d, a * a), r2nd);
      r3 = hn::MulAdd(e, hn::Set(d, a * a * a), r3);
    }
    hn::StoreU(r0, d, out + n);
    hn::StoreU(r1, d, out + derivative_points + n);
    hn::StoreU(r2nd, d, out + 2 * derivative_points + n);
    hn::StoreU(r3, d, out + 3 * derivative_points + n);
  }
}

/// The functions of a shell with their derivatives x, y, z, xy, xz, yz, xyz.
HWY_ATTR void mixed_values(const DensityShell& shell, const double* radial, std::size_t functions, std::size_t first,
                           DerivativeTile& tile) {
  const Lanes d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  Powers px, py, pz;
  const auto two = hn::Set(d, 2.0);
  for (int n = 0; n < tile.used * block; n += lanes) {
    const auto x = hn::Sub(hn::Load(d, tile.points[0] + n), hn::Set(d, shell.centre.x));
    const auto y = hn::Sub(hn::Load(d, tile.points[1] + n), hn::Set(d, shell.centre.y));
    const auto z = hn::Sub(hn::Load(d, tile.points[2] + n), hn::Set(d, shell.centre.z));
    set_powers(d, x, shell.l, px);
    set_powers(d, y, shell.l, py);
    set_powers(d, z, shell.l, pz);
    const auto r0 = hn::LoadU(d, radial + n), r1 = hn::LoadU(d, radial + derivative_points + n);
    const auto r2 = hn::LoadU(d, radial + 2 * derivative_points + n);
    const auto r3 = hn::LoadU(d, radial + 3 * derivative_points + n);
    const auto x2 = hn::Mul(two, x), y2 = hn::Mul(two, y), z2 = hn::Mul(two, z);
    std::size_t f = first;
    for (int i = shell.l; i >= 0; --i) {
      const auto a0 = hn::Load(d, px.at[0][i]), a1 = hn::Load(d, px.at[1][i]);
      for (int j = shell.l - i; j >= 0; --j, ++f) {
        const int k = shell.l - i - j;
        const auto b0 = hn::Load(d, py.at[0][j]), b1 = hn::Load(d, py.at[1][j]);
        const auto c0 = hn::Load(d, pz.at[0][k]), c1 = hn::Load(d, pz.at[1][k]);
        const auto store = [&](int which, auto value)
                               HWY_ATTR { hn::StoreU(value, d, tile.values.data() + place(which, n, functions, f)); };
        // Each axis takes the derivative of its power, or 2 x and one more derivative of the radial sums.
        const auto ax = hn::Mul(a0, x2), by = hn::Mul(b0, y2), cz = hn::Mul(c0, z2);
        const auto both = [&](auto u0, auto u1, auto v0, auto v1, auto rest) HWY_ATTR {
          const auto inner = hn::Mul(u0, v0), outer = hn::Mul(u1, v1);
          const auto between = hn::MulAdd(u0, v1, hn::Mul(u1, v0));
          return hn::Mul(rest, hn::MulAdd(inner, r0, hn::MulAdd(between, r1, hn::Mul(outer, r2))));
        };
        const auto ab = hn::Mul(a0, b0), ac = hn::Mul(a0, c0), bc = hn::Mul(b0, c0);
        store(0, hn::Mul(hn::Mul(ab, c0), r0));
        store(1, hn::Mul(bc, hn::MulAdd(a1, r0, hn::Mul(ax, r1))));
        store(2, hn::Mul(ac, hn::MulAdd(b1, r0, hn::Mul(by, r1))));
        store(3, hn::Mul(ab, hn::MulAdd(c1, r0, hn::Mul(cz, r1))));
        store(4, both(a1, ax, b1, by, c0));
        store(5, both(a1, ax, c1, cz, b0));
        store(6, both(b1, by, c1, cz, a0));
        const auto p0 = hn::Mul(a1, b1), p1 = hn::MulAdd(a1, by, hn::Mul(ax, b1)), p2 = hn::Mul(ax, by);
        const auto q0 = hn::Mul(p0, c1), q1 = hn::MulAdd(p1, c1, hn::Mul(p0, cz));
        const auto q2 = hn::MulAdd(p2, c1, hn::Mul(p1, cz)), q3 = hn::Mul(p2, cz);
        store(7, hn::MulAdd(q0, r0, hn::MulAdd(q1, r1, hn::MulAdd(q2, r2, hn::Mul(q3, r3)))));
      }
    }
  }
}

HWY_ATTR void add_mixed(const DensityFunctions& all, int which, DerivativeTile& tile) {
  const Lanes d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const std::size_t orbitals = all.orbitals;
  const auto two = hn::Set(d, 2.0);
  for (int n = 0; n < block; n += lanes) {
    const int at = which * block + n;
    auto f = hn::Zero(d), x = hn::Zero(d), y = hn::Zero(d), z = hn::Zero(d);
    auto xy = hn::Zero(d), xz = hn::Zero(d), yz = hn::Zero(d), xyz = hn::Zero(d);
    for (std::size_t i = 0; i < orbitals; ++i) {
      const auto psi = [&](int k) HWY_ATTR { return hn::LoadU(d, tile.psi.data() + place(k, at, orbitals, i)); };
      const auto w = hn::Set(d, all.weights[i]);
      const auto value = psi(0), px = psi(1), py = psi(2), pz = psi(3), pxy = psi(4), pxz = psi(5), pyz = psi(6);
      const auto w0 = hn::Mul(w, value), wx = hn::Mul(w, px), wy = hn::Mul(w, py), wz = hn::Mul(w, pz);
      f = hn::MulAdd(w0, value, f);
      x = hn::MulAdd(w0, px, x);
      y = hn::MulAdd(w0, py, y);
      z = hn::MulAdd(w0, pz, z);
      xy = hn::MulAdd(w0, pxy, hn::MulAdd(wx, py, xy));
      xz = hn::MulAdd(w0, pxz, hn::MulAdd(wx, pz, xz));
      yz = hn::MulAdd(w0, pyz, hn::MulAdd(wy, pz, yz));
      xyz = hn::MulAdd(w0, psi(7), hn::MulAdd(wx, pyz, hn::MulAdd(wy, pxz, hn::MulAdd(wz, pxy, xyz))));
    }
    const auto store = [&](int number, auto value) HWY_ATTR { hn::Store(value, d, tile.mixed[number] + at); };
    store(0, f);
    store(1, hn::Mul(two, y));
    store(2, hn::Mul(two, z));
    store(3, hn::Mul(two, yz));
    store(4, hn::Mul(two, x));
    store(5, hn::Mul(two, xy));
    store(6, hn::Mul(two, xz));
    store(7, hn::Mul(two, xyz));
  }
}

template <class T>
void grow(std::vector<T>& room, std::size_t size) {
  if (room.size() < size) room.resize(size);
}

HWY_ATTR void evaluate_mixed(const DensityFunctions& all, DerivativeTile& tile) {
  constexpr int parts = 8;
  const Lanes d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto functions_of = [](const DensityShell& shell) {
    return static_cast<std::size_t>((shell.l + 1) * (shell.l + 2) / 2);
  };
  tile.rows.clear();
  for (const std::uint32_t s : tile.shells) {
    const DensityShell& shell = all.shells[s];
    for (std::size_t c = 0; c < functions_of(shell); ++c)
      tile.rows.push_back(all.coefficients.data() + (shell.first_function + c) * all.orbitals);
  }
  const std::size_t functions = tile.rows.size(), orbitals = all.orbitals;
  grow(tile.radial, 4 * derivative_points);
  grow(tile.values, parts * derivative_points * functions);
  grow(tile.psi, parts * derivative_points * orbitals);
  std::size_t f = 0;
  for (const std::uint32_t s : tile.shells) {
    const DensityShell& shell = all.shells[s];
    mixed_radial(all, shell, tile, tile.radial.data());
    mixed_values(shell, tile.radial.data(), functions, f, tile);
    f += functions_of(shell);
  }
  for (int part = 0; part < parts * blocks; ++part) {
    if (part % blocks >= tile.used) continue;
    const auto p = static_cast<std::size_t>(part);
    const double* values = tile.values.data() + p * functions * block;
    double* out = tile.psi.data() + p * orbitals * block;
    for (int n = 0; n < block; n += 2 * lanes) {
      four_orbitals(d, tile.rows, orbitals, values + n, block, [&](std::size_t i, auto... values_of) HWY_ATTR {
        store_four(d, out + i * block + n, block, values_of...);
      });
    }
  }
  for (int which = 0; which < tile.used; ++which) add_mixed(all, which, tile);
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(evaluate_mixed);

void sum_mixed(const DensityFunctions& functions, DerivativeTile& tile) {
  HWY_DYNAMIC_DISPATCH(evaluate_mixed)(functions, tile);
}

}  // namespace isolume
#endif  // HWY_ONCE
