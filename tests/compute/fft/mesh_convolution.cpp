// Meshes whose waves are multiplied: against a general transform, at every instruction set.
#include "compute/fft/mesh_convolution.h"

#include <gtest/gtest.h>

#include <cmath>
#include <mutex>

#include "compute/electrostatics/ewald/spme_mesh_cpu.h"
#include "compute/fft/fft_cpu.h"
#include "tests/compute/base/instruction_sets.h"
#include "tests/compute/electrostatics/potential_systems.h"

namespace isolume {
namespace {

class MeshConvolutionOn : public test::InstructionSetTest {};
INSTANTIATE_TEST_SUITE_P(Targets, MeshConvolutionOn, testing::ValuesIn(test::instruction_sets()),
                         test::instruction_set_name);

/// A real factor that is the same for a wave and its opposite, as a real mesh needs.
double factor(glm::ivec3 n, int i, int j, int k) {
  const double a = std::min(i, n.x - i), b = j > n.y - j ? j - n.y : j, c = k > n.z - k ? k - n.z : k;
  const double alone = (2 * j == n.y || 2 * k == n.z || i == 0 || 2 * i == n.x) ? 0 : 0.1 * std::sin(a * b + b * c);
  return 1 / (1 + a * a + 0.5 * b * b + 0.25 * c * c) + alone;
}

TEST_P(MeshConvolutionOn, IsThatOfAGeneralTransform) {
  // Every radix; lengths that are no multiples of 16.
  for (const glm::ivec3 n : {glm::ivec3(16, 2, 3), glm::ivec3(18, 20, 21), glm::ivec3(70, 16, 32),
                             glm::ivec3(64, 48, 15), glm::ivec3(108, 27, 80), glm::ivec3(20, 128, 49)}) {
    ASSERT_TRUE(MeshConvolution::supports(n)) << n.x;
    const int stride = MeshView::padded(n.x);
    const auto rows = static_cast<std::size_t>(n.y) * static_cast<std::size_t>(n.z);
    const auto nx = static_cast<std::size_t>(n.x), step = static_cast<std::size_t>(stride);
    LargeVector<float> mesh(rows * step, 0.0f);
    std::vector<float> plain(rows * nx);
    test::Random random(3);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t x = 0; x < nx + 3; ++x) {
        // What is behind the end of a row belongs to its beginning.
        const auto value = static_cast<float>(random(-1, 1));
        mesh[row * step + x] = value;
        plain[row * nx + x % nx] += value;
      }
    }
    std::vector<std::complex<float>> spectrum(fft_spectrum_size(n));
    fft_forward(n, plain.data(), spectrum.data());
    double expected_sum = 0;
    for (std::size_t w = 0; w < spectrum.size(); ++w) {
      const auto half = static_cast<std::size_t>(n.x / 2 + 1);
      const int i = static_cast<int>(w % half), j = static_cast<int>(w / half % static_cast<std::size_t>(n.y));
      const double f = factor(n, i, j, static_cast<int>(w / half / static_cast<std::size_t>(n.y)));
      expected_sum += f * static_cast<double>(std::norm(spectrum[w]));
      spectrum[w] *= static_cast<float>(f);
    }
    fft_backward(n, spectrum.data(), plain.data());

    MeshConvolution convolution(n);
    Job job;
    convolution.set([&](int i, int j, int k) { return factor(n, i, j, k); }, job);
    double sum = 0;
    std::mutex mutex;
    const auto look = [&](const MeshConvolution::Lines& lines) {
      double own = 0;
      for (int k = 0; k < n.z; ++k) {
        for (int lane = 0; lane < lines.count; ++lane) {
          const float* const at = lines.spectrum + 32 * k + lane;
          // The transform is twice itself, the factor half.
          own += 0.5 * static_cast<double>(lines.factors[16 * k + lane] * (at[0] * at[0] + at[16] * at[16]));
        }
      }
      const std::lock_guard lock(mutex);
      sum += own;
    };
    convolution.run(mesh.data(), stride, look, job);
    EXPECT_NEAR(sum / expected_sum, 1, 1e-5);
    double squares = 0, scale = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t x = 0; x < nx; ++x) {
        const auto there = static_cast<double>(plain[row * nx + x]);
        squares += std::pow(static_cast<double>(mesh[row * step + x]) - there, 2);
        scale += there * there;
      }
      for (std::size_t x = 0; x < 8; ++x) ASSERT_EQ(mesh[row * step + nx + x], mesh[row * step + x]);
    }
    EXPECT_LE(std::sqrt(squares / scale), 1e-6) << n.x << " " << n.y << " " << n.z;
  }
}

TEST(MeshConvolutionLengths, AreThoseOfSmallFactors) {
  EXPECT_TRUE(MeshConvolution::supports({16, 2, 25}));
  EXPECT_FALSE(MeshConvolution::supports({15, 16, 16}));
  EXPECT_FALSE(MeshConvolution::supports({14, 16, 16}));
  EXPECT_FALSE(MeshConvolution::supports({22, 16, 16}));
  EXPECT_FALSE(MeshConvolution::supports({16, 13, 16}));
  EXPECT_FALSE(MeshConvolution::supports({16, 16, 1}));
}

}  // namespace
}  // namespace isolume
