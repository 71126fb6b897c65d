// The density's derivatives at a batch of points: functions, then orbitals as matrix products, in SIMD.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "compute/electron_density/density_derivatives_body.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/electron_density/density_derivatives_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "compute/electron_density/density_shells-inl.h"
#include "compute/orbitals/orbital_product-inl.h"

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {

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
    if (part % blocks >= tile.used) continue;
    const auto p = static_cast<std::size_t>(part);
    to_orbitals(tile.rows, orbitals, tile.values.data() + p * functions * block,
                tile.psi.data() + p * orbitals * block);
  }
  for (int which = 0; which < tile.used; ++which) add_orbitals(all, order, which, tile);
  if (order != DensityOrder::hessian || functions == 0) return;
  grow(tile.back, derivative_points * functions);
  for (std::size_t which = 0; which < static_cast<std::size_t>(tile.used); ++which) {
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
