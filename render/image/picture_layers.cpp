// What formats of more than 8 bits keep of a picture.
#include "render/image/picture_layers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isolume {

PictureLayers::PictureLayers(std::size_t pixels)
    : linear(4 * pixels), depth(pixels, std::numeric_limits<float>::infinity()), objects(pixels) {}

float to_linear(float value) {
  return value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f);
}

float to_srgb(float value) {
  value = std::clamp(value, 0.0f, 1.0f);
  return value <= 0.0031308f ? value * 12.92f : 1.055f * std::pow(value, 1 / 2.4f) - 0.055f;
}

void take_overlay(Image& image, const std::vector<std::uint8_t>& before) {
  if (!image.layers || before.size() != image.rgba.size()) return;
  float linear_of[256];
  for (int i = 0; i < 256; ++i) linear_of[i] = to_linear(static_cast<float>(i) / 255);
  for (std::size_t i = 0; i < before.size(); i += 4) {
    const std::uint8_t* const now = image.rgba.data() + i;
    if (std::equal(now, now + 4, before.data() + i)) continue;
    const float alpha = static_cast<float>(now[3]) / 255;
    float* const out = image.layers->linear.data() + i;
    for (int c = 0; c < 3; ++c) out[c] = linear_of[now[c]] * alpha;
    out[3] = alpha;
  }
}

void straight_row(const PictureLayers& layers, int width, int row, std::vector<std::uint16_t>& rgba) {
  const auto count = static_cast<std::size_t>(width);
  rgba.resize(4 * count);
  const float* const from = layers.linear.data() + 4 * count * static_cast<std::size_t>(row);
  const auto whole = [](float value) { return static_cast<std::uint16_t>(std::lround(65535 * value)); };
  for (std::size_t i = 0; i < count; ++i) {
    const float* const p = from + 4 * i;
    const float alpha = std::clamp(p[3], 0.0f, 1.0f);
    for (std::size_t c = 0; c < 3; ++c) rgba[4 * i + c] = whole(to_srgb(p[c] / std::max(alpha, 1e-6f)));
    rgba[4 * i + 3] = whole(alpha);
  }
}

}  // namespace isolume
