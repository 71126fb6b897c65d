// Electron density of a batch of points: values of the functions, then orbitals as a matrix product, in SIMD.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "compute/orbitals/density_functions.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/orbitals/electron_density_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "compute/orbitals/orbital_product-inl.h"

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// x^i y^j z^k R(r) of one shell at all points, in the order of cartesian_powers.
HWY_ATTR void shell_values(const DensityFunctions& all, const DensityShell& shell, const FunctionTile& tile,
                           double* out) {
  const hn::CappedTag<double, density_points> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int n = 0; n < density_points; n += lanes) {
    const auto x = hn::Sub(hn::Load(d, tile.points[0] + n), hn::Set(d, shell.centre.x));
    const auto y = hn::Sub(hn::Load(d, tile.points[1] + n), hn::Set(d, shell.centre.y));
    const auto z = hn::Sub(hn::Load(d, tile.points[2] + n), hn::Set(d, shell.centre.z));
    const auto r2 = hn::MulAdd(x, x, hn::MulAdd(y, y, hn::Mul(z, z)));
    auto radial = hn::Zero(d);
    for (std::uint32_t p = shell.first_primitive; p < shell.first_primitive + shell.primitives; ++p) {
      const auto e = hn::Exp(d, hn::Mul(r2, hn::Set(d, -all.exponents[p])));
      radial = hn::MulAdd(e, hn::Set(d, all.factors[p]), radial);
    }
    alignas(64) double powers[3][7][HWY_MAX_BYTES / sizeof(double)];
    auto px = radial, py = hn::Set(d, 1.0), pz = hn::Set(d, 1.0);
    for (int l = 0; l <= shell.l; ++l) {
      hn::Store(px, d, powers[0][l]);
      hn::Store(py, d, powers[1][l]);
      hn::Store(pz, d, powers[2][l]);
      px = hn::Mul(px, x);
      py = hn::Mul(py, y);
      pz = hn::Mul(pz, z);
    }
    double* to = out + n;
    for (int i = shell.l; i >= 0; --i) {
      const auto xi = hn::Load(d, powers[0][i]);
      for (int j = shell.l - i; j >= 0; --j, to += density_points) {
        const auto xy = hn::Mul(xi, hn::Load(d, powers[1][j]));
        hn::Store(hn::Mul(xy, hn::Load(d, powers[2][shell.l - i - j])), d, to);
      }
    }
  }
}

/// Adds w |psi|^2 of all orbitals: four orbitals and two vectors of points at once stay in registers.
HWY_ATTR void add_orbitals(const DensityFunctions& all, FunctionTile& tile) {
  const hn::CappedTag<double, density_points / 2> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int n = 0; n < density_points; n += 2 * lanes) {
    auto density0 = hn::Load(d, tile.density + n), density1 = hn::Load(d, tile.density + n + lanes);
    auto absolute0 = hn::Load(d, tile.absolute + n), absolute1 = hn::Load(d, tile.absolute + n + lanes);
    const auto add = [&](double weight, auto psi0, auto psi1) HWY_ATTR {
      const auto w = hn::Set(d, weight), positive = hn::Set(d, std::abs(weight));
      const auto p0 = hn::Mul(psi0, psi0), p1 = hn::Mul(psi1, psi1);
      density0 = hn::MulAdd(w, p0, density0);
      density1 = hn::MulAdd(w, p1, density1);
      absolute0 = hn::MulAdd(positive, p0, absolute0);
      absolute1 = hn::MulAdd(positive, p1, absolute1);
    };
    four_orbitals(d, tile.rows, all.orbitals, tile.values.data() + n, density_points,
                  [&](std::size_t i, auto a0, auto a1, auto b0, auto b1, auto c0, auto c1, auto e0, auto e1) HWY_ATTR {
                    if (!tile.psi.empty())
                      store_four(d, tile.psi.data() + i * density_points + n, density_points, a0, a1, b0, b1, c0, c1,
                                 e0, e1);
                    add(all.weights[i], a0, a1);
                    add(all.weights[i + 1], b0, b1);
                    add(all.weights[i + 2], c0, c1);
                    add(all.weights[i + 3], e0, e1);
                  });
    hn::Store(density0, d, tile.density + n);
    hn::Store(density1, d, tile.density + n + lanes);
    hn::Store(absolute0, d, tile.absolute + n);
    hn::Store(absolute1, d, tile.absolute + n + lanes);
  }
}

HWY_ATTR void evaluate(const DensityFunctions& all, FunctionTile& tile) {
  std::size_t functions = 0;
  for (const std::uint32_t s : tile.shells) {
    functions += static_cast<std::size_t>((all.shells[s].l + 1) * (all.shells[s].l + 2) / 2);
  }
  // Room for the vectors to begin on a boundary of 64 bytes is not needed: loads of values are unaligned.
  if (tile.values.size() < functions * density_points) tile.values.resize(functions * density_points);
  tile.rows.clear();
  for (const std::uint32_t s : tile.shells) {
    const DensityShell& shell = all.shells[s];
    alignas(64) double values[28 * density_points];
    shell_values(all, shell, tile, values);
    const int count = (shell.l + 1) * (shell.l + 2) / 2;
    std::copy_n(values, count * density_points, tile.values.data() + tile.rows.size() * density_points);
    for (int c = 0; c < count; ++c) {
      tile.rows.push_back(all.coefficients.data() +
                          (shell.first_function + static_cast<std::size_t>(c)) * all.orbitals);
    }
  }
  add_orbitals(all, tile);
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(evaluate);

void add_density(const DensityFunctions& functions, FunctionTile& tile) {
  HWY_DYNAMIC_DISPATCH(evaluate)(functions, tile);
}

}  // namespace isolume
#endif  // HWY_ONCE
