// Enlarged pictures: linear between the pixels, upright, to the rim.
#include "app/window/viewport/enlarge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace isolume {
namespace {

/// Red grows to the right, green downwards; written from the bottom up.
QImage ramp(int width, int height) {
  QImage image(width, height, QImage::Format_RGB32);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) image.setPixel(x, height - 1 - y, qRgb(10 * x, 20 * y, 77));
  return image;
}

TEST(Enlarged, IsLinearBetweenMiddlesOfPixels) {
  const int width = 12, height = 9;
  for (const QSize size : {QSize(48, 36), QSize(31, 40), QSize(13, 9), QSize(12, 9)}) {
    const QImage large = enlarged(ramp(width, height), size);
    ASSERT_EQ(large.size(), size);
    for (int y = 0; y < size.height(); ++y)
      for (int x = 0; x < size.width(); ++x) {
        // Where the middle of this pixel is among those of the small picture.
        const double u = std::clamp((x + 0.5) * width / size.width() - 0.5, 0.0, width - 1.0);
        const double v = std::clamp((y + 0.5) * height / size.height() - 0.5, 0.0, height - 1.0);
        const QRgb pixel = large.pixel(x, y);
        EXPECT_NEAR(qRed(pixel), 10 * u, 1.01) << x << ' ' << y;
        EXPECT_NEAR(qGreen(pixel), 20 * v, 1.01) << x << ' ' << y;
        EXPECT_EQ(qBlue(pixel), 77);
        EXPECT_EQ(qAlpha(pixel), 255);
      }
  }
}

TEST(Enlarged, OfOnePixelIsItsColour) {
  QImage dot(1, 1, QImage::Format_RGB32);
  dot.fill(qRgb(255, 0, 128));
  const QImage large = enlarged(dot, {7, 5});
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 7; ++x) EXPECT_EQ(large.pixel(x, y), qRgb(255, 0, 128));
  EXPECT_TRUE(enlarged(QImage(), {0, 0}).isNull());
}

}  // namespace
}  // namespace isolume
