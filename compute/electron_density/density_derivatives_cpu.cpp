// The density's derivatives at a batch of points: functions, then orbitals as matrix products, in SIMD.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "compute/electron_density/density_derivatives_body.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/electron_density/density_derivatives_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "compute/orbitals/orbital_product-inl.h"

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
HWY_ATTR void radial_sums(const DensityFunctions& all, const DensityShell& shell, const DerivativeTile& tile,
                          double* out) {
  const Lanes d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int n = 0; n < derivative_points; n += lanes) {
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

HWY_ATTR void shell_values(const DensityShell& shell, const double* radial, bool gradient, std::size_t functions,
                           std::size_t first, DerivativeTile& tile) {
  const Lanes d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  Powers px, py, pz;
  for (int n = 0; n < derivative_points; n += lanes) {
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

/// out[i] = sum_f rows[f][i] values[f] at one block of points, for `orbitals` (a multiple of 4) orbitals.
HWY_ATTR void to_orbitals(const std::vector<const double*>& rows, std::size_t orbitals, const double* values,
                          double* out) {
  const Lanes d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int n = 0; n < block; n += 2 * lanes) {
    four_orbitals(d, rows, orbitals, values + n, block, [&](std::size_t i, auto... values_of) HWY_ATTR {
      store_four(d, out + i * block + n, block, values_of...);
    });
  }
}

/// out[f] = sum_i rows[f][i] weighted[i] at one block of points.
HWY_ATTR void to_functions(const std::vector<const double*>& rows, std::size_t orbitals, const double* weighted,
                           double* out) {
  const Lanes d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const std::size_t last = rows.size() - 1;
  for (int n = 0; n < block; n += 2 * lanes) {
    for (std::size_t f = 0; f < rows.size(); f += 2) {
      const double* row0 = rows[f];
      const double* row1 = rows[std::min(f + 1, last)];
      auto a0 = hn::Zero(d), a1 = hn::Zero(d), b0 = hn::Zero(d), b1 = hn::Zero(d);
      const double* from = weighted + n;
      for (std::size_t i = 0; i < orbitals; ++i, from += block) {
        const auto v0 = hn::LoadU(d, from), v1 = hn::LoadU(d, from + lanes);
        const auto w0 = hn::Set(d, row0[i]), w1 = hn::Set(d, row1[i]);
        a0 = hn::MulAdd(w0, v0, a0);
        a1 = hn::MulAdd(w0, v1, a1);
        b0 = hn::MulAdd(w1, v0, b0);
        b1 = hn::MulAdd(w1, v1, b1);
      }
      double* to = out + f * block + static_cast<std::size_t>(n);
      hn::StoreU(a0, d, to);
      hn::StoreU(a1, d, to + lanes);
      if (f == last) continue;
      hn::StoreU(b0, d, to + block);
      hn::StoreU(b1, d, to + block + lanes);
    }
  }
}

/// What the orbitals of one block of points add to the sums; also their products with the weights.
HWY_ATTR void add_orbitals(const DensityFunctions& all, DensityOrder order, int which, DerivativeTile& tile) {
  const Lanes d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const std::size_t orbitals = all.orbitals;
  const auto two = hn::Set(d, 2.0), half = hn::Set(d, 0.5);
  for (int n = 0; n < block; n += lanes) {
    const int at = which * block + n;
    auto density = hn::Zero(d), tau = hn::Zero(d), gx = hn::Zero(d), gy = hn::Zero(d), gz = hn::Zero(d);
    auto xx = hn::Zero(d), xy = hn::Zero(d), xz = hn::Zero(d), yy = hn::Zero(d), yz = hn::Zero(d), zz = hn::Zero(d);
    for (std::size_t i = 0; i < orbitals; ++i) {
      const auto w = hn::Set(d, all.weights[i]);
      const auto psi = hn::LoadU(d, tile.psi.data() + place(0, at, orbitals, i));
      const auto weighted = hn::Mul(w, psi);
      density = hn::MulAdd(weighted, psi, density);
      if (order == DensityOrder::value) continue;
      hn::StoreU(weighted, d, tile.weighted.data() + place(0, at, orbitals, i));
      const auto x = hn::LoadU(d, tile.psi.data() + place(1, at, orbitals, i));
      const auto y = hn::LoadU(d, tile.psi.data() + place(2, at, orbitals, i));
      const auto z = hn::LoadU(d, tile.psi.data() + place(3, at, orbitals, i));
      gx = hn::MulAdd(weighted, x, gx);
      gy = hn::MulAdd(weighted, y, gy);
      gz = hn::MulAdd(weighted, z, gz);
      const auto wx = hn::Mul(w, x), wy = hn::Mul(w, y);
      xx = hn::MulAdd(wx, x, xx);
      yy = hn::MulAdd(wy, y, yy);
      zz = hn::MulAdd(hn::Mul(w, z), z, zz);
      xy = hn::MulAdd(wx, y, xy);
      xz = hn::MulAdd(wx, z, xz);
      yz = hn::MulAdd(wy, z, yz);
    }
    tau = hn::Mul(half, hn::Add(xx, hn::Add(yy, zz)));
    hn::Store(density, d, tile.density + at);
    hn::Store(tau, d, tile.tau + at);
    hn::Store(hn::Mul(two, gx), d, tile.gradient[0] + at);
    hn::Store(hn::Mul(two, gy), d, tile.gradient[1] + at);
    hn::Store(hn::Mul(two, gz), d, tile.gradient[2] + at);
    hn::Store(hn::Mul(two, xx), d, tile.hessian[0] + at);
    hn::Store(hn::Mul(two, xy), d, tile.hessian[1] + at);
    hn::Store(hn::Mul(two, xz), d, tile.hessian[2] + at);
    hn::Store(hn::Mul(two, yy), d, tile.hessian[3] + at);
    hn::Store(hn::Mul(two, yz), d, tile.hessian[4] + at);
    hn::Store(hn::Mul(two, zz), d, tile.hessian[5] + at);
  }
}

/// Adds 2 sum_f back_f d2 chi_f of one shell to the Hessian.
HWY_ATTR void add_second(const DensityShell& shell, const double* radial, std::size_t functions, std::size_t first,
                         DerivativeTile& tile) {
  const Lanes d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  Powers px, py, pz;
  for (int n = 0; n < derivative_points; n += lanes) {
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

inline std::size_t functions_of(const DensityShell& shell) {
  return static_cast<std::size_t>((shell.l + 1) * (shell.l + 2) / 2);
}

template <class T>
void grow(std::vector<T>& room, std::size_t size) {
  if (room.size() < size) room.resize(size);
}

HWY_ATTR void evaluate(const DensityFunctions& all, DensityOrder order, DerivativeTile& tile) {
  const bool gradient = order != DensityOrder::value;
  const int parts = gradient ? 4 : 1;
  tile.rows.clear();
  for (const std::uint32_t s : tile.shells) {
    const DensityShell& shell = all.shells[s];
    for (std::size_t c = 0; c < functions_of(shell); ++c)
      tile.rows.push_back(all.coefficients.data() + (shell.first_function + c) * all.orbitals);
  }
  const std::size_t functions = tile.rows.size(), orbitals = all.orbitals;
  grow(tile.radial, tile.shells.size() * 3 * derivative_points);
  grow(tile.values, static_cast<std::size_t>(parts) * derivative_points * functions);
  grow(tile.psi, static_cast<std::size_t>(parts) * derivative_points * orbitals);
  if (gradient) grow(tile.weighted, derivative_points * orbitals);
  std::size_t f = 0;
  for (std::size_t n = 0; n < tile.shells.size(); ++n) {
    const DensityShell& shell = all.shells[tile.shells[n]];
    double* radial = tile.radial.data() + n * 3 * derivative_points;
    radial_sums(all, shell, tile, radial);
    shell_values(shell, radial, gradient, functions, f, tile);
    f += functions_of(shell);
  }
  for (int part = 0; part < parts * blocks; ++part) {
    const auto p = static_cast<std::size_t>(part);
    to_orbitals(tile.rows, orbitals, tile.values.data() + p * functions * block,
                tile.psi.data() + p * orbitals * block);
  }
  for (int which = 0; which < blocks; ++which) add_orbitals(all, order, which, tile);
  if (order != DensityOrder::hessian || functions == 0) return;
  grow(tile.back, derivative_points * functions);
  for (std::size_t which = 0; which < static_cast<std::size_t>(blocks); ++which) {
    to_functions(tile.rows, orbitals, tile.weighted.data() + which * orbitals * block,
                 tile.back.data() + which * functions * block);
  }
  f = 0;
  for (std::size_t n = 0; n < tile.shells.size(); ++n) {
    const DensityShell& shell = all.shells[tile.shells[n]];
    add_second(shell, tile.radial.data() + n * 3 * derivative_points, functions, f, tile);
    f += functions_of(shell);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(evaluate);

void sum_derivatives(const DensityFunctions& functions, DensityOrder order, DerivativeTile& tile) {
  HWY_DYNAMIC_DISPATCH(evaluate)(functions, order, tile);
}

}  // namespace isolume
#endif  // HWY_ONCE
