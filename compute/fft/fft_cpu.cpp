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

#include "compute/device.h"

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

using Strides = std::vector<std::ptrdiff_t>;

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

}  // namespace

void fft_forward(glm::ivec3 n, const float* real, std::complex<float>* spectrum, int stride) {
  const std::vector<std::size_t> shape{static_cast<std::size_t>(n.z), static_cast<std::size_t>(n.y),
                                       static_cast<std::size_t>(n.x)};
  const Strides from = strides(stride > 0 ? static_cast<std::size_t>(stride) : shape[2], n, sizeof(float));
  const Strides to = strides(shape[2] / 2 + 1, n, sizeof(std::complex<float>));
  const std::vector<std::size_t> axes{0, 1, 2};
  const auto threads = static_cast<std::size_t>(thread_count());
#ifdef ISOLUME_FFT_WIDE
  if (width() == 16) return pocketfft_avx512::r2c(shape, from, to, axes, true, real, spectrum, 1.0f, threads);
  if (width() == 8) return pocketfft_avx2::r2c(shape, from, to, axes, true, real, spectrum, 1.0f, threads);
#endif
  pocketfft_base::r2c(shape, from, to, axes, true, real, spectrum, 1.0f, threads);
}

void fft_backward(glm::ivec3 n, std::complex<float>* spectrum, float* real, int stride) {
  const std::vector<std::size_t> shape{static_cast<std::size_t>(n.z), static_cast<std::size_t>(n.y),
                                       static_cast<std::size_t>(n.x)};
  const std::vector<std::size_t> half{shape[0], shape[1], shape[2] / 2 + 1};
  const Strides from = strides(half[2], n, sizeof(std::complex<float>));
  const Strides to = strides(stride > 0 ? static_cast<std::size_t>(stride) : shape[2], n, sizeof(float));
  const auto threads = static_cast<std::size_t>(thread_count());
  // c2r over several axes would copy the spectrum; in place over z and y, then rows.
#ifdef ISOLUME_FFT_WIDE
  if (width() == 16) {
    pocketfft_avx512::c2c(half, from, from, {0, 1}, false, spectrum, spectrum, 1.0f, threads);
    return pocketfft_avx512::c2r(shape, from, to, 2, false, spectrum, real, 1.0f, threads);
  }
  if (width() == 8) {
    pocketfft_avx2::c2c(half, from, from, {0, 1}, false, spectrum, spectrum, 1.0f, threads);
    return pocketfft_avx2::c2r(shape, from, to, 2, false, spectrum, real, 1.0f, threads);
  }
#endif
  pocketfft_base::c2c(half, from, from, {0, 1}, false, spectrum, spectrum, 1.0f, threads);
  pocketfft_base::c2r(shape, from, to, 2, false, spectrum, real, 1.0f, threads);
}

}  // namespace isolume
