// Fourier transforms on the CPU: plane waves, there and back, and stopping between their parts.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "compute/fft/fft_cpu.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

/// Small ones, and some of more numbers than are transformed in one go.
const glm::ivec3 sizes[] = {{1, 1, 1}, {6, 5, 4}, {9, 1, 7}, {24, 420, 450}, {600, 90, 88}};

std::size_t values_of(glm::ivec3 n) {
  return static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y) * static_cast<std::size_t>(n.z);
}

TEST(FftCpu, OfAPlaneWaveIsOneNumber) {
  for (const glm::ivec3 n : sizes) {
    const glm::ivec3 wave(n.x / 3, n.y / 4, n.z - 1);
    std::vector<float> real(values_of(n));
    std::size_t at = 0;
    for (int z = 0; z < n.z; ++z) {
      for (int y = 0; y < n.y; ++y) {
        for (int x = 0; x < n.x; ++x) {
          const double turns = double(wave.x) * x / n.x + double(wave.y) * y / n.y + double(wave.z) * z / n.z;
          real[at++] = static_cast<float>(std::cos(2 * std::numbers::pi * turns));
        }
      }
    }
    std::vector<std::complex<float>> spectrum(fft_spectrum_size(n));
    fft_forward(n, real.data(), spectrum.data());
    // The wave, and where the half that is kept has it, its conjugate.
    const auto count = static_cast<double>(values_of(n));
    double elsewhere = 0;
    double here = 0;
    at = 0;
    for (int z = 0; z < n.z; ++z) {
      for (int y = 0; y < n.y; ++y) {
        for (int x = 0; x <= n.x / 2; ++x, ++at) {
          const bool is = x == wave.x && y == wave.y && z == wave.z;
          const bool conjugate = x == (n.x - wave.x) % n.x && y == (n.y - wave.y) % n.y && z == (n.z - wave.z) % n.z;
          if (is || conjugate) {
            const double expected = is && conjugate ? count : count / 2;
            EXPECT_NEAR(spectrum[at].real(), expected, 2e-6 * count);
            ++here;
          } else {
            elsewhere = std::max(elsewhere, static_cast<double>(std::abs(spectrum[at])));
          }
        }
      }
    }
    EXPECT_GE(here, 1);
    EXPECT_LE(elsewhere, 2e-6 * count) << n.x << " x " << n.y << " x " << n.z;
  }
}

TEST(FftCpu, ThereAndBackIsTheSameTimesItsSize) {
  for (const glm::ivec3 n : sizes) {
    // Rows with room behind them.
    const int stride = n.x + 3;
    const std::size_t rows = static_cast<std::size_t>(n.y) * static_cast<std::size_t>(n.z);
    std::vector<float> real(rows * static_cast<std::size_t>(stride), 7.0f);
    std::uint32_t random = 1;
    for (float& value : real) value = static_cast<float>((random = random * 1664525 + 1013904223) >> 8) * 0x1p-24f;
    std::vector<float> back = real;
    std::vector<std::complex<float>> spectrum(fft_spectrum_size(n));
    fft_forward(n, real.data(), spectrum.data(), stride);
    fft_backward(n, spectrum.data(), back.data(), stride);
    const auto count = static_cast<float>(values_of(n));
    float most = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t x = 0; x < static_cast<std::size_t>(stride); ++x) {
        const std::size_t i = row * static_cast<std::size_t>(stride) + x;
        most =
            std::max(most, std::abs(x < static_cast<std::size_t>(n.x) ? back[i] / count - real[i] : back[i] - real[i]));
      }
    }
    EXPECT_LE(most, 2e-6f) << n.x << " x " << n.y << " x " << n.z;
  }
}

TEST(FftCpu, StopsWhenCancelled) {
  const glm::ivec3 n(24, 420, 450);
  std::vector<float> real(values_of(n));
  std::vector<std::complex<float>> spectrum(fft_spectrum_size(n));
  Job job;
  job.cancel();
  EXPECT_THROW(fft_forward(n, real.data(), spectrum.data(), 0, &job), Error);
  EXPECT_THROW(fft_backward(n, spectrum.data(), real.data(), 0, &job), Error);
}

}  // namespace
}  // namespace isolume
