// Fourier transforms by pocketfft, for the compiler's own instruction set.
#include "compute/fft/fft_pocketfft.h"

#define pocketfft pocketfft_base
#include <gemmi/third_party/pocketfft_hdronly.h>
#undef pocketfft

ISOLUME_FFT_BODY(fft_base, pocketfft_base)
