// Pictures in memory and as PNG.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace isolume {

struct PictureLayers;  // render/image/picture_layers.h
struct Overlay;        // render/image/canvas.h

/// Pixels, top row first, straight RGBA 8 bit.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgba;
  std::shared_ptr<PictureLayers> layers = nullptr;   ///< where they were asked for
  std::shared_ptr<const Overlay> overlay = nullptr;  ///< what is over it and no pixels, where it was asked for
};

/// The bytes of a PNG with `texts` as its metadata (iTXt); `dpi` > 0 is stored. Throws Error for sizes that make no
/// picture and names that PNG does not allow.
std::string encode_png(const Image& image, const std::map<std::string, std::string>& texts = {}, double dpi = 0);

/// Reads a PNG of any kind as RGBA. Throws Error (input). `texts` receives its metadata.
Image read_png(const std::string& path, std::map<std::string, std::string>* texts = nullptr);

/// Differences of two pictures of equal size as a person sees them, both from 0: `mean` of the absolute differences of
/// all channels, and structural dissimilarity 1 - SSIM (Wang et al. 2004, 8x8 windows on luma).
struct ImageDifference {
  double mean = 0;
  double dissimilarity = 0;
};
ImageDifference compare(const Image& a, const Image& b);

}  // namespace isolume
