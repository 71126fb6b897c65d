// What a picture's file says before its pixels, whichever format it is.
#pragma once

#include <string>

#include "render/image/png_head.h"

namespace isolume {

/// Size and texts of a PNG, of a TIFF's first page (its ImageDescription under that name), of an OpenEXR file (its
/// string attributes), or of an SVG or PDF of ours (the scene): the format is found by content. Takes memory for no
/// pixel. Throws Error (input).
PngHead read_picture_head(const std::string& path);

}  // namespace isolume
