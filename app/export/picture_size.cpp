// Sizes of pictures on paper, and those that journals ask for.
#include "app/export/picture_size.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "molecule/base/error.h"
#include "molecule/base/nearest.h"

namespace isolume {
namespace {

// Where a guide gives inches, points or picas, their millimetres; 1 pt is 1/72 inch. Where it asks for 300 dots per
// inch of photographs and for more of what has letters, the legends of a picture are letters.
constexpr char nature[] = "research-figure-guide.nature.com, Building and exporting figure panels";
constexpr char science[] = "science.org, Instructions for preparing a revised manuscript, Preparing figures";
constexpr char acs[] = "pubs.acs.org, Preparing manuscript graphics: 3.25 in and 7 in wide, 9.5 in long";
constexpr char elsevier[] = "elsevier.com, Artwork and media instructions: sizing, and combinations at 500 dpi";
constexpr char pnas[] = "pnas.org, Digital art guidelines: 20.5, 27 and 42.125 picas, combinations at 600 dpi";

constexpr JournalSize sizes[] = {
    {"nature-1", "Nature, one column", 89, 170, 450, nature},
    {"nature-2", "Nature, two columns", 183, 170, 450, nature},
    {"science-1", "Science, one column", 57, 235, 400, science},
    {"science-2", "Science, two columns", 121, 235, 400, science},
    {"science-3", "Science, three columns", 184, 235, 400, science},
    {"acs-1", "ACS, one column", 82.5, 241, 600, acs},
    {"acs-2", "ACS, two columns", 177.8, 241, 600, acs},
    {"elsevier-1", "Elsevier, one column", 90, 240, 500, elsevier},
    {"elsevier-1.5", "Elsevier, one and a half columns", 140, 240, 500, elsevier},
    {"elsevier-2", "Elsevier, two columns", 190, 240, 500, elsevier},
    {"pnas-1", "PNAS, one column", 87, 225, 600, pnas},
    {"pnas-1.5", "PNAS, one and a half columns", 114, 225, 600, pnas},
    {"pnas-2", "PNAS, two columns", 178, 225, 600, pnas},
};

}  // namespace

std::span<const JournalSize> journal_sizes() {
  return sizes;
}

const JournalSize& journal_size(const std::string& key) {
  std::vector<std::string> keys;
  for (const JournalSize& size : sizes) {
    if (key == size.key) return size;
    keys.emplace_back(size.key);
  }
  throw Error(
      fmt::format("'{}' is no journal's size{}; there are {}", key, did_you_mean(key, keys), fmt::join(keys, ", ")),
      Error::Kind::usage);
}

int pixels_of(double millimetres, double dots) {
  return static_cast<int>(std::lround(millimetres / 25.4 * dots));
}

}  // namespace isolume
