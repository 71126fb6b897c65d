// What pocketfft includes, and ISOLUME_FFT_BODY: an FftBody of a copy of pocketfft.
#pragma once

// These come before pocketfft, so that only its own code is built for the wider instruction sets.
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

#include "compute/fft/fft_body.h"

#define POCKETFFT_CACHE_SIZE 8
// pocketfft asks for sizes that are no multiple of the alignment, which the standard requires.
#define aligned_alloc(alignment, size) \
  std::aligned_alloc(alignment, ((size) + (alignment)-1) / (alignment) * (alignment))

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#pragma GCC diagnostic ignored "-Wunused-parameter"

/// Defines the body `name` by the pocketfft in the namespace `pocketfft_copy`: every body has a copy of its own,
/// because functions of the same name would be one function in the program.
#define ISOLUME_FFT_BODY(name, pocketfft_copy)                                                                     \
  namespace isolume {                                                                                              \
  const FftBody name = {                                                                                           \
      [](const FftShape& shape, const FftStrides& from, const FftStrides& to, const float* real,                   \
         std::complex<float>* spectrum,                                                                            \
         std::size_t threads) { pocketfft_copy::r2c(shape, from, to, 2, true, real, spectrum, 1.0f, threads); },   \
      [](const FftShape& shape, const FftStrides& from, const FftStrides& to, const std::complex<float>* spectrum, \
         float* real,                                                                                              \
         std::size_t threads) { pocketfft_copy::c2r(shape, from, to, 2, false, spectrum, real, 1.0f, threads); },  \
      [](std::size_t axis, bool forward, const FftShape& shape, const FftStrides& strides,                         \
         std::complex<float>* spectrum, std::size_t threads) {                                                     \
        pocketfft_copy::c2c(shape, strides, strides, {axis}, forward, spectrum, spectrum, 1.0f, threads);          \
      },                                                                                                           \
  };                                                                                                               \
  }
