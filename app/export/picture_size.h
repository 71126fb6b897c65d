// Sizes of pictures on paper, and those that journals ask for.
#pragma once

#include <span>
#include <string>

namespace isolume {

/// A width that a publisher prints figures at. Widths change now and then: the source is what it was taken from.
struct JournalSize {
  const char* key;     ///< "nature-1": as render --for takes it
  const char* name;    ///< "Nature, one column"
  double width;        ///< mm
  double tallest;      ///< mm, of a figure with room for its caption where the publisher says so
  double dots;         ///< per inch, at least, for colour pictures with lettering
  const char* source;  ///< the page of the publisher's guide
};

/// In the order of their publishers, narrow ones first.
std::span<const JournalSize> journal_sizes();

/// Throws Error (usage) that names those there are.
const JournalSize& journal_size(const std::string& key);

/// Millimetres at dots per inch in pixels, to the nearest.
int pixels_of(double millimetres, double dots);

}  // namespace isolume
