// Real Fourier transforms on the CPU by pocketfft (BSD, part of gemmi-dev), built for three instruction sets.
#include "compute/fft/fft_cpu.h"

// Everything that pocketfft includes comes first, so that only its own code is built for the wider instruction sets.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <queue>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "compute/base/device.h"

#define POCKETFFT_CACHE_SIZE 8
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define pocketfft pocketfft_base
#include <gemmi/third_party/pocketfft_hdronly.h>
#undef pocketfft

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define ISOLUME_FFT_WIDE
#undef POCKETFFT_HDRONLY_H
#pragma GCC push_options
#pragma GCC target("avx2,fma")
// The pragma defines these too, but not where a compiler cache preprocesses by itself.
#ifndef __AVX__
#define __AVX__ 1
#define ISOLUME_AVX
#endif
#define pocketfft pocketfft_avx2
#include <gemmi/third_party/pocketfft_hdronly.h>
#undef pocketfft
#ifdef ISOLUME_AVX
#undef __AVX__
#endif
#pragma GCC pop_options
#undef POCKETFFT_HDRONLY_H
#pragma GCC push_options
#pragma GCC target("avx2,fma,avx512f,avx512vl,avx512dq,avx512bw")
#ifndef __AVX512F__
#define __AVX512F__ 1
#define ISOLUME_AVX512F
#endif
#define pocketfft pocketfft_avx512
#include <gemmi/third_party/pocketfft_hdronly.h>
#undef pocketfft
#ifdef ISOLUME_AVX512F
#undef __AVX512F__
#endif
#pragma GCC pop_options
#endif
#pragma GCC diagnostic pop

namespace isolume {

namespace {

using Shape = std::vector<std::size_t>;
using Strides = std::vector<std::ptrdiff_t>;
using Complex = std::complex<float>;

/// Strides in bytes of an array x fastest, slowest axis first.
Strides strides(std::size_t nx, glm::ivec3 n, std::size_t bytes) {
  return {static_cast<std::ptrdiff_t>(nx * static_cast<std::size_t>(n.y) * bytes),
          static_cast<std::ptrdiff_t>(nx * bytes), static_cast<std::ptrdiff_t>(bytes)};
}

#ifdef ISOLUME_FFT_WIDE
int width() {
  static const int found = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                                   __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")
                               ? 16
                           : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 8
                                                                                             : 4;
  return found;
}
#endif

// One axis at a time, by the widest instructions.
void rows_forward(const Shape& shape, const Strides& from, const Strides& to, const float* real, Complex* spectrum) {
  const auto threads = static_cast<std::size_t>(thread_count());
#ifdef ISOLUME_FFT_WIDE
  if (width() == 16) return pocketfft_avx512::r2c(shape, from, to, 2, true, real, spectrum, 1.0f, threads);
  if (width() == 8) return pocketfft_avx2::r2c(shape, from, to, 2, true, real, spectrum, 1.0f, threads);
#endif
  pocketfft_base::r2c(shape, from, to, 2, true, real, spectrum, 1.0f, threads);
}

void rows_backward(const Shape& shape, const Strides& from, const Strides& to, const Complex* spectrum, float* real) {
  const auto threads = static_cast<std::size_t>(thread_count());
#ifdef ISOLUME_FFT_WIDE
  if (width() == 16) return pocketfft_avx512::c2r(shape, from, to, 2, false, spectrum, real, 1.0f, threads);
  if (width() == 8) return pocketfft_avx2::c2r(shape, from, to, 2, false, spectrum, real, 1.0f, threads);
#endif
  pocketfft_base::c2r(shape, from, to, 2, false, spectrum, real, 1.0f, threads);
}

void along(std::size_t axis, bool forward, const Shape& shape, const Strides& strides, Complex* spectrum) {
  const auto threads = static_cast<std::size_t>(thread_count());
#ifdef ISOLUME_FFT_WIDE
  if (width() == 16) {
    return pocketfft_avx512::c2c(shape, strides, strides, {axis}, forward, spectrum, spectrum, 1.0f, threads);
  }
  if (width() == 8) {
    return pocketfft_avx2::c2c(shape, strides, strides, {axis}, forward, spectrum, spectrum, 1.0f, threads);
  }
#endif
  pocketfft_base::c2c(shape, strides, strides, {axis}, forward, spectrum, spectrum, 1.0f, threads);
}

/// Calls part(first, count) for stretches of `shape`'s axis `axis` of some four million numbers, and checks the job
/// before each.
template <class Part>
void in_parts(const Shape& shape, std::size_t axis, const Job* job, const Part& part) {
  constexpr std::size_t most = std::size_t{1} << 22;
  const std::size_t others =
      std::max<std::size_t>(1, shape[0] * shape[1] * shape[2] / std::max<std::size_t>(1, shape[axis]));
  const std::size_t step = std::max<std::size_t>(1, most / others);
  for (std::size_t first = 0; first < shape[axis]; first += step) {
    if (job) job->check();
    part(first, std::min(step, shape[axis] - first));
  }
}

/// The complex transforms along z (axis 0) and y (axis 1) of a spectrum, in place.
void planes(bool forward, const Shape& half, const Strides& strides, Complex* spectrum, const Job* job) {
  for (const std::size_t axis : {std::size_t{1}, std::size_t{0}}) {
    const std::size_t other = 1 - axis;
    in_parts(half, other, job, [&](std::size_t first, std::size_t count) {
      Shape part = half;
      part[other] = count;
      along(axis, forward, part, strides,
            spectrum +
                static_cast<std::ptrdiff_t>(first) * (strides[other] / static_cast<std::ptrdiff_t>(sizeof(Complex))));
    });
  }
}

}  // namespace

void fft_forward(glm::ivec3 n, const float* real, Complex* spectrum, int stride, const Job* job) {
  const Shape shape{static_cast<std::size_t>(n.z), static_cast<std::size_t>(n.y), static_cast<std::size_t>(n.x)};
  const Shape half{shape[0], shape[1], shape[2] / 2 + 1};
  const std::size_t row = stride > 0 ? static_cast<std::size_t>(stride) : shape[2];
  const Strides from = strides(row, n, sizeof(float));
  const Strides to = strides(half[2], n, sizeof(Complex));
  in_parts(shape, 0, job, [&](std::size_t first, std::size_t count) {
    rows_forward({count, shape[1], shape[2]}, from, to, real + first * row * shape[1],
                 spectrum + first * half[2] * shape[1]);
  });
  planes(true, half, to, spectrum, job);
}

void fft_backward(glm::ivec3 n, Complex* spectrum, float* real, int stride, const Job* job) {
  const Shape shape{static_cast<std::size_t>(n.z), static_cast<std::size_t>(n.y), static_cast<std::size_t>(n.x)};
  const Shape half{shape[0], shape[1], shape[2] / 2 + 1};
  const std::size_t row = stride > 0 ? static_cast<std::size_t>(stride) : shape[2];
  const Strides from = strides(half[2], n, sizeof(Complex));
  const Strides to = strides(row, n, sizeof(float));
  // Several axes at once would copy the spectrum; in place over y and z, then rows.
  planes(false, half, from, spectrum, job);
  in_parts(shape, 0, job, [&](std::size_t first, std::size_t count) {
    rows_backward({count, shape[1], shape[2]}, from, to, spectrum + first * half[2] * shape[1],
                  real + first * row * shape[1]);
  });
}

}  // namespace isolume
