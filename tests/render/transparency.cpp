// Tests of transparency: right by the formula, and the same whatever the order.
#include <algorithm>

#include "tests/render/scenes.h"

namespace isolume::test {
namespace {

double to_linear(double c) {
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}
double to_srgb(double c) {
  return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
}

TEST(Transparency, NestedSurfacesBlendLayerByLayer) {
  const glm::u8vec4 outer(40, 120, 230, 255), inner(230, 90, 30, 255);
  SceneView view = scene({item(surface(ball({0, 0, 0}, 3), inner), 1, 0.6f, false),
                          item(surface(ball({0, 0, 0}, 7), outer), 2, 0.3f, false)});
  const Image image = renderer().picture(view, {.width = 101, .height = 101, .samples = 1});
  // From behind: outer wall, inner wall, inner wall, outer wall, over white, in linear light.
  for (int channel = 0; channel < 3; ++channel) {
    const double o = to_linear(outer[channel] / 255.0), i = to_linear(inner[channel] / 255.0);
    double c = 1.0;
    c = 0.7 * c + 0.3 * o;
    c = 0.4 * c + 0.6 * i;
    c = 0.4 * c + 0.6 * i;
    c = 0.7 * c + 0.3 * o;
    EXPECT_NEAR(pixel(image, 50, 50)[static_cast<std::size_t>(channel)], 255 * to_srgb(c), 1.5)
        << "channel " << channel;
  }
}

TEST(Transparency, TransparentBeforeAndBehindAnOpaqueThing) {
  const glm::u8vec4 grey(128, 128, 128, 255), red(255, 0, 0, 255);
  // The opaque sphere hides the far wall of the ball around it.
  SceneView view =
      scene({item(surface(ball({0, 0, 0}, 7), red), 1, 0.5f, false), item(sphere({0, 0, 0}, 3, grey), 2, 1, false)});
  const Image image = renderer().picture(view, {.width = 101, .height = 101, .samples = 1});
  const double grey_linear = to_linear(128 / 255.0);
  EXPECT_NEAR(pixel(image, 50, 50)[0], 255 * to_srgb(0.5 + 0.5 * grey_linear), 1.5);
  EXPECT_NEAR(pixel(image, 50, 50)[1], 255 * to_srgb(0.5 * grey_linear), 1.5);
}

TEST(Transparency, PictureDoesNotDependOnTheOrderOfItems) {
  std::vector<std::shared_ptr<const DrawItem>> items = {
      item(surface(ball({-2, 0, 1}, 4), {220, 60, 40, 255}), 1, 0.5f),
      item(surface(ball({2, 1, 0}, 4.5f), {60, 160, 60, 255}), 2, 0.4f),
      item(surface(ball({0, -2, -1}, 3.7f), {60, 80, 220, 255}), 3, 0.6f),
      item(sphere({1, 2, 2}, 2.5f, {240, 200, 40, 255}), 4, 0.7f),
      item(cylinder({-7, -3, 0}, {7, 3, 1}, 0.8f, {20, 20, 20, 255}, {200, 20, 200, 255}), 5, 0.5f),
      item(sphere({0, 0, 0}, 1.5f, {150, 150, 150, 255}), 6, 1),
  };
  SceneView view = scene(items);
  view.look = Look();
  const PictureOptions options{.width = 160, .height = 120, .samples = 4};
  const Image first = renderer().picture(view, options);
  std::sort(view.items.begin(), view.items.end());
  for (int i = 0; i < 5; ++i) {
    std::rotate(view.items.begin(), view.items.begin() + 1, view.items.end());
    if (i % 2) std::reverse(view.items.begin(), view.items.end());
    EXPECT_EQ(renderer().picture(view, options).rgba, first.rgba);
  }
}

TEST(Transparency, ColoursWithAlphaAreTransparent) {
  const glm::u8vec4 half(0, 0, 0, 128);
  const SceneView view = scene({item(sphere({0, 0, 0}, 5, half), 1, 1, false)});
  const Image image = renderer().picture(view, {.width = 61, .height = 61, .samples = 1});
  EXPECT_NEAR(pixel(image, 30, 30)[0], 255 * to_srgb(1 - 128 / 255.0), 1.5);
}

}  // namespace
}  // namespace isolume::test
