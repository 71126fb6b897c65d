// The denoiser of path-traced pictures: what it takes out and what stays. Where the library is not installed, what is
// said.
#include "compute/trace/denoise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "molecule/base/error.h"
#include "tests/compute/base/devices.h"

namespace isolume {
namespace {

constexpr int width = 96, height = 64;

/// Two halves of another colour, with noise that is even about them.
struct Noisy {
  std::vector<float> radiance, albedo, truth;

  Noisy() {
    test::Random random(3);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const float colour = x < width / 2 ? 0.2f : 0.7f;
        truth.push_back(colour);
        for (int c = 0; c < 3; ++c) radiance.push_back(colour * static_cast<float>(random(0.4, 1.6)));
        radiance.push_back(static_cast<float>(random(0.3, 0.7)));
        for (int c = 0; c < 3; ++c) albedo.push_back(colour);
      }
  }
  double error() const {
    double sum = 0;
    for (std::size_t i = 0; i < truth.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c)
        sum += std::pow(static_cast<double>(radiance[4 * i + c]) - static_cast<double>(truth[i]), 2);
    return std::sqrt(sum / 3 / static_cast<double>(truth.size()));
  }
};

TEST(Denoiser, takes_noise_out_of_light_and_coverage_and_leaves_edges) {
  if (!denoiser_present()) GTEST_SKIP() << denoiser_status();
  EXPECT_EQ(denoiser_status().rfind("Open Image Denoise ", 0), 0u);
  Noisy picture;
  const Noisy before = picture;
  Job job;
  denoise(width, height, picture.radiance, picture.albedo, job);
  EXPECT_GT(before.error(), 0.15);
  EXPECT_LT(picture.error(), before.error() / 4);
  double left = 0, right = 0;
  for (std::size_t y = 0; y < height; ++y) {
    const std::size_t edge = y * width + width / 2;
    left += static_cast<double>(picture.radiance[4 * (edge - 1)]) / height;
    right += static_cast<double>(picture.radiance[4 * edge]) / height;
  }
  // A Gaussian blur that takes as much noise out averages 16 pixels or more: a standard deviation of
  // sqrt(16 / (4 pi)) = 1.13 pixels or more, after which neighbours at the edge differ by 0.5 erf(0.5 / (1.13 sqrt 2))
  // = 0.17 at most.
  EXPECT_GT(right - left, 0.3);
  // Even numbers from 0.3 to 0.7 have a deviation of 0.4 / sqrt 12.
  double cover = 0;
  for (std::size_t i = 0; i < picture.truth.size(); ++i)
    cover += std::pow(static_cast<double>(picture.radiance[4 * i + 3]) - 0.5, 2);
  EXPECT_LT(std::sqrt(cover / static_cast<double>(picture.truth.size())), 0.4 / std::sqrt(12.0) / 4);
}

TEST(Denoiser, refuses_what_has_other_sizes_and_stops_when_it_is_cancelled) {
  if (!denoiser_present()) GTEST_SKIP() << denoiser_status();
  Noisy picture;
  Job job;
  EXPECT_THROW(denoise(width, height + 1, picture.radiance, picture.albedo, job), Error);
  job.cancel();
  EXPECT_THROW(denoise(width, height, picture.radiance, picture.albedo, job), Error);
}

TEST(Denoiser, that_is_not_installed_says_where_it_can_be_had) {
  hide_denoiser_for_test(true);
  Noisy picture;
  Job job;
  std::string said;
  try {
    denoise(width, height, picture.radiance, picture.albedo, job);
  } catch (const Error& error) {
    said = error.what();
  }
  hide_denoiser_for_test(false);
  EXPECT_NE(said.find("is not installed"), std::string::npos) << said;
  EXPECT_NE(said.find("pip install pyoidn"), std::string::npos) << said;
}

}  // namespace
}  // namespace isolume
