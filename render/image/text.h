// Letters in pictures: one typeface that travels with the program, so that pictures are the same on every machine.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "render/image/image.h"

namespace isolume {

/// Pixels of an inch on a screen, and in pictures that do not say it.
constexpr double screen_dots = 96;

using Ink = std::array<std::uint8_t, 4>;  ///< straight RGBA

/// The file of the typeface (TrueType), for whoever has no other.
std::span<const unsigned char> typeface_file();

/// Pixels from the left end of a line of UTF-8 text to its right end, for letters of `size` pixels to the em.
double text_width(std::string_view text, double size);

/// Pixels from the top of the tallest letters to the bottom of the lowest.
double text_height(double size);

/// Pixels from the top of the tallest letters to the line that letters stand on.
double text_ascent(double size);

/// A letter of a line: its number in the typeface, its place and its width there, in pixels.
struct SetLetter {
  int glyph = 0;
  int code = 0;  ///< Unicode
  double x = 0, advance = 0;
};
std::vector<SetLetter> set_text(std::string_view text, double size);

/// A piece of a letter's edge, y down from the line that letters stand on: a move, a line, or a curve of second or
/// third degree whose control points come first.
struct OutlinePiece {
  int degree = 0;
  std::array<std::array<double, 2>, 3> points{};  ///< `degree` of them; one of a move (degree 0)
};
/// The edges of a line's letters from its left end on, each closed.
std::vector<OutlinePiece> text_outline(std::string_view text, double size);

/// Writes a line of UTF-8 text with its upper left corner at (x, y) pixels, smooth at its edges. With `rim` > 0 it
/// is on a border of that many pixels in `rim_ink`, which keeps it readable over anything. What is outside the
/// picture is not drawn; bytes that are no UTF-8 and letters that the typeface lacks become its sign for them.
void draw_text(Image& image, double x, double y, std::string_view text, double size, Ink ink, double rim = 0,
               Ink rim_ink = {255, 255, 255, 255});

/// Fills the pixels of [x0, x1) x [y0, y1) that lie in the picture.
void fill_rectangle(Image& image, int x0, int y0, int x1, int y1, Ink ink);

}  // namespace isolume
