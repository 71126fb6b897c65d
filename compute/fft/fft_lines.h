// Complex Fourier transforms of many lines at once, a line in each lane of vectors. For Highway's foreach_target, once
// for each target.
// NOLINTNEXTLINE(llvm-header-guard)
#if defined(ISOLUME_FFT_LINES) == defined(HWY_TARGET_TOGGLE)
#ifdef ISOLUME_FFT_LINES
#undef ISOLUME_FFT_LINES
#else
#define ISOLUME_FFT_LINES
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <utility>

#include "compute/fft/fft_plan.h"

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FftD = hn::CappedTag<float, fft_lanes>;
using FftV = hn::Vec<FftD>;

struct FftNumber {
  FftV re, im;
};
HWY_INLINE FftNumber operator+(FftNumber a, FftNumber b) {
  return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
}
HWY_INLINE FftNumber operator-(FftNumber a, FftNumber b) {
  return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)};
}
/// -i a.
HWY_INLINE FftNumber turned(FftNumber a) {
  return {a.im, hn::Neg(a.re)};
}
HWY_INLINE FftNumber times(FftNumber a, float re, float im) {
  const FftD d;
  const FftV wr = hn::Set(d, re), wi = hn::Set(d, im);
  return {hn::NegMulAdd(a.im, wi, hn::Mul(a.re, wr)), hn::MulAdd(a.re, wi, hn::Mul(a.im, wr))};
}

HWY_INLINE void fft_butterfly(FftNumber (&x)[2]) {
  const FftNumber sum = x[0] + x[1];
  x[1] = x[0] - x[1];
  x[0] = sum;
}
HWY_INLINE void fft_butterfly(FftNumber (&x)[4]) {
  const FftNumber a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3], d = x[1] - x[3];
  x[0] = a + c;
  x[2] = a - c;
  x[1] = {hn::Add(b.re, d.im), hn::Sub(b.im, d.re)};
  x[3] = {hn::Sub(b.re, d.im), hn::Add(b.im, d.re)};
}
HWY_INLINE void fft_butterfly(FftNumber (&x)[8]) {
  FftNumber even[4] = {x[0], x[2], x[4], x[6]}, odd[4] = {x[1], x[3], x[5], x[7]};
  fft_butterfly(even);
  fft_butterfly(odd);
  const FftD d;
  const FftV half = hn::Set(d, 0.70710678118654752f);
  odd[1] = {hn::Mul(half, hn::Add(odd[1].re, odd[1].im)), hn::Mul(half, hn::Sub(odd[1].im, odd[1].re))};
  odd[2] = turned(odd[2]);
  odd[3] = {hn::Mul(half, hn::Sub(odd[3].im, odd[3].re)), hn::Mul(half, hn::Neg(hn::Add(odd[3].re, odd[3].im)))};
  for (int k = 0; k < 4; ++k) {
    x[k] = even[k] + odd[k];
    x[k + 4] = even[k] - odd[k];
  }
}
/// 3, 5 and 7: by the sums and differences of the places j and r - j.
template <int radix>
HWY_INLINE void fft_butterfly(FftNumber (&x)[radix]) {
  const FftD d;
  constexpr int half = radix / 2;
  FftNumber sums[half], differences[half];
  FftNumber first = x[0];
#pragma GCC unroll 8
  for (int j = 0; j < half; ++j) {
    sums[j] = x[j + 1] + x[radix - 1 - j];
    differences[j] = x[j + 1] - x[radix - 1 - j];
    first = first + sums[j];
  }
#pragma GCC unroll 8
  for (int k = 1; k <= half; ++k) {
    FftNumber even = x[0];
    FftNumber odd{hn::Zero(d), hn::Zero(d)};
#pragma GCC unroll 8
    for (int j = 1; j <= half; ++j) {
      const FftV c = hn::Set(d, FftRoots<radix>::cosine[j * k % radix]);
      const FftV s = hn::Set(d, FftRoots<radix>::sine[j * k % radix]);
      even.re = hn::MulAdd(c, sums[j - 1].re, even.re);
      even.im = hn::MulAdd(c, sums[j - 1].im, even.im);
      odd.re = hn::MulAdd(s, differences[j - 1].im, odd.re);
      odd.im = hn::NegMulAdd(s, differences[j - 1].re, odd.im);
    }
    // In places that are no longer read: the sums are.
    x[k] = even + odd;
    x[radix - k] = even - odd;
  }
  x[0] = first;
}

