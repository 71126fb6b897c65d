// The functions of a shell at the points of a tile, with their derivatives, in SIMD: for each target of Highway, inside
// a body. It has no guard: a body includes it once for each target.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>
#include <cstddef>
#include <cstdint>

#include "compute/electron_density/density_derivatives_body.h"

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<double, 8>;
constexpr int longest = 8;                 // lanes
constexpr int most_powers = 7;             // x^0 to x^6
constexpr int block = derivative_block;    // points
constexpr int blocks = derivative_blocks;  // of them

/// x^n, and its first and second derivative, along one axis.
struct Powers {
  alignas(64) double at[3][most_powers][longest];
};

template <class V>
HWY_ATTR void set_powers(Lanes d, V x, int l, Powers& powers) {
  auto power = hn::Set(d, 1.0), before = hn::Zero(d), before2 = hn::Zero(d);
  for (int n = 0; n <= l; ++n) {
    hn::Store(power, d, powers.at[0][n]);
    hn::Store(hn::Mul(hn::Set(d, n), before), d, powers.at[1][n]);
    hn::Store(hn::Mul(hn::Set(d, n * (n - 1)), before2), d, powers.at[2][n]);
    before2 = before;
    before = power;
    power = hn::Mul(power, x);
  }
}

/// Radial sums of a shell at all points.
HWY_ATTR inline void radial_sums(const DensityFunctions& all, const DensityShell& shell, const DerivativeTile& tile,
                                 double* out) {
  const Lanes d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int n = 0; n < tile.used * block; n += lanes) {
    const auto x = hn::Sub(hn::Load(d, tile.points[0] + n), hn::Set(d, shell.centre.x));
    const auto y = hn::Sub(hn::Load(d, tile.points[1] + n), hn::Set(d, shell.centre.y));
    const auto z = hn::Sub(hn::Load(d, tile.points[2] + n), hn::Set(d, shell.centre.z));
    const auto r2 = hn::MulAdd(x, x, hn::MulAdd(y, y, hn::Mul(z, z)));
    auto r0 = hn::Zero(d), r1 = hn::Zero(d), r2nd = hn::Zero(d);
    for (std::uint32_t p = shell.first_primitive; p < shell.first_primitive + shell.primitives; ++p) {
      const double a = -2 * all.exponents[p];
      const auto e = hn::Mul(hn::Exp(d, hn::Mul(r2, hn::Set(d, -all.exponents[p]))), hn::Set(d, all.factors[p]));
      r0 = hn::Add(r0, e);
      r1 = hn::MulAdd(e, hn::Set(d, a), r1);
      r2nd = hn::MulAdd(e, hn::Set(d, a * a), r2nd);
    }
    hn::StoreU(r0, d, out + n);
    hn::StoreU(r1, d, out + derivative_points + n);
    hn::StoreU(r2nd, d, out + 2 * derivative_points + n);
  }
}

/// Where the values of function f at point n are, of the function itself (0) or a derivative (1 to 3), among `rows`.
inline std::size_t place(int which, int n, std::size_t rows, std::size_t f) {
  return ((static_cast<std::size_t>(which) * blocks + static_cast<std::size_t>(n / block)) * rows + f) * block +
         static_cast<std::size_t>(n % block);
}

HWY_ATTR inline void shell_values(const DensityShell& shell, const double* radial, bool gradient, std::size_t functions,
                                  std::size_t first, DerivativeTile& tile) {
  const Lanes d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  Powers px, py, pz;
  for (int n = 0; n < tile.used * block; n += lanes) {
    const auto x = hn::Sub(hn::Load(d, tile.points[0] + n), hn::Set(d, shell.centre.x));
    const auto y = hn::Sub(hn::Load(d, tile.points[1] + n), hn::Set(d, shell.centre.y));
    const auto z = hn::Sub(hn::Load(d, tile.points[2] + n), hn::Set(d, shell.centre.z));
    set_powers(d, x, shell.l, px);
    set_powers(d, y, shell.l, py);
    set_powers(d, z, shell.l, pz);
    const auto r0 = hn::LoadU(d, radial + n), r1 = hn::LoadU(d, radial + derivative_points + n);
    std::size_t f = first;
    for (int i = shell.l; i >= 0; --i) {
      const auto x0 = hn::Load(d, px.at[0][i]), x1 = hn::Load(d, px.at[1][i]);
      for (int j = shell.l - i; j >= 0; --j, ++f) {
        const int k = shell.l - i - j;
        const auto y0 = hn::Load(d, py.at[0][j]), z0 = hn::Load(d, pz.at[0][k]);
        const auto xy = hn::Mul(x0, y0);
        const auto p = hn::Mul(xy, z0);
        hn::StoreU(hn::Mul(p, r0), d, tile.values.data() + place(0, n, functions, f));
        if (!gradient) continue;
        const auto outer = hn::Mul(p, r1);
        const auto dx = hn::Mul(hn::Mul(x1, y0), z0);
        const auto dy = hn::Mul(hn::Mul(x0, hn::Load(d, py.at[1][j])), z0);
        const auto dz = hn::Mul(xy, hn::Load(d, pz.at[1][k]));
        hn::StoreU(hn::MulAdd(dx, r0, hn::Mul(outer, x)), d, tile.values.data() + place(1, n, functions, f));
        hn::StoreU(hn::MulAdd(dy, r0, hn::Mul(outer, y)), d, tile.values.data() + place(2, n, functions, f));
        hn::StoreU(hn::MulAdd(dz, r0, hn::Mul(outer, z)), d, tile.values.data() + place(3, n, functions, f));
      }
    }
  }
}

