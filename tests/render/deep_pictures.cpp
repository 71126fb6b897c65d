// Tests of pictures of more than 8 bits: their layers, and TIFF and OpenEXR files of them as the libraries read them.
#include "render/image/deep_picture.h"

#include <epoxy/gl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "molecule/base/error.h"
#include "render/image/picture_head.h"
#include "render/tiles.h"
#include "tests/render/scenes.h"

#ifdef ISOLUME_HAS_TIFF
#include <tiffio.h>
#endif
#ifdef ISOLUME_HAS_OPENEXR
#include <ImfArray.h>
#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfInputFile.h>
#include <ImfStringAttribute.h>
#endif

namespace isolume::test {
namespace {

constexpr int width = 120, height = 90;
constexpr float infinite = std::numeric_limits<float>::infinity();

class LayerDepth : public testing::TestWithParam<Camera::Projection> {};

TEST_P(LayerDepth, DepthIsThatOfTheSphereWhereTheLineOfSightMeetsIt) {
  const glm::vec3 centre(1, 0.5f, -2);
  SceneView view = scene({item(sphere(centre, 4, {255, 0, 0, 255}), 7, 1, false)});
  view.camera.projection = GetParam();
  view.camera.turn({0, 1, 0}, 20);
  const Image image =
      renderer().picture(view, {.width = width, .height = height, .samples = 9, .largest_tile = 64, .layers = true});
  ASSERT_TRUE(image.layers);
  const glm::dmat4 eye = view.camera.view();
  GLint bits = 0;
  glGetIntegerv(GL_SUBPIXEL_BITS, &bits);
  ASSERT_GE(bits, 4) << "OpenGL's least";
  const double rounding = std::sqrt(2.0) * view.camera.height / height / (1 << bits);
  double worst = 0;
  int met = 0, wrong = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const auto at = static_cast<std::size_t>(y * width + x);
      const auto [origin, direction] = line_of_sight(view.camera, width, height, x, y);
      const glm::dvec3 to = glm::dvec3(centre) - origin;
      const double along = glm::dot(to, direction), inside = 16 - glm::dot(to, to) + along * along;
      if (std::abs(inside) < 0.05) continue;  // at the rim single precision may fall to either side
      if (inside < 0) {
        wrong += image.layers->depth[at] != infinite || image.layers->objects[at] != 0;
        continue;
      }
      const glm::dvec3 hit = origin + (along - std::sqrt(inside)) * direction;
      // Corners of what is drawn are rounded to a part of a pixel: the line of sight is off by as much, the depth by
      // its slope times that.
      const double slope = glm::length(to - along * direction) / std::sqrt(inside);
      const double error = std::abs(static_cast<double>(image.layers->depth[at]) + (eye * glm::dvec4(hit, 1)).z);
      wrong += error > 1e-4 + slope * rounding;
      worst = std::max(worst, error / (1e-4 + slope * rounding));
      wrong += image.layers->objects[at] != 7;
      ++met;
    }
  EXPECT_GT(met, 800);
  EXPECT_EQ(wrong, 0) << "the worst is " << worst << " of what rounding to 1/" << (1 << bits) << " of a pixel allows";
}

INSTANTIATE_TEST_SUITE_P(Projections, LayerDepth,
                         testing::Values(Camera::Projection::perspective, Camera::Projection::orthographic));

TEST(Layers, ColoursAreThePixelsInLinearLight) {
  SceneView view = scene(
      {item(sphere({0, 0, 0}, 5, {200, 120, 40, 255}), 1), item(sphere({2, 0, 6}, 3, {20, 90, 240, 255}), 2, 0.5f)});
  for (const bool transparent : {false, true}) {
    const PictureOptions options{
        .width = width, .height = height, .samples = 4, .transparent = transparent, .layers = true};
    const Image image = renderer().picture(view, options);
    PictureOptions plain = options;
    plain.layers = false;
    EXPECT_EQ(renderer().picture(view, plain).rgba, image.rgba) << "layers change no pixel";
    std::vector<std::uint16_t> row;
    int worst = 0, between = 0;
    for (int y = 0; y < height; ++y) {
      straight_row(*image.layers, width, y, row);
      for (std::size_t i = 0; i < row.size(); ++i) {
        const int eight = image.rgba[static_cast<std::size_t>(y * width) * 4 + i];
        worst = std::max(worst, std::abs(row[i] - 257 * eight));
        between += row[i] % 257 != 0;
      }
    }
    // Half of one of 255 steps, and the tenth of one by which a card may be off when it rounds a colour.
    EXPECT_LE(worst, 154);
    EXPECT_GT(between, 1000) << "there is more than 8 bits";
    EXPECT_EQ(image.layers->objects[static_cast<std::size_t>(height / 2 * width + width / 2)], 2u)
        << "the transparent sphere is in front";
  }
}

TEST(Layers, WhatIsWrittenOverAPictureIsInItsColours) {
  Image image{2, 1, {10, 20, 30, 255, 0, 0, 0, 0}};
  image.layers = std::make_shared<PictureLayers>(2);
  const std::vector<std::uint8_t> before = image.rgba;
  image.rgba = {10, 20, 30, 255, 255, 128, 0, 51};
  take_overlay(image, before);
  EXPECT_EQ(image.layers->linear[3], 0) << "what did not change stays";
  EXPECT_FLOAT_EQ(image.layers->linear[4], 0.2f);
  // (128/255 + 0.055)^2.4 / 1.055^2.4 = 0.215861, multiplied by an alpha of 51/255.
  EXPECT_NEAR(static_cast<double>(image.layers->linear[5]), 0.2158605 * 0.2, 1e-6);
  EXPECT_FLOAT_EQ(image.layers->linear[7], 0.2f);
}

TEST(Layers, TilesHaveTheirs) {
  SceneView whole;
  for (const std::uint32_t object : {1u, 2u})
    whole.tiles.push_back(scene({item(sphere({0, 0, 0}, 5, {255, 255, 255, 255}), object, 1, false)}));
  whole.camera = whole.tiles[0].camera;
  whole.look = plain_look();
  whole.tile_columns = 2;
  context();
  TiledRenderer renderer;
  const Image image = renderer.picture(whole, {.width = 202, .height = 100, .samples = 1, .layers = true});
  ASSERT_TRUE(image.layers);
  const auto at = [](int x) { return static_cast<std::size_t>(50 * 202 + x); };
  EXPECT_EQ(image.layers->objects[at(50)], 1u);
  EXPECT_EQ(image.layers->objects[at(152)], 2u);
  EXPECT_EQ(image.layers->objects[at(100)], 0u) << "the line between them";
  EXPECT_EQ(image.layers->depth[at(50)], image.layers->depth[at(152)]);
  EXPECT_EQ(image.layers->linear[4 * at(100) + 3], 1);
}

/// Two pixels wide, one transparent by half, of known values.
Image small() {
  Image image{2, 1, std::vector<std::uint8_t>(8)};
  image.layers = std::make_shared<PictureLayers>(2);
  image.layers->linear = {0.25f, 0.5f, 1, 1, 0.125f, 0, 0.5f, 0.5f};
  image.layers->depth = {12.5f, infinite};
  image.layers->objects = {5, 0};
  return image;
}
DeepTexts texts_of() {
  DeepTexts texts{"isolume-scene", "{\"a\": 1}", "Isolume", {}, 300};
  texts.objects[5] = {1, "a.pdb"};
  return texts;
}
/// sRGB of a linear value as IEC 61966-2-1 defines it, of 65535.
int coded(double linear) {
  return static_cast<int>(std::lround(65535 * (1.055 * std::pow(linear, 1 / 2.4) - 0.055)));
}

class DeepFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "isolume_deep_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string file(const std::string& name, const std::string& bytes) const {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  /// Reads the head of every part from the file's beginning, and of the file with bytes changed.
  void expect_safe(const std::string& bytes) const {
    for (std::size_t length = 4; length < bytes.size(); length += 1 + length / 16) {
      const std::string path = file("cut", bytes.substr(0, length));
      try {
        read_picture_head(path);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::input) << error.what();
      }
    }
    for (std::size_t at = 4; at < std::min<std::size_t>(bytes.size(), 600); ++at) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ 0x80);
      const std::string path = file("changed", changed);
      try {
        read_picture_head(path);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::input) << error.what();
      }
    }
  }
  std::string folder_;
};

