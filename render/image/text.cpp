// Letters in pictures: outlines of DejaVu Sans, drawn by stb_truetype.
#include "render/image/text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_truetype.h>
#pragma GCC diagnostic pop

#include "molecule/base/error.h"

// The typeface's file as it is, between two symbols.
asm(".section .rodata\n"
    ".balign 16\n"
    "isolume_typeface:\n"
    ".incbin \"" ISOLUME_TYPEFACE
    "\"\n"
    "isolume_typeface_end:\n"
    ".byte 0\n"
    ".previous\n");
extern "C" const unsigned char isolume_typeface[] __attribute__((visibility("hidden")));
extern "C" const unsigned char isolume_typeface_end[] __attribute__((visibility("hidden")));

namespace isolume {
namespace {

const stbtt_fontinfo& typeface() {
  static const stbtt_fontinfo info = [] {
    stbtt_fontinfo font;
    if (stbtt_InitFont(&font, isolume_typeface, 0) == 0) throw Error("the typeface of pictures is damaged");
    return font;
  }();
  return info;
}

struct Metrics {
  float scale;
  float ascent;   // pixels
  float descent;  // pixels, positive
};

Metrics metrics(double size) {
  int ascent = 0, descent = 0, gap = 0;
  stbtt_GetFontVMetrics(&typeface(), &ascent, &descent, &gap);
  const float scale = stbtt_ScaleForMappingEmToPixels(&typeface(), static_cast<float>(size));
  return {scale, scale * static_cast<float>(ascent), -scale * static_cast<float>(descent)};
}

// The next code point; what is no UTF-8 counts byte by byte as U+FFFD.
int next_code_point(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80         ? 1
                             : (first >> 5) == 6  ? 2
                             : (first >> 4) == 14 ? 3
                             : (first >> 3) == 30 ? 4
                                                  : 0;
  if (length == 0 || length > text.size()) {
    text.remove_prefix(1);
    return 0xFFFD;
  }
  int code = length == 1 ? first : first & (0x7F >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) >> 6) != 2) {
      text.remove_prefix(1);
      return 0xFFFD;
    }
    code = code << 6 | (byte(i) & 0x3F);
  }
  text.remove_prefix(length);
  return code;
}

struct Letter {
  int glyph;
  float x;  // of its origin, pixels from the line's left end
  int code;
  float advance;
};

std::vector<Letter> set_line(std::string_view text, float scale, float& width) {
  std::vector<Letter> letters;
  width = 0;
  int before = 0;
  while (!text.empty()) {
    const int code = next_code_point(text);
    const int glyph = stbtt_FindGlyphIndex(&typeface(), code);
    if (before != 0) width += scale * static_cast<float>(stbtt_GetGlyphKernAdvance(&typeface(), before, glyph));
    int advance = 0, bearing = 0;
    stbtt_GetGlyphHMetrics(&typeface(), glyph, &advance, &bearing);
    letters.push_back({glyph, width, code, scale * static_cast<float>(advance)});
    width += scale * static_cast<float>(advance);
    before = glyph;
  }
  return letters;
}

/// How much of each pixel of a rectangle is covered, 0 to 255.
struct Coverage {
  int left = 0, top = 0, width = 0, height = 0;
  std::vector<std::uint8_t> values;

  std::uint8_t at(int x, int y) const {
    if (x < 0 || y < 0 || x >= width || y >= height) return 0;
    return values[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
  }
};

Coverage cover(std::string_view text, double x, double y, double size, int margin) {
  const Metrics m = metrics(size);
  float width = 0;
  const std::vector<Letter> letters = set_line(text, m.scale, width);
  Coverage coverage;
  coverage.left = static_cast<int>(std::floor(x)) - margin - 1;
  coverage.top = static_cast<int>(std::floor(y)) - margin - 1;
  coverage.width = static_cast<int>(std::ceil(width)) + 2 * margin + 4;
  coverage.height = static_cast<int>(std::ceil(m.ascent + m.descent)) + 2 * margin + 4;
  coverage.values.resize(static_cast<std::size_t>(coverage.width) * static_cast<std::size_t>(coverage.height));
  const float origin_x = static_cast<float>(x) - static_cast<float>(coverage.left);
  const float baseline = static_cast<float>(y) - static_cast<float>(coverage.top) + m.ascent;
  for (const Letter& letter : letters) {
    const float pen = origin_x + letter.x;
    const float shift_x = pen - std::floor(pen), shift_y = baseline - std::floor(baseline);
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    stbtt_GetGlyphBitmapBoxSubpixel(&typeface(), letter.glyph, m.scale, m.scale, shift_x, shift_y, &x0, &y0, &x1, &y1);
    if (x1 <= x0 || y1 <= y0) continue;
    std::vector<std::uint8_t> bitmap(static_cast<std::size_t>(x1 - x0) * static_cast<std::size_t>(y1 - y0));
    stbtt_MakeGlyphBitmapSubpixel(&typeface(), bitmap.data(), x1 - x0, y1 - y0, x1 - x0, m.scale, m.scale, shift_x,
                                  shift_y, letter.glyph);
    for (int row = y0; row < y1; ++row)
      for (int column = x0; column < x1; ++column) {
        const int to_x = static_cast<int>(std::floor(pen)) + column,
                  to_y = static_cast<int>(std::floor(baseline)) + row;
        if (to_x < 0 || to_y < 0 || to_x >= coverage.width || to_y >= coverage.height) continue;
        std::uint8_t& value =
            coverage.values[static_cast<std::size_t>(to_y) * static_cast<std::size_t>(coverage.width) +
                            static_cast<std::size_t>(to_x)];
        value = std::max(value, bitmap[static_cast<std::size_t>(row - y0) * static_cast<std::size_t>(x1 - x0) +
                                       static_cast<std::size_t>(column - x0)]);
      }
  }
  return coverage;
}

// The largest coverage within `rim` pixels, fading over the last one.
Coverage widened(const Coverage& coverage, double rim) {
  Coverage wide = coverage;
  const int reach = static_cast<int>(std::ceil(rim));
  for (int y = 0; y < wide.height; ++y)
    for (int x = 0; x < wide.width; ++x) {
      double most = 0;
      for (int dy = -reach; dy <= reach; ++dy)
        for (int dx = -reach; dx <= reach; ++dx) {
          const double inside = std::clamp(rim + 0.5 - std::hypot(dx, dy), 0.0, 1.0);
          if (inside > 0) most = std::max(most, inside * coverage.at(x + dx, y + dy));
        }
      wide.values[static_cast<std::size_t>(y) * static_cast<std::size_t>(wide.width) + static_cast<std::size_t>(x)] =
          static_cast<std::uint8_t>(std::lround(most));
    }
  return wide;
}

void blend(std::uint8_t* pixel, Ink ink, double coverage) {
  const double over = coverage * ink[3] / 255.0;
  const double under = pixel[3] / 255.0 * (1 - over);
  const double alpha = over + under;
  if (alpha <= 0) return;
  for (int c = 0; c < 3; ++c)
    pixel[c] =
        static_cast<std::uint8_t>(std::lround((over * ink[static_cast<std::size_t>(c)] + under * pixel[c]) / alpha));
  pixel[3] = static_cast<std::uint8_t>(std::lround(255 * alpha));
}

std::uint8_t* pixel_of(Image& image, int x, int y) {
  return &image.rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                          static_cast<std::size_t>(x))];
}