/// Adds 2 sum_f back_f d2 chi_f of one shell to the Hessian.
HWY_ATTR inline void add_second(const DensityShell& shell, const double* radial, std::size_t functions,
                                std::size_t first, DerivativeTile& tile) {
  const Lanes d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  Powers px, py, pz;
  for (int n = 0; n < tile.used * block; n += lanes) {
    const auto x = hn::Sub(hn::Load(d, tile.points[0] + n), hn::Set(d, shell.centre.x));
    const auto y = hn::Sub(hn::Load(d, tile.points[1] + n), hn::Set(d, shell.centre.y));
    const auto z = hn::Sub(hn::Load(d, tile.points[2] + n), hn::Set(d, shell.centre.z));
    set_powers(d, x, shell.l, px);
    set_powers(d, y, shell.l, py);
    set_powers(d, z, shell.l, pz);
    // Sums over the shell of the polynomial and its derivatives.
    auto p = hn::Zero(d), dx = hn::Zero(d), dy = hn::Zero(d), dz = hn::Zero(d);
    auto xx = hn::Zero(d), xy = hn::Zero(d), xz = hn::Zero(d), yy = hn::Zero(d), yz = hn::Zero(d), zz = hn::Zero(d);
    std::size_t f = first;
    for (int i = shell.l; i >= 0; --i) {
      const auto x0 = hn::Load(d, px.at[0][i]), x1 = hn::Load(d, px.at[1][i]), x2 = hn::Load(d, px.at[2][i]);
      for (int j = shell.l - i; j >= 0; --j, ++f) {
        const int k = shell.l - i - j;
        const auto c = hn::LoadU(d, tile.back.data() + place(0, n, functions, f));
        const auto y0 = hn::Load(d, py.at[0][j]), y1 = hn::Load(d, py.at[1][j]);
        const auto z0 = hn::Mul(c, hn::Load(d, pz.at[0][k])), z1 = hn::Mul(c, hn::Load(d, pz.at[1][k]));
        const auto z2 = hn::Mul(c, hn::Load(d, pz.at[2][k]));
        const auto x0y0 = hn::Mul(x0, y0), x1y0 = hn::Mul(x1, y0), x0y1 = hn::Mul(x0, y1);
        p = hn::MulAdd(x0y0, z0, p);
        dx = hn::MulAdd(x1y0, z0, dx);
        dy = hn::MulAdd(x0y1, z0, dy);
        dz = hn::MulAdd(x0y0, z1, dz);
        xx = hn::MulAdd(hn::Mul(x2, y0), z0, xx);
        yy = hn::MulAdd(hn::Mul(x0, hn::Load(d, py.at[2][j])), z0, yy);
        zz = hn::MulAdd(x0y0, z2, zz);
        xy = hn::MulAdd(hn::Mul(x1, y1), z0, xy);
        xz = hn::MulAdd(x1y0, z1, xz);
        yz = hn::MulAdd(x0y1, z1, yz);
      }
    }
    const auto two = hn::Set(d, 2.0);
    const auto r0 = hn::LoadU(d, radial + n), r1 = hn::LoadU(d, radial + derivative_points + n);
    const auto r2 = hn::LoadU(d, radial + 2 * derivative_points + n);
    const auto pr1 = hn::Mul(p, r1), pr2 = hn::Mul(p, r2);
    const auto same = [&](auto second, auto first_along, auto along) HWY_ATTR {
      const auto outer = hn::MulAdd(hn::Mul(along, along), pr2, pr1);
      return hn::MulAdd(second, r0, hn::MulAdd(hn::Mul(two, hn::Mul(first_along, along)), r1, outer));
    };
    const auto mixed = [&](auto second, auto first_a, auto a, auto first_b, auto b) HWY_ATTR {
      const auto inner = hn::MulAdd(first_a, b, hn::Mul(first_b, a));
      return hn::MulAdd(second, r0, hn::MulAdd(inner, r1, hn::Mul(hn::Mul(a, b), pr2)));
    };
    const auto add = [&](int which, auto value) HWY_ATTR {
      double* to = tile.hessian[which] + n;
      hn::Store(hn::MulAdd(two, value, hn::Load(d, to)), d, to);
    };
    add(0, same(xx, dx, x));
    add(1, mixed(xy, dx, x, dy, y));
    add(2, mixed(xz, dx, x, dz, z));
    add(3, same(yy, dy, y));
    add(4, mixed(yz, dy, y, dz, z));
    add(5, same(zz, dz, z));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();
