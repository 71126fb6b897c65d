// What formats of more than 8 bits keep of a picture: linear colours, depth, and which object is at a pixel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "render/image/image.h"

namespace isolume {

/// Of each pixel of an Image, top row first.
struct PictureLayers {
  /// Red, green, blue and alpha in linear light (the primaries of sRGB), colours multiplied by alpha.
  std::vector<float> linear;
  /// Angstrom from the eye, along its direction, to the nearest thing that is drawn at the middle of the pixel;
  /// infinite where there is none. Transparent surfaces count; clouds, labels and legends do not.
  std::vector<float> depth;
  /// DrawItem::object of that thing; 0 where there is none, or it is none that can be picked.
  std::vector<std::uint32_t> objects;

  /// Transparent black, infinitely far.
  explicit PictureLayers(std::size_t pixels);

  /// Bytes a pixel of all of it.
  static constexpr std::size_t bytes = 6 * sizeof(float);
};

/// The linear value of an sRGB value, both 0 to 1, and back (IEC 61966-2-1).
float to_linear(float value);
float to_srgb(float value);

/// Takes what was written over a picture since its pixels were `before` into the layers: labels and legends.
void take_overlay(Image& image, const std::vector<std::uint8_t>& before);

/// Straight sRGB with alpha, 0 to 65535, of a row of the layers.
void straight_row(const PictureLayers& layers, int width, int row, std::vector<std::uint16_t>& rgba);

}  // namespace isolume
