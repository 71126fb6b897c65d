// Outlines of single things: whose line is where, in which colour, and how wide.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/render/scenes.h"

namespace isolume::test {
namespace {

constexpr glm::u8vec4 grey(150, 150, 150, 255), green(0, 158, 115, 255), red(255, 0, 0, 255),
    plain_blue(0, 0, 255, 255);
constexpr int side = 200;  // pixels: ten for an angstrom

/// Two unlit balls of radius 4, the second to the right; nothing is lit, so that colours are exact.
class Outlines : public testing::Test {
 protected:
  Outlines()
      : view_(scene({item(sphere({-5, 0, 0}, 4, grey), 1, 1, false), item(sphere({5, 0, 0}, 4, green), 2, 1, false)})) {
    view_.camera.projection = Camera::Projection::orthographic;
    view_.traits.assign(2, {ItemTraits::Kind::atoms, {}});
    for (auto& each : view_.items) {
      auto lit = std::make_shared<DrawItem>(*each);
      lit->lit = true;  // what is unlit has no outline
      each = lit;
    }
    view_.look.diffuse = view_.look.specular = 0;
    view_.look.ambient = 1;
  }
  Image draw(int largest_tile = 4096) {
    PictureOptions options;
    options.width = options.height = side;
    options.samples = 1;
    options.largest_tile = largest_tile;
    return renderer().picture(view_, options);
  }
  static Outline own(glm::u8vec4 colour, float width) { return {Outline::Mode::on, width, colour}; }
  /// Pixels of a colour in the left (0) and the right (1) half.
  static std::array<int, 2> count(const Image& image, glm::u8vec4 colour) {
    std::array<int, 2> n{};
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x) {
        const auto p = pixel(image, x, y);
        const bool same =
            std::abs(p[0] - colour.r) <= 1 && std::abs(p[1] - colour.g) <= 1 && std::abs(p[2] - colour.b) <= 1;
        n[x < image.width / 2 ? 0 : 1] += same;
      }
    return n;
  }

  SceneView view_;
};

TEST_F(Outlines, OneThingHasItsOwnColourAndWidth) {
  for (const int width : {3, 6}) {
    view_.traits[0].outline = own(red, static_cast<float>(width));
    const auto n = count(draw(), red);
    // A ring around the disc of 40 pixels: eight steps outwards, so its area is that of the ring within a tenth.
    const double ring = M_PI * (std::pow(40 + width, 2) - 40 * 40);
    EXPECT_NEAR(n[0], ring, 0.12 * ring + 10) << width;
    EXPECT_EQ(n[1], 0) << "the other one has none";
    EXPECT_EQ(pixel(draw(), 50, 100 - 40 - width - 2), (std::array<int, 4>{255, 255, 255, 255}));
  }
}

TEST_F(Outlines, OneThingIsLeftOutOfTheScenesOutlines) {
  view_.look.outlines = true;
  view_.look.outline_width = 2;
  const Image both = draw();
  const auto dark = [](const Image& image) {
    std::array<int, 2> n{};
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x) {
        const auto p = pixel(image, x, y);
        n[x < image.width / 2 ? 0 : 1] += std::max({p[0], p[1], p[2]}) < 120;
      }
    return n;
  };
  EXPECT_GT(dark(both)[0], 300);
  EXPECT_NEAR(dark(both)[0], dark(both)[1], 30);
  view_.traits[1].outline.mode = Outline::Mode::off;
  const Image one = draw();
  EXPECT_EQ(dark(one)[1], 0);
  EXPECT_EQ(dark(one)[0], dark(both)[0]);
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side / 2; ++x) ASSERT_EQ(pixel(one, x, y), pixel(both, x, y)) << "the other is as it was";
  view_.traits[1].outline = own(plain_blue, 2);
  EXPECT_GT(count(draw(), plain_blue)[1], 300);
  EXPECT_EQ(count(draw(), plain_blue)[0], 0);
}

TEST_F(Outlines, TheLineBelongsToWhatIsInFront) {
  // The second ball half behind the first.
  view_.items[1] = item(sphere({0, 0, -6}, 6, green), 2);
  view_.traits[0].outline = own(red, 3);
  view_.traits[1].outline = own(plain_blue, 3);
  const Image picture = draw();
  // On the row through the middle the first ball ends at x = 90, before the second.
  bool red_there = false, blue_there = false;
  for (int x = 88; x < 96; ++x) {
    const auto p = pixel(picture, x, 100);
    red_there = red_there || (p[0] > 240 && p[1] < 15 && p[2] < 15);
    blue_there = blue_there || (p[2] > 240 && p[0] < 15 && p[1] < 15);
  }
  EXPECT_TRUE(red_there);
  EXPECT_FALSE(blue_there);
  EXPECT_GT(count(picture, plain_blue)[1], 200);
}

TEST_F(Outlines, TilesOfALargePictureHaveTheSameLines) {
  view_.traits[0].outline = own(red, 6);
  view_.traits[1].outline = own(plain_blue, 2);
  EXPECT_EQ(draw().rgba, draw(64).rgba);
}

TEST_F(Outlines, ClearThingsHaveThem) {
  auto clear = std::make_shared<DrawItem>(*view_.items[0]);
  clear->opacity = 0.4f;
  view_.items[0] = clear;
  view_.traits[0].outline = own(red, 3);
  const auto n = count(draw(), red);
  EXPECT_GT(n[0], 500);
  EXPECT_EQ(n[1], 0);
  view_.traits[0].outline.mode = Outline::Mode::off;
  EXPECT_EQ(count(draw(), red)[0], 0);
}

}  // namespace
}  // namespace isolume::test
