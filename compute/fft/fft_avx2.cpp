// Fourier transforms by pocketfft, for AVX2.
#include "compute/fft/fft_pocketfft.h"

#ifdef ISOLUME_FFT_WIDE
#pragma GCC push_options
#pragma GCC target("avx2,fma")
// The pragma defines this too, but not where a compiler cache preprocesses by itself.
#ifndef __AVX__
#define __AVX__ 1
#endif
#define pocketfft pocketfft_avx2
#include <gemmi/third_party/pocketfft_hdronly.h>
#undef pocketfft
#pragma GCC pop_options

ISOLUME_FFT_BODY(fft_avx2, pocketfft_avx2)
#endif
