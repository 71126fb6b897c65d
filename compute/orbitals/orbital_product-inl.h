// Orbitals at a block of points as a product of coefficients with functions, in SIMD: for each target of Highway,
// inside a body. It has no guard: a body includes it once for each target.
#include <hwy/highway.h>
#include <cstddef>
#include <span>

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {

/// Calls store(i, a0, a1, b0, b1, c0, c1, e0, e1) for orbitals i to i + 3, for i = 0, 4, ... below `orbitals` (a
/// multiple of 4), with their values at two vectors of points: sum_f rows[f][i] values[f]. Values of functions are
/// `stride` apart. Four orbitals and two vectors stay in registers.
template <class D, class Store>
HWY_ATTR void four_orbitals(D d, std::span<const double* const> rows, std::size_t orbitals, const double* values,
                            std::size_t stride, const Store& store) {
  namespace hn = hwy::HWY_NAMESPACE;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < orbitals; i += 4) {
    auto a0 = hn::Zero(d), a1 = hn::Zero(d), b0 = hn::Zero(d), b1 = hn::Zero(d);
    auto c0 = hn::Zero(d), c1 = hn::Zero(d), e0 = hn::Zero(d), e1 = hn::Zero(d);
    const double* from = values;
    for (const double* whole_row : rows) {
      const double* row = whole_row + i;
      const auto v0 = hn::LoadU(d, from), v1 = hn::LoadU(d, from + lanes);
      const auto w0 = hn::Set(d, row[0]), w1 = hn::Set(d, row[1]), w2 = hn::Set(d, row[2]), w3 = hn::Set(d, row[3]);
      a0 = hn::MulAdd(w0, v0, a0);
      a1 = hn::MulAdd(w0, v1, a1);
      b0 = hn::MulAdd(w1, v0, b0);
      b1 = hn::MulAdd(w1, v1, b1);
      c0 = hn::MulAdd(w2, v0, c0);
      c1 = hn::MulAdd(w2, v1, c1);
      e0 = hn::MulAdd(w3, v0, e0);
      e1 = hn::MulAdd(w3, v1, e1);
      from += stride;
    }
    store(i, a0, a1, b0, b1, c0, c1, e0, e1);
  }
}

/// Stores what four_orbitals() gives: orbital after orbital, `stride` apart.
template <class D, class V>
HWY_ATTR void store_four(D d, double* to, std::size_t stride, V a0, V a1, V b0, V b1, V c0, V c1, V e0, V e1) {
  namespace hn = hwy::HWY_NAMESPACE;
  const std::size_t lanes = hn::Lanes(d);
  hn::StoreU(a0, d, to);
  hn::StoreU(a1, d, to + lanes);
  hn::StoreU(b0, d, to + stride);
  hn::StoreU(b1, d, to + stride + lanes);
  hn::StoreU(c0, d, to + 2 * stride);
  hn::StoreU(c1, d, to + 2 * stride + lanes);
  hn::StoreU(e0, d, to + 3 * stride);
  hn::StoreU(e1, d, to + 3 * stride + lanes);
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();