TEST_F(DeepFiles, BuildsWithoutALibrarySaySo) {
  if (!writes_tiff()) {
    EXPECT_THROW(encode_tiff(small(), texts_of()), Error);
  }
  if (!writes_exr()) {
    EXPECT_THROW(encode_exr(small(), texts_of()), Error);
  }
  EXPECT_THROW(read_picture_head(file("none", "no picture")), Error);
  EXPECT_THROW(read_picture_head(folder_ + "/absent"), Error);
}

#ifdef ISOLUME_HAS_TIFF
TEST_F(DeepFiles, TiffHoldsColoursDepthAndObjects) {
  const std::string bytes = encode_tiff(small(), texts_of());
  EXPECT_EQ(bytes, encode_tiff(small(), texts_of()));
  const std::string path = file("a.tif", bytes);
  const std::unique_ptr<TIFF, void (*)(TIFF*)> tiff(TIFFOpen(path.c_str(), "r"), TIFFClose);
  ASSERT_TRUE(tiff);
  std::uint16_t rgba[8] = {};
  ASSERT_EQ(TIFFReadScanline(tiff.get(), rgba, 0, 0), 1);
  const int expected[8] = {coded(0.25), coded(0.5), 65535, 65535, coded(0.25), 0, 65535, 32768};
  for (int i = 0; i < 8; ++i) EXPECT_NEAR(rgba[i], expected[i], 1) << i;
  std::uint16_t count = 0, *kinds = nullptr;
  ASSERT_EQ(TIFFGetField(tiff.get(), TIFFTAG_EXTRASAMPLES, &count, &kinds), 1);
  EXPECT_EQ(kinds[0], EXTRASAMPLE_UNASSALPHA) << "colours are not multiplied by alpha";
  std::uint32_t profile_bytes = 0;
  void* profile = nullptr;
  ASSERT_EQ(TIFFGetField(tiff.get(), TIFFTAG_ICCPROFILE, &profile_bytes, &profile), 1);
  EXPECT_EQ(profile_bytes, srgb_profile().size());
  char* text = nullptr;
  ASSERT_EQ(TIFFGetField(tiff.get(), TIFFTAG_IMAGEDESCRIPTION, &text), 1);
  EXPECT_STREQ(text, "{\"a\": 1}");
  float dpi = 0;
  ASSERT_EQ(TIFFGetField(tiff.get(), TIFFTAG_XRESOLUTION, &dpi), 1);
  EXPECT_EQ(dpi, 300);
  ASSERT_EQ(TIFFReadDirectory(tiff.get()), 1);
  float depth[2] = {};
  ASSERT_EQ(TIFFReadScanline(tiff.get(), depth, 0, 0), 1);
  EXPECT_EQ(depth[0], 12.5f);
  EXPECT_EQ(depth[1], infinite);
  ASSERT_EQ(TIFFReadDirectory(tiff.get()), 1);
  std::uint16_t objects[2] = {};
  ASSERT_EQ(TIFFReadScanline(tiff.get(), objects, 0, 0), 1);
  EXPECT_EQ(objects[0], 1);
  EXPECT_EQ(objects[1], 0);
  ASSERT_EQ(TIFFGetField(tiff.get(), TIFFTAG_IMAGEDESCRIPTION, &text), 1);
  EXPECT_NE(std::string(text).find("1: a.pdb"), std::string::npos);
  EXPECT_EQ(TIFFReadDirectory(tiff.get()), 0);

  const PngHead head = read_picture_head(path);
  EXPECT_EQ(head.width, 2);
  EXPECT_EQ(head.height, 1);
  EXPECT_EQ(head.texts.at("ImageDescription"), "{\"a\": 1}");
  expect_safe(bytes);
}
#endif

