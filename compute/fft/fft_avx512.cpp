// Fourier transforms by pocketfft, for AVX-512.
#include "compute/fft/fft_pocketfft.h"

#ifdef ISOLUME_FFT_WIDE
#pragma GCC push_options
#pragma GCC target("avx2,fma,avx512f,avx512vl,avx512dq,avx512bw")
// The pragma defines this too, but not where a compiler cache preprocesses by itself.
#ifndef __AVX512F__
#define __AVX512F__ 1
#endif
#define pocketfft pocketfft_avx512
#include <gemmi/third_party/pocketfft_hdronly.h>
#undef pocketfft
#pragma GCC pop_options

ISOLUME_FFT_BODY(fft_avx512, pocketfft_avx512)
#endif
