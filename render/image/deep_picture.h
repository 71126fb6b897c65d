// Pictures of more than 8 bits as files: TIFF and OpenEXR, with depth and objects.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "render/image/picture_layers.h"

namespace isolume {

/// What such a file says besides its pixels.
struct DeepTexts {
  std::string scene_key, scene;  ///< what draws it again, and the attribute's name in OpenEXR
  std::string program;
  /// Names of the numbers of `PictureLayers::objects`, and the small numbers that they have in the file.
  struct Object {
    std::uint16_t number = 0;
    std::string name;
  };
  std::map<std::uint32_t, Object> objects;
  double dpi = 0;  ///< stored where > 0
};

/// Whether this build has them: each needs a library that was there when it was built.
bool writes_tiff();
bool writes_exr();

/// The bytes of a TIFF of three pages: colours as sRGB of 16 bits with its ICC profile (with unassociated alpha where
/// any pixel is not opaque) and the scene as ImageDescription; depth as 32-bit floats; numbers of objects as 16 bits.
/// Compressed by Deflate; a BigTIFF where it may pass 4 GB. Throws Error.
std::string encode_tiff(const Image& image, const DeepTexts& texts);

/// The bytes of an OpenEXR file of one part: R, G, B, A as halves, linear and multiplied by alpha, Z as floats and id
/// as integers. Compressed by ZIP. Throws Error.
std::string encode_exr(const Image& image, const DeepTexts& texts);

/// An ICC profile (version 4) of sRGB, IEC 61966-2-1: its primaries, adapted to D50, and its transfer curve.
std::string srgb_profile();

}  // namespace isolume
