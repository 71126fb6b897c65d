// What a PNG says before its pixels.
#pragma once

#include <map>
#include <string>

namespace isolume {

/// Size and metadata.
struct PngHead {
  int width = 0;
  int height = 0;
  std::map<std::string, std::string> texts;
};

/// Reads the size and the metadata that stand before the pixels, and takes memory for no pixel. Throws Error (input),
/// also where the file is too small for the pixels that it claims.
PngHead read_png_head(const std::string& path);

}  // namespace isolume
