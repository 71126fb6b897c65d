// The transforms of pocketfft (BSD, part of gemmi-dev), built once for each instruction set.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace isolume {

using FftShape = std::vector<std::size_t>;       ///< slowest axis first
using FftStrides = std::vector<std::ptrdiff_t>;  ///< bytes

/// Complex transforms along axis 2 of real rows, forward and backward, and along one axis, in place.
struct FftBody {
  void (*rows_forward)(const FftShape& shape, const FftStrides& from, const FftStrides& to, const float* real,
                       std::complex<float>* spectrum, std::size_t threads);
  void (*rows_backward)(const FftShape& shape, const FftStrides& from, const FftStrides& to,
                        const std::complex<float>* spectrum, float* real, std::size_t threads);
  void (*along)(std::size_t axis, bool forward, const FftShape& shape, const FftStrides& strides,
                std::complex<float>* spectrum, std::size_t threads);
};

// Wider instruction sets than the compiler's own need GCC's pragma for the target of functions.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define ISOLUME_FFT_WIDE
#endif

extern const FftBody fft_base;
#ifdef ISOLUME_FFT_WIDE
extern const FftBody fft_avx2;
extern const FftBody fft_avx512;
#endif

}  // namespace isolume
