// Real Fourier transforms on the CPU by pocketfft (BSD, part of gemmi-dev), by the widest instructions there are.
#include "compute/fft/fft_cpu.h"

#include <algorithm>

#include "compute/base/device.h"
#include "compute/fft/fft_body.h"

namespace isolume {

namespace {

using Shape = FftShape;
using Strides = FftStrides;
using Complex = std::complex<float>;

/// Strides in bytes of an array x fastest, slowest axis first.
Strides strides(std::size_t nx, glm::ivec3 n, std::size_t bytes) {
  return {static_cast<std::ptrdiff_t>(nx * static_cast<std::size_t>(n.y) * bytes),
          static_cast<std::ptrdiff_t>(nx * bytes), static_cast<std::ptrdiff_t>(bytes)};
}

/// The body for the widest instructions that this processor has.
const FftBody& body() {
#ifdef ISOLUME_FFT_WIDE
  static const FftBody& found = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")
                                    ? fft_avx512
                                : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? fft_avx2
                                                                                                  : fft_base;
  return found;
#else
  return fft_base;
#endif
}

/// As many as are asked for, else all.
std::size_t threads_or_all(int threads) {
  return static_cast<std::size_t>(threads > 0 ? threads : thread_count());
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
void planes(bool forward, const Shape& half, const Strides& strides, Complex* spectrum, const Job* job,
            std::size_t threads) {
  for (const std::size_t axis : {std::size_t{1}, std::size_t{0}}) {
    const std::size_t other = 1 - axis;
    in_parts(half, other, job, [&](std::size_t first, std::size_t count) {
      Shape part = half;
      part[other] = count;
      const auto step = strides[other] / static_cast<std::ptrdiff_t>(sizeof(Complex));
      body().along(axis, forward, part, strides, spectrum + static_cast<std::ptrdiff_t>(first) * step, threads);
    });
  }
}

}  // namespace

void fft_forward(glm::ivec3 n, const float* real, Complex* spectrum, int stride, const Job* job, int threads) {
  const Shape shape{static_cast<std::size_t>(n.z), static_cast<std::size_t>(n.y), static_cast<std::size_t>(n.x)};
  const Shape half{shape[0], shape[1], shape[2] / 2 + 1};
  const std::size_t row = stride > 0 ? static_cast<std::size_t>(stride) : shape[2];
  const Strides from = strides(row, n, sizeof(float));
  const Strides to = strides(half[2], n, sizeof(Complex));
  in_parts(shape, 0, job, [&](std::size_t first, std::size_t count) {
    body().rows_forward({count, shape[1], shape[2]}, from, to, real + first * row * shape[1],
                        spectrum + first * half[2] * shape[1], threads_or_all(threads));
  });
  planes(true, half, to, spectrum, job, threads_or_all(threads));
}

void fft_backward(glm::ivec3 n, Complex* spectrum, float* real, int stride, const Job* job, int threads) {
  const Shape shape{static_cast<std::size_t>(n.z), static_cast<std::size_t>(n.y), static_cast<std::size_t>(n.x)};
  const Shape half{shape[0], shape[1], shape[2] / 2 + 1};
  const std::size_t row = stride > 0 ? static_cast<std::size_t>(stride) : shape[2];
  const Strides from = strides(half[2], n, sizeof(Complex));
  const Strides to = strides(row, n, sizeof(float));
  // Several axes at once would copy the spectrum; in place over y and z, then rows.
  planes(false, half, from, spectrum, job, threads_or_all(threads));
  in_parts(shape, 0, job, [&](std::size_t first, std::size_t count) {
    body().rows_backward({count, shape[1], shape[2]}, from, to, spectrum + first * half[2] * shape[1],
                         real + first * row * shape[1], threads_or_all(threads));
  });
}

}  // namespace isolume
