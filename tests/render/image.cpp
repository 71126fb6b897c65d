// Tests of pictures in memory and as PNG.
#include "render/image/image.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "molecule/base/error.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;

/// A folder of its own, taken away at the end.
class Png : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "isolume_png_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  fs::path folder_;
};

Image pattern(int width, int height) {
  Image image{width, height, {}};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (const int value : {x * 7 + y, x + y * 5, x * y, 255 - (x + y) % 256})
        image.rgba.push_back(static_cast<std::uint8_t>(value % 256));
  return image;
}

TEST_F(Png, PixelsAndTextsSurvive) {
  const Image image = pattern(37, 23);
  const std::map<std::string, std::string> texts = {{"Software", "Isolume"},
                                                    {"Description", "angstrom: \xC3\x85, orbital \xCF\x88"},
                                                    {"Scene", std::string(20000, 'x')}};
  write("a.png", encode_png(image, texts, 300));
  std::map<std::string, std::string> read_texts;
  const Image read = read_png(path("a.png"), &read_texts);
  EXPECT_EQ(read.width, 37);
  EXPECT_EQ(read.height, 23);
  EXPECT_EQ(read.rgba, image.rgba);
  EXPECT_EQ(read_texts, texts);
}

TEST_F(Png, WhatMakesNoPictureIsAnError) {
  EXPECT_THROW(encode_png(Image{4, 4, std::vector<std::uint8_t>(10)}), Error);
  EXPECT_THROW(encode_png(Image{}), Error);
  EXPECT_THROW(encode_png(pattern(2, 2), {{std::string(80, 'k'), "v"}}), Error);
}

TEST_F(Png, DamagedFilesAreErrorsOfInput) {
  const std::string bytes = encode_png(pattern(64, 64), {{"Title", "t"}});
  for (std::size_t length = 0; length < bytes.size(); length += 1 + length / 8) {
    std::ofstream(path("cut.png"), std::ios::binary) << bytes.substr(0, length);
    try {
      read_png(path("cut.png"));
      // What follows the last row may be missing without harm.
      EXPECT_GT(length, bytes.size() - 64);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::input);
    }
  }
  std::ofstream(path("noise.png"), std::ios::binary) << "not a picture at all";
  EXPECT_THROW(read_png(path("noise.png")), Error);
  EXPECT_THROW(read_png(path("none.png")), Error);
}

TEST(Compare, EqualPicturesDifferByNothing) {
  const Image image = pattern(64, 48);
  EXPECT_EQ(compare(image, image).mean, 0);
  EXPECT_NEAR(compare(image, image).dissimilarity, 0, 1e-12);
}

TEST(Compare, MeanIsOverAllChannels) {
  Image a{16, 16, std::vector<std::uint8_t>(16 * 16 * 4, 100)}, b = a;
  for (std::size_t i = 0; i < b.rgba.size(); i += 4) b.rgba[i] = 112;  // red alone, by 12
  EXPECT_DOUBLE_EQ(compare(a, b).mean, 12.0 / 4);
}

TEST(Compare, DissimilarityOfFlatPicturesFollowsTheFormula) {
  // Without structure SSIM is (2 x y + C1) / (x^2 + y^2 + C1), C1 = (0.01 * 255)^2.
  Image a{16, 16, std::vector<std::uint8_t>(16 * 16 * 4, 255)}, b = a;
  for (std::size_t i = 0; i < a.rgba.size(); ++i)
    if (i % 4 != 3) a.rgba[i] = 200, b.rgba[i] = 100;
  const double c1 = 6.5025;
  EXPECT_NEAR(compare(a, b).dissimilarity, 1 - (2 * 200 * 100 + c1) / (200.0 * 200 + 100 * 100 + c1), 1e-9);
}

TEST(Compare, OtherSizesAreAnError) {
  EXPECT_THROW(compare(pattern(4, 4), pattern(5, 4)), Error);
}

}  // namespace
}  // namespace isolume
