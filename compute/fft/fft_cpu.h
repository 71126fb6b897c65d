// Real Fourier transforms in three dimensions on the CPU.
#pragma once

#include <complex>
#include <cstddef>
#include <glm/glm.hpp>

#include "compute/base/job.h"

namespace isolume {

/// Numbers in the spectrum of n.x * n.y * n.z reals: (n.x/2 + 1) n.y n.z, x fastest, y and z complete.
inline std::size_t fft_spectrum_size(glm::ivec3 n) {
  return static_cast<std::size_t>(n.x / 2 + 1) * static_cast<std::size_t>(n.y) * static_cast<std::size_t>(n.z);
}

/// X[m] = sum_i x[i] exp(-2 pi i (m.x i.x / n.x + ...)), on thread_count() threads. Rows of `real` are n.x
/// long, or `stride` where that is not 0. `job`, where there is one, is checked every few million numbers. `threads`:
/// fewer than all, for transforms that are made side by side.
void fft_forward(glm::ivec3 n, const float* real, std::complex<float>* spectrum, int stride = 0,
                 const Job* job = nullptr, int threads = 0);
/// x[i] = sum_m X[m] exp(+2 pi i ...), without a factor; the spectrum is overwritten.
void fft_backward(glm::ivec3 n, std::complex<float>* spectrum, float* real, int stride = 0, const Job* job = nullptr,
                  int threads = 0);

}  // namespace isolume
