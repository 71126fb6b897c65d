// The letters of the typeface that a document needs, as a TrueType file.
#pragma once

#include <set>
#include <string>

namespace isolume {

/// What a PDF says about the typeface; lengths in thousandths of the em.
struct TypefaceMetrics {
  int ascent = 0, descent = 0;
  int box[4] = {0, 0, 0, 0};
};
TypefaceMetrics typeface_metrics();

/// The width of a letter, thousandths of the em.
double glyph_width(int glyph);

/// The typeface with the outlines of `glyphs` alone; their numbers stay. The same bytes each time.
std::string typeface_subset(const std::set<int>& glyphs);

}  // namespace isolume
