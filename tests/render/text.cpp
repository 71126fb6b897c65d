// Letters in pictures: their extent, their ink, their edges, and what is outside.
#include "render/image/text.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace isolume {
namespace {

Image blank(int width, int height, Ink ink = {255, 255, 255, 255}) {
  Image image{width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(4 * width * height))};
  fill_rectangle(image, 0, 0, width, height, ink);
  return image;
}

struct Box {
  int x0 = 1 << 20, y0 = 1 << 20, x1 = -1, y1 = -1;
};

/// The pixels that are not as they were.
Box changed(const Image& image, Ink before = {255, 255, 255, 255}) {
  Box box;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const auto* p = &image.rgba[static_cast<std::size_t>(4 * (y * image.width + x))];
      if (std::equal(before.begin(), before.end(), p)) continue;
      box = {std::min(box.x0, x), std::min(box.y0, y), std::max(box.x1, x), std::max(box.y1, y)};
    }
  return box;
}

TEST(Text, FillsTheBoxThatItPromises) {
  for (const double size : {9.0, 16.0, 47.5}) {
    Image image = blank(700, 100);
    draw_text(image, 20, 10, "Hgpotential (V)", size, {0, 0, 0, 255});
    const Box box = changed(image);
    EXPECT_GE(box.x0, 20);
    EXPECT_LE(box.x0, 20 + size / 3);
    EXPECT_LE(box.x1, 20 + text_width("Hgpotential (V)", size) + 1);
    EXPECT_GE(box.x1, 20 + 0.9 * text_width("Hgpotential (V)", size));
    EXPECT_GE(box.y0, 10);
    EXPECT_LE(box.y1, 10 + text_height(size) + 1);
    EXPECT_GT(box.y1 - box.y0, 0.7 * size);
  }
}

TEST(Text, WidthGrowsWithLettersAndSize) {
  EXPECT_EQ(text_width("", 20), 0);
  EXPECT_GT(text_width("mm", 20), text_width("m", 20));
  EXPECT_NEAR(text_width("isolume", 40), 2 * text_width("isolume", 20), 1e-3);
}

TEST(Text, LettersBeyondAsciiAreThere) {
  // Each differs from the sign for letters that the typeface lacks.
  const auto drawn = [](std::string_view text) {
    Image image = blank(60, 60);
    draw_text(image, 5, 5, text, 30, {0, 0, 0, 255});
    return image.rgba;
  };
  const auto missing = drawn("\uE123");
  for (const char* letter : {"\u00c5", "\u00b0", "\u00b2", "\u2212", "\u03c8", "\u03c0", "\u207b"})
    EXPECT_NE(drawn(letter), missing) << letter;
  EXPECT_EQ(drawn("\xff"), drawn("\uFFFD"));  // no UTF-8
  EXPECT_EQ(drawn("\xc3"), drawn("\uFFFD"));  // cut short
}

TEST(Text, EdgesAreSmoothAndInkIsKept) {
  Image image = blank(200, 60);
  draw_text(image, 5, 5, "O", 40, {200, 30, 10, 255});
  bool full = false, between = false;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
    full = full || (image.rgba[i] == 200 && image.rgba[i + 1] == 30 && image.rgba[i + 2] == 10);
    between = between || (image.rgba[i + 1] > 60 && image.rgba[i + 1] < 200);
  }
  EXPECT_TRUE(full);
  EXPECT_TRUE(between);
}

TEST(Text, OnNothingTheInkIsPureAndTheEdgesTransparent) {
  Image image = blank(80, 60, {0, 0, 0, 0});
  draw_text(image, 5, 5, "S", 40, {10, 200, 30, 255});
  bool edge = false;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
    if (image.rgba[i + 3] == 0) continue;
    ASSERT_EQ(image.rgba[i], 10);
    ASSERT_EQ(image.rgba[i + 1], 200);
    edge = edge || image.rgba[i + 3] < 255;
  }
  EXPECT_TRUE(edge);
}

TEST(Text, ARimSurroundsTheLetters) {
  Image image = blank(200, 80, {128, 128, 128, 255});
  draw_text(image, 20, 20, "H", 40, {0, 0, 0, 255}, 4, {255, 255, 255, 255});
  const Box with = changed(image, {128, 128, 128, 255});
  image = blank(200, 80, {128, 128, 128, 255});
  draw_text(image, 20, 20, "H", 40, {0, 0, 0, 255});
  const Box without = changed(image, {128, 128, 128, 255});
  EXPECT_NEAR(without.x0 - with.x0, 4, 1);
  EXPECT_NEAR(without.y0 - with.y0, 4, 1);
  EXPECT_NEAR(with.x1 - without.x1, 4, 1);
  EXPECT_NEAR(with.y1 - without.y1, 4, 1);
}

TEST(Text, WhatLiesOutsideIsNotDrawn) {
  for (const auto& [x, y] : {std::pair{-1000.0, 5.0}, {5.0, -1000.0}, {1e9, 5.0}, {400.0, 400.0}}) {
    Image image = blank(50, 50);
    draw_text(image, x, y, "outside", 20, {0, 0, 0, 255}, 2);
    EXPECT_EQ(changed(image).x1, -1);
  }
  Image image = blank(50, 50);
  draw_text(image, -10, -5, "WWWWWWWWWWWW", 40, {0, 0, 0, 255}, 2);  // across every edge
  EXPECT_GT(changed(image).x1, 40);
}

}  // namespace
}  // namespace isolume
