// The passes of MeshConvolution in vectors.
#include "compute/fft/mesh_convolution_cpu.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/fft/mesh_convolution_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "compute/fft/fft_lines.h"

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {

using View = MeshConvolution::View;
inline constexpr std::size_t number = 2 * fft_lanes;  ///< floats of a number in all lanes

/// A thread's room: three lines, each of the longest length in whole blocks.
struct Lines {
  float *a, *b, *work;
  Lines(const View& view, float* room) {
    const std::size_t each = convolution_room(view) / 3;
    a = room;
    b = room + each;
    work = room + 2 * each;
  }
};

/// From the transform of half length, whose numbers are pairs of real ones, to twice the half spectrum.
void split_spectrum(const View& view, const float* in, float* out) {
  const FftD d;
  const auto h = static_cast<std::size_t>(view.half);
  for (std::size_t k = 0; 2 * k <= h; ++k) {
    const float* const x = in + k * number;
    const float* const y = in + (k == 0 ? 0 : h - k) * number;
    float* const low = out + k * number;
    float* const high = out + (h - k) * number;
    const auto wr = hn::Set(d, view.turns[2 * k]), wi = hn::Set(d, view.turns[2 * k + 1]);
    for (std::size_t lane = 0; lane < fft_lanes; lane += hn::Lanes(d)) {
      const auto xr = hn::Load(d, x + lane), xi = hn::Load(d, x + fft_lanes + lane);
      const auto yr = hn::Load(d, y + lane), yi = hn::Load(d, y + fft_lanes + lane);
      const auto ar = hn::Add(xr, yr), ai = hn::Sub(xi, yi);
      const auto br = hn::Sub(xr, yr), bi = hn::Add(xi, yi);
      const auto tr = hn::NegMulAdd(bi, wi, hn::Mul(br, wr)), ti = hn::MulAdd(br, wi, hn::Mul(bi, wr));
      hn::Store(hn::Add(ar, ti), d, low + lane);
      hn::Store(hn::Sub(ai, tr), d, low + fft_lanes + lane);
      hn::Store(hn::Sub(ar, ti), d, high + lane);
      hn::Store(hn::Neg(hn::Add(ai, tr)), d, high + fft_lanes + lane);
    }
  }
}

/// The way back, without a factor.
void join_spectrum(const View& view, const float* in, float* out) {
  const FftD d;
  const auto h = static_cast<std::size_t>(view.half);
  for (std::size_t k = 0; 2 * k <= h; ++k) {
    const float* const x = in + k * number;
    const float* const y = in + (h - k) * number;
    float* const low = out + k * number;
    float* const high = out + (k == 0 ? 0 : h - k) * number;
    const auto wr = hn::Set(d, view.turns[2 * k]), wi = hn::Set(d, view.turns[2 * k + 1]);
    for (std::size_t lane = 0; lane < fft_lanes; lane += hn::Lanes(d)) {
      const auto xr = hn::Load(d, x + lane), xi = hn::Load(d, x + fft_lanes + lane);
      const auto yr = hn::Load(d, y + lane), yi = hn::Load(d, y + fft_lanes + lane);
      const auto ar = hn::Add(xr, yr), ai = hn::Sub(xi, yi);
      const auto br = hn::Sub(xr, yr), bi = hn::Add(xi, yi);
      // By the conjugate of w.
      const auto tr = hn::MulAdd(bi, wi, hn::Mul(br, wr)), ti = hn::NegMulAdd(br, wi, hn::Mul(bi, wr));
      if (k > 0) {
        hn::Store(hn::Add(ar, ti), d, high + lane);
        hn::Store(hn::Sub(tr, ai), d, high + fft_lanes + lane);
      }
      hn::Store(hn::Sub(ar, ti), d, low + lane);
      hn::Store(hn::Add(ai, tr), d, low + fft_lanes + lane);
    }
  }
}

void rows(const View& view, bool back, std::size_t slab, std::size_t y, float* values, std::size_t stride,
          float* room) {
  const hn::CappedTag<float, 8> d8;
  const Lines lines(view, room);
  const auto n = static_cast<std::size_t>(view.n.x);
  const std::size_t first = slab * fft_lanes;
  const std::size_t count = std::min(fft_lanes, static_cast<std::size_t>(view.n.z) - first);
  const std::size_t plane = stride * static_cast<std::size_t>(view.n.y);
  const auto row = [&](std::size_t z) { return values + (first + std::min(z, count - 1)) * plane + y * stride; };
  float* const spectrum = view.plane(slab, y);
  if (!back) {
    for (std::size_t z = 0; z < count; ++z) {
      float* const to = row(z);
      for (std::size_t x = 0; x < 8; x += hn::Lanes(d8)) {
        hn::StoreU(hn::Add(hn::LoadU(d8, to + x), hn::LoadU(d8, to + n + x)), d8, to + x);
      }
    }
    for (std::size_t x = 0; x < n; x += fft_lanes) {
      fft_transpose([&](std::size_t z) { return row(z) + x; },
                    [&](std::size_t c) { return lines.a + (x + c) * fft_lanes; });
    }
    fft_lines(*view.along_x, false, lines.a, number, lines.b, number, lines.work);
    split_spectrum(view, lines.b, spectrum);
    return;
  }
  join_spectrum(view, spectrum, lines.a);
  fft_lines(*view.along_x, true, lines.a, number, lines.b, number, lines.work);
  for (std::size_t x = 0; x < n; x += fft_lanes) {
    // Rows that are not there go where no one reads.
    fft_transpose([&](std::size_t c) { return lines.b + (x + c) * fft_lanes; },
                  [&](std::size_t z) { return z < count ? row(z) + x : lines.work; });
  }
  for (std::size_t z = 0; z < count; ++z) {
    float* const from = row(z);
    for (std::size_t x = 0; x < 8; x += hn::Lanes(d8)) hn::StoreU(hn::LoadU(d8, from + x), d8, from + n + x);
  }
}

void columns(const View& view, bool back, std::size_t slab, std::size_t i, float* room) {
  const Lines lines(view, room);
  const std::size_t step = static_cast<std::size_t>(view.half + 1) * number;
  const std::size_t first = slab * fft_lanes;
  const std::size_t count = std::min(fft_lanes, static_cast<std::size_t>(view.n.z) - first);
  float* const column = view.plane(slab, 0) + i * number;
  if (!back) fft_lines(*view.along_y, false, column, step, lines.a, number, lines.work);
  for (std::size_t block = 0; block < view.blocks; ++block) {
    float* const line = view.spectrum + (view.line(i, block) + first) * number;
    float* const mine = lines.a + block * fft_lanes * number;
    for (std::size_t part = 0; part < number; part += fft_lanes) {
      // Lanes beyond the last z go where no one reads, or come from the last.
      const auto of_line = [&](std::size_t z) { return line + std::min(z, count - 1) * number + part; };
      if (back) {
        fft_transpose(of_line, [&](std::size_t y) { return mine + y * number + part; });
      } else {
        fft_transpose([&](std::size_t y) { return mine + y * number + part; },
                      [&](std::size_t z) { return z < count ? of_line(z) : lines.work; });
      }
    }
  }
  if (back) fft_lines(*view.along_y, true, lines.a, number, column, step, lines.work);
}

void lines_of(const View& view, std::size_t i, std::size_t block, const MeshConvolution::Look& look, float* room) {
  const FftD d;
  const Lines lines(view, room);
  float* const line = view.spectrum + view.line(i, block) * number;
  const float* const factors = view.factors + view.line(i, block) * fft_lanes;
  const auto n = static_cast<std::size_t>(view.n.z);
  fft_lines(*view.along_z, false, line, number, lines.a, number, lines.work);
  if (look) {
    const auto j0 = static_cast<int>(block * fft_lanes);
    look({static_cast<int>(i), j0, std::min(static_cast<int>(fft_lanes), view.n.y - j0), lines.a, factors});
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t lane = 0; lane < fft_lanes; lane += hn::Lanes(d)) {
      const auto f = hn::Load(d, factors + k * fft_lanes + lane);
      float* const re = lines.a + k * number + lane;
      hn::Store(hn::Mul(f, hn::Load(d, re)), d, re);
      hn::Store(hn::Mul(f, hn::Load(d, re + fft_lanes)), d, re + fft_lanes);
    }
  }
  fft_lines(*view.along_z, true, lines.a, number, line, number, lines.work);
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(rows);
HWY_EXPORT(columns);
HWY_EXPORT(lines_of);

std::size_t convolution_room(const MeshConvolution::View& view) {
  const auto longest = static_cast<std::size_t>(std::max({view.half + 1, view.n.y, view.n.z}));
  return 3 * ((longest + fft_lanes - 1) / fft_lanes * fft_lanes) * 2 * fft_lanes;
}

void convolve_rows(const MeshConvolution::View& view, bool back, std::size_t slab, std::size_t y, float* values,
                   std::size_t stride, float* room) {
  HWY_DYNAMIC_DISPATCH(rows)(view, back, slab, y, values, stride, room);
}
void convolve_columns(const MeshConvolution::View& view, bool back, std::size_t slab, std::size_t i, float* room) {
  HWY_DYNAMIC_DISPATCH(columns)(view, back, slab, i, room);
}
void convolve_lines(const MeshConvolution::View& view, std::size_t i, std::size_t block,
                    const MeshConvolution::Look& look, float* room) {
  HWY_DYNAMIC_DISPATCH(lines_of)(view, i, block, look, room);
}

}  // namespace isolume
#endif  // HWY_ONCE