#ifdef ISOLUME_HAS_OPENEXR
TEST_F(DeepFiles, ExrHoldsLinearColoursDepthAndObjects) {
  const std::string bytes = encode_exr(small(), texts_of());
  EXPECT_EQ(bytes, encode_exr(small(), texts_of()));
  const std::string path = file("a.exr", bytes);
  Imf::InputFile exr(path.c_str());
  half colours[8];
  float depth[2] = {};
  unsigned numbers[2] = {};
  Imf::FrameBuffer frame;
  const char* const names[] = {"R", "G", "B", "A"};
  for (std::size_t c = 0; c < 4; ++c)
    frame.insert(names[c], Imf::Slice(Imf::HALF, reinterpret_cast<char*>(colours + c), 4 * sizeof(half), 0));
  frame.insert("Z", Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(depth), sizeof(float), 0));
  frame.insert("id", Imf::Slice(Imf::UINT, reinterpret_cast<char*>(numbers), sizeof(unsigned), 0));
  exr.setFrameBuffer(frame);
  exr.readPixels(0, 0);
  const Image image = small();
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_EQ(static_cast<float>(colours[i]), image.layers->linear[i]) << i << ", multiplied by alpha";
  EXPECT_EQ(depth[0], 12.5f);
  EXPECT_EQ(depth[1], infinite);
  EXPECT_EQ(numbers[0], 1u);
  EXPECT_EQ(numbers[1], 0u);
  EXPECT_EQ(exr.header().typedAttribute<Imf::StringAttribute>("isolume-scene").value(), "{\"a\": 1}");
  EXPECT_EQ(exr.header().typedAttribute<Imf::StringAttribute>("objects").value(), "{\"1\":\"a.pdb\"}");

  const PngHead head = read_picture_head(path);
  EXPECT_EQ(head.width, 2);
  EXPECT_EQ(head.height, 1);
  EXPECT_EQ(head.texts.at("isolume-scene"), "{\"a\": 1}");
  expect_safe(bytes);
}
#endif

}  // namespace
}  // namespace isolume::test
