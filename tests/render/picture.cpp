// Tests of whole pictures: tiles, alpha, pixel ratio, samples, furniture, the window's way and the file's.
#include <epoxy/gl.h>

#include <algorithm>
#include <cstdlib>

#include "molecule/base/error.h"
#include "render/gl/framebuffer.h"
#include "render/gl/texture.h"
#include "tests/render/scenes.h"

namespace isolume::test {
namespace {

SceneView crowd() {
  Spheres spheres;
  Cylinders bonds;
  std::uint32_t state = 12345;
  const auto random = [&state] {
    state = state * 1664525u + 1013904223u;
    return static_cast<float>(state >> 8) / static_cast<float>(1 << 24) * 2 - 1;
  };
  for (std::uint32_t i = 0; i < 60; ++i) {
    spheres.spheres.emplace_back(8 * random(), 6 * random(), 6 * random(), 1.5f);
    spheres.colours.emplace_back(200, 40 + 3 * i, 60, 255);
    spheres.parts.push_back(i);
  }
  bonds.cylinders = {{{-8, -6, 6}, {8, 6, 5}, 0.5f}, {{-8, 6, 3}, {8, -6, 7}, 0.4f}};
  bonds.colours_a.assign(2, {60, 60, 200, 255});
  bonds.colours_b.assign(2, {60, 160, 60, 255});
  SceneView view =
      scene({item(spheres, 1), item(bonds, 2), item(surface(ball({3, 2, 4}, 4), {80, 160, 230, 255}), 3, 0.4f)}, 12);
  view.look = Look();
  return view;
}

TEST(Picture, TilesMakeTheSamePictureAsOnePiece) {
  SceneView view = crowd();
  view.highlights = {{0, 0, 6, 1.5f}};
  view.look.axes = true;
  for (const auto projection : {Camera::Projection::perspective, Camera::Projection::orthographic}) {
    view.camera.projection = projection;
    PictureOptions options{.width = 330, .height = 250, .samples = 4};
    const Image whole = renderer().picture(view, options);
    options.largest_tile = 140;
    const Image tiled = renderer().picture(view, options);
    int different = 0;
    for (std::size_t i = 0; i < whole.rgba.size(); ++i) different += std::abs(whole.rgba[i] - tiled.rgba[i]) > 3;
    // Rounding of the projection may move a rim by a sample, no more.
    EXPECT_LT(different, static_cast<int>(whole.rgba.size() / 1000));
    EXPECT_LT(compare(whole, tiled).mean, 0.02);
    EXPECT_LT(compare(whole, tiled).dissimilarity, 1e-3);
  }
}

TEST(Picture, TransparentBackgroundHasAlphaAndTheSameColours) {
  SceneView view = crowd();
  view.look.background = view.look.background_bottom = glm::vec3(1);
  PictureOptions options{.width = 200, .height = 150, .samples = 4};
  const Image on_white = renderer().picture(view, options);
  options.transparent = true;
  const Image cut_out = renderer().picture(view, options);
  EXPECT_EQ(pixel(cut_out, 0, 0)[3], 0);
  EXPECT_EQ(pixel(on_white, 0, 0), (std::array<int, 4>{255, 255, 255, 255}));
  int opaque = 0, partly = 0;
  const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  const auto srgb = [](double c) { return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055; };
  for (std::size_t i = 0; i < cut_out.rgba.size(); i += 4) {
    const double alpha = cut_out.rgba[i + 3] / 255.0;
    opaque += alpha == 1;
    partly += alpha > 0 && alpha < 1;
    for (std::size_t c = 0; c < 3; ++c) {
      const double over_white = 255 * srgb(alpha * linear(cut_out.rgba[i + c] / 255.0) + 1 - alpha);
      // Alpha in 255 steps is coarse where the rest is dark: half a step of it, through the slope of sRGB.
      EXPECT_NEAR(over_white, on_white.rgba[i + c], alpha > 0.95 ? 8 : 3);
    }
  }
  EXPECT_GT(opaque, 1000);
  EXPECT_GT(partly, 100);
}

TEST(Picture, BackgroundGradientRunsFromTopToBottom) {
  SceneView view = scene({});
  view.look.background = {0.2f, 0.4f, 0.8f};
  view.look.background_bottom = {1, 1, 1};
  const Image image = renderer().picture(view, {.width = 40, .height = 100, .samples = 1});
  EXPECT_NEAR(pixel(image, 20, 0)[0], 255 * (0.2 + 0.8 * 0.005), 1);
  EXPECT_NEAR(pixel(image, 20, 99)[0], 255 * (1 - 0.8 * 0.005), 1);
  EXPECT_NEAR(pixel(image, 20, 49)[2], 255 * 0.9, 2);
}

TEST(Picture, LineWidthFollowsThePixelRatio) {
  Lines lines;
  lines.points = {{-20, 0.01f, 0}, {20, 0.01f, 0}};
  lines.colours.assign(2, {0, 0, 0, 255});
  lines.width = 3;
  SceneView view = scene({item(lines)});
  for (const int ratio : {1, 2, 3}) {
    const int side = 100 * ratio;
    const Image image =
        renderer().picture(view, {.width = side, .height = side, .samples = 1, .pixel_ratio = double(ratio)});
    int dark = 0;
    for (int y = 0; y < side; ++y) dark += pixel(image, side / 2, y)[0] < 128;
    EXPECT_EQ(dark, 3 * ratio);
  }
}

TEST(Picture, MoreSamplesMakeSmootherRims) {
  SceneView view = scene({item(sphere({0, 0, 0}, 6, {0, 0, 0, 255}), 1, 1, false)});
  const auto shades = [&view](int samples) {
    const Image image = renderer().picture(view, {.width = 100, .height = 100, .samples = samples});
    std::vector<int> values;
    for (std::size_t i = 0; i < image.rgba.size(); i += 4) values.push_back(image.rgba[i]);
    std::sort(values.begin(), values.end());
    return std::unique(values.begin(), values.end()) - values.begin();
  };
  EXPECT_EQ(shades(1), 2);
  EXPECT_EQ(shades(4), 5);
  EXPECT_EQ(shades(9), 10);
}

TEST(Picture, WindowAndFileShowTheSame) {
  const SceneView view = crowd();
  context();
  const gl::Texture texture(GL_RGBA8, 160, 120);
  const gl::Framebuffer target({&texture}, nullptr);
  renderer().set_fast(false);
  // State that a window's painter leaves behind must not matter.
  glEnable(GL_BLEND);
  glEnable(GL_CULL_FACE);
  glDepthMask(GL_FALSE);
  glFrontFace(GL_CW);
  renderer().draw(view, target.name(), 160, 120);
  Image drawn{160, 120, std::vector<std::uint8_t>(160 * 120 * 4)};
  glGetTextureImage(texture.name(), 0, GL_RGBA, GL_UNSIGNED_BYTE, static_cast<int>(drawn.rgba.size()),
                    drawn.rgba.data());
  const Image picture = renderer().picture(view, {.width = 160, .height = 120, .samples = 4});
  for (int y = 0; y < 120; ++y)
    for (int x = 0; x < 160; ++x) ASSERT_EQ(pixel(drawn, x, 119 - y), pixel(picture, x, y)) << x << ", " << y;
  renderer().set_fast(true);
  renderer().draw(view, target.name(), 160, 120);
  renderer().set_fast(false);
  EXPECT_EQ(glGetError(), static_cast<unsigned>(GL_NO_ERROR));
}

TEST(Picture, BoxAxesAndHalosAreDrawn) {
  SceneView view = scene({item(sphere({0, 0, 0}, 2, {90, 90, 90, 255}), 1)}, 12);
  const PictureOptions options{.width = 200, .height = 150, .samples = 1};
  const Image without = renderer().picture(view, options);
  view.box = Cell::from_lengths_angles({8, 8, 8}, {90, 90, 90});
  view.show_box = true;
  const Image box = renderer().picture(view, options);
  EXPECT_GT(compare(without, box).mean, 0.2);
  view.show_box = false;
  view.look.axes = true;
  const Image axes = renderer().picture(view, options);
  int changed_far = 0, changed_near = 0;
  for (int y = 0; y < 150; ++y)
    for (int x = 0; x < 200; ++x)
      (x < 60 && y > 90 ? changed_near : changed_far) += pixel(axes, x, y) != pixel(without, x, y);
  EXPECT_GT(changed_near, 60);
  EXPECT_EQ(changed_far, 0) << "the axes stay in their corner";
  view.look.axes = false;
  view.highlights = {{0, 0, 0, 2}};
  const Image halo = renderer().picture(view, options);
  const auto beside = pixel(halo, 100 + 12 + 2, 75);  // 2 of 24 angstrom over 150 pixels is a radius of 12.5
  EXPECT_GT(compare(without, halo).mean, 0.1);
  EXPECT_GT(beside[0], beside[2]) << "a warm colour";
}

TEST(Picture, AmbientOcclusionDarkensHollowsAlone) {
  // A sphere on a wall: the wall is darker next to it and as bright as before far from it.
  auto wall = std::make_shared<Mesh>();
  wall->positions = {{-40, -40, 0}, {40, -40, 0}, {40, 40, 0}, {-40, 40, 0}};
  wall->normals.assign(4, {0, 0, 1});
  wall->triangles = {{0, 1, 2}, {0, 2, 3}};
  SceneView view =
      scene({item(surface(wall, {200, 200, 200, 255})), item(sphere({0, 0, 2}, 2, {200, 200, 200, 255}))}, 40);
  view.camera.height = 24;
  view.camera.projection = Camera::Projection::orthographic;
  const PictureOptions options{.width = 240, .height = 240, .samples = 4};
  const Image without = renderer().picture(view, options);
  view.look.ambient_occlusion = true;
  const Image with = renderer().picture(view, options);
  EXPECT_LT(pixel(with, 120 + 23, 120)[0], pixel(without, 120 + 23, 120)[0] - 10);
  for (const int x : {8, 230}) EXPECT_NEAR(pixel(with, x, 120)[0], pixel(without, x, 120)[0], 3);
  // No noise and no bands on the open wall.
  for (int y = 5; y < 30; ++y)
    for (int x = 5; x < 235; ++x) ASSERT_NEAR(pixel(with, x, y)[0], pixel(without, x, y)[0], 3);
}

TEST(Picture, SizesThatCannotBe) {
  EXPECT_THROW(renderer().picture(scene({}), {.width = 0, .height = 10}), Error);
  EXPECT_THROW(renderer().picture(scene({}), {.width = 10, .height = 1 << 20}), Error);
}

}  // namespace
}  // namespace isolume::test
