// Pictures as SVG and PDF: the pixels as an image, what is over them as text and shapes.
#pragma once

#include <string>

#include "render/image/canvas.h"
#include "render/image/png_head.h"

namespace isolume {

/// What is written into a vector picture apart from what it shows.
struct VectorTexts {
  std::string scene;    ///< JSON: an element of SVG's metadata, a file attached to a PDF
  std::string program;  ///< "Isolume 0.1.0"
  double dots = 0;      ///< pixels of an inch, which give its size on paper; above 0
};

/// Of an image without pixels only the overlay is written.
/// SVG 1.1: Image::overlay as <text>, in the typeface's name with the length that its letters have here, over the
/// pixels as PNG. The same bytes each time. Throws Error for sizes that make no picture.
std::string encode_svg(const Image& image, const VectorTexts& texts);
/// PDF 1.7: the letters of the typeface that are needed are in the file, and can be searched and copied. No date.
std::string encode_pdf(const Image& image, const VectorTexts& texts);

/// The scene that a file of these has, under the key "isolume-scene", and its pixels' size; no text where it has none.
/// Throws Error (input) where it is damaged.
PngHead svg_head(const std::string& path, const std::string& bytes);
PngHead pdf_head(const std::string& path, const std::string& bytes);

}  // namespace isolume