void stamp(Image& image, const Coverage& coverage, Ink ink) {
  for (int y = std::max(0, -coverage.top); y < std::min(coverage.height, image.height - coverage.top); ++y)
    for (int x = std::max(0, -coverage.left); x < std::min(coverage.width, image.width - coverage.left); ++x)
      if (const std::uint8_t value = coverage.at(x, y); value > 0)
        blend(pixel_of(image, coverage.left + x, coverage.top + y), ink, value / 255.0);
}

}  // namespace

std::span<const unsigned char> typeface_file() {
  return {isolume_typeface, isolume_typeface_end};
}

double text_width(std::string_view text, double size) {
  float width = 0;
  set_line(text, metrics(size).scale, width);
  return width;
}

double text_height(double size) {
  const Metrics m = metrics(size);
  return m.ascent + m.descent;
}

double text_ascent(double size) {
  return metrics(size).ascent;
}

std::vector<SetLetter> set_text(std::string_view text, double size) {
  std::vector<SetLetter> out;
  float width = 0;
  for (const Letter& letter : set_line(text, metrics(size).scale, width))
    out.push_back({letter.glyph, letter.code, letter.x, letter.advance});
  return out;
}

std::vector<OutlinePiece> text_outline(std::string_view text, double size) {
  std::vector<OutlinePiece> pieces;
  const double scale = metrics(size).scale;
  for (const SetLetter& letter : set_text(text, size)) {
    stbtt_vertex* vertices = nullptr;
    const int count = stbtt_GetGlyphShape(&typeface(), letter.glyph, &vertices);
    for (int i = 0; i < count; ++i) {
      const stbtt_vertex& v = vertices[i];
      const auto at = [&](double x, double y) { return std::array<double, 2>{letter.x + scale * x, -scale * y}; };
      if (v.type == STBTT_vmove) pieces.push_back({0, {at(v.x, v.y)}});
      if (v.type == STBTT_vline) pieces.push_back({1, {at(v.x, v.y)}});
      if (v.type == STBTT_vcurve) pieces.push_back({2, {at(v.cx, v.cy), at(v.x, v.y)}});
      if (v.type == STBTT_vcubic) pieces.push_back({3, {at(v.cx, v.cy), at(v.cx1, v.cy1), at(v.x, v.y)}});
    }
    stbtt_FreeShape(&typeface(), vertices);
  }
  return pieces;
}

void draw_text(Image& image, double x, double y, std::string_view text, double size, Ink ink, double rim, Ink rim_ink) {
  if (!(size > 0) || size > 4096 || !std::isfinite(x) || !std::isfinite(y) || std::abs(x) > 1e6 || std::abs(y) > 1e6)
    return;
  const Coverage coverage = cover(text, x, y, size, static_cast<int>(std::ceil(rim)));
  if (rim > 0) stamp(image, widened(coverage, rim), rim_ink);
  stamp(image, coverage, ink);
}

void fill_rectangle(Image& image, int x0, int y0, int x1, int y1, Ink ink) {
  for (int y = std::max(0, y0); y < std::min(image.height, y1); ++y)
    for (int x = std::max(0, x0); x < std::min(image.width, x1); ++x)
      std::copy(ink.begin(), ink.end(), pixel_of(image, x, y));
}

}  // namespace isolume