/// One stage of Stockham's transform: numbers q + s (p + m j), j below the radix, become q + s (radix p + k).
template <int radix>
void fft_stage(const FftStage& stage, const float* in, std::size_t in_stride, float* out, std::size_t out_stride,
               std::size_t re, std::size_t im) {
  const FftD d;
  const std::size_t s = stage.before, m = stage.after;
  const float* w = stage.factors.data();
  for (std::size_t p = 0; p < m; ++p, w += 2 * (radix - 1)) {
    for (std::size_t q = 0; q < s; ++q) {
      FftNumber x[radix];
#pragma GCC unroll 8
      for (std::size_t j = 0; j < radix; ++j) {
        const float* const from = in + (q + s * (p + m * j)) * in_stride;
        x[j] = {hn::Load(d, from + re), hn::Load(d, from + im)};
      }
      fft_butterfly(x);
      float* const to = out + (q + s * radix * p) * out_stride;
      hn::Store(x[0].re, d, to + re);
      hn::Store(x[0].im, d, to + im);
#pragma GCC unroll 8
      for (std::size_t k = 1; k < radix; ++k) {
        if (p > 0) x[k] = times(x[k], w[2 * k - 2], w[2 * k - 1]);
        hn::Store(x[k].re, d, to + s * k * out_stride + re);
        hn::Store(x[k].im, d, to + s * k * out_stride + im);
      }
    }
  }
}

/// Transforms fft_lanes lines: number k of a line is at in + k * in_stride, real parts of all lanes and then imaginary
/// ones; exp(-2 pi i jk/n), or +2 pi i where `inverse`. `work` is as long as a line; in, out and work are apart.
inline void fft_lines(const FftPlan& plan, bool inverse, const float* in, std::size_t in_stride, float* out,
                      std::size_t out_stride, float* work) {
  const FftD d;
  constexpr std::size_t number = 2 * fft_lanes;
  const std::size_t count = plan.stages.size();
  for (std::size_t lane = 0; lane < fft_lanes; lane += hn::Lanes(d)) {
    // The inverse transform is the transform of numbers whose parts have changed places.
    const std::size_t re = lane + (inverse ? fft_lanes : 0), im = lane + (inverse ? 0 : fft_lanes);
    const float* from = in;
    std::size_t from_stride = in_stride;
    for (std::size_t i = 0; i < count; ++i) {
      const bool to_out = (count - 1 - i) % 2 == 0;
      float* const to = to_out ? out : work;
      const std::size_t to_stride = to_out ? out_stride : number;
      const FftStage& stage = plan.stages[i];
      switch (stage.radix) {
        case 2:
          fft_stage<2>(stage, from, from_stride, to, to_stride, re, im);
          break;
        case 3:
          fft_stage<3>(stage, from, from_stride, to, to_stride, re, im);
          break;
        case 4:
          fft_stage<4>(stage, from, from_stride, to, to_stride, re, im);
          break;
        case 5:
          fft_stage<5>(stage, from, from_stride, to, to_stride, re, im);
          break;
        case 7:
          fft_stage<7>(stage, from, from_stride, to, to_stride, re, im);
          break;
        default:
          fft_stage<8>(stage, from, from_stride, to, to_stride, re, im);
          break;
      }
      from = to;
      from_stride = to_stride;
    }
  }
}

/// A block of 16 x 16 numbers: value c of from(r) becomes value r of to(c).
template <class From, class To>
HWY_INLINE void fft_transpose(const From& from, const To& to) {
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t r = 0; r < fft_lanes; ++r) {
    for (std::size_t c = 0; c < fft_lanes; ++c) to(c)[r] = from(r)[c];
  }
#else
  const hn::FixedTag<float, 4> d;
  const hn::Repartition<double, decltype(d)> pairs;
  for (std::size_t r = 0; r < fft_lanes; r += 4) {
    const float* const rows[4] = {from(r), from(r + 1), from(r + 2), from(r + 3)};
    for (std::size_t c = 0; c < fft_lanes; c += 4) {
      const auto v0 = hn::LoadU(d, rows[0] + c), v1 = hn::LoadU(d, rows[1] + c);
      const auto v2 = hn::LoadU(d, rows[2] + c), v3 = hn::LoadU(d, rows[3] + c);
      const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(d, v0, v1));
      const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(d, v2, v3));
      const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(d, v0, v1));
      const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(d, v2, v3));
      hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, low01, low23)), d, to(c) + r);
      hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, low01, low23)), d, to(c + 1) + r);
      hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, high01, high23)), d, to(c + 2) + r);
      hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, high01, high23)), d, to(c + 3) + r);
    }
  }
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#endif  // ISOLUME_FFT_LINES
