// What users of other programs type, in the words of this one.
#include "app/cli/other_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

struct Words {
  std::string_view there, here;
};

constexpr std::array styles{
    Words{"licorice", "sticks"},
    Words{"stick", "sticks"},
    Words{"cpk", "ball-and-stick"},
    Words{"ballandstick", "ball-and-stick"},
    Words{"ball", "ball-and-stick"},
    Words{"vdw", "spheres"},
    Words{"sphere", "spheres"},
    Words{"spacefill", "spheres"},
    Words{"newcartoon", "cartoon"},
    Words{"newribbons", "cartoon"},
    Words{"ribbons", "cartoon"},
    Words{"ribbon", "cartoon"},
    Words{"line", "lines"},
    Words{"wireframe", "lines"},
    Words{"wire", "lines"},
    Words{"dots", "points"},
    Words{"nonbonded", "points"},
    Words{"putty", "tube"},
    Words{"hbonds", "hydrogen-bonds"},
    Words{"bonds", "sticks"},
};

constexpr std::array surfaces{
    Words{"surface", "gaussian"}, Words{"quicksurf", "gaussian"}, Words{"surf", "ses"},
    Words{"msms", "ses"},         Words{"mesh", "gaussian"},      Words{"isosurface", "gaussian"},
};

constexpr std::array colourings{
    Words{"spectrum", "index"},   Words{"rainbow", "index"}, Words{"chainbow", "index"}, Words{"name", "element"},
    Words{"cpk", "element"},      Words{"atom", "element"},  Words{"ss", "structure"},   Words{"beta", "b-factor"},
    Words{"bfactor", "b-factor"}, Words{"b", "b-factor"},    Words{"resid", "residue"},  Words{"volume", "map"},
};

constexpr std::array subcommands{
    Words{"align", "compute fit"},
    Words{"superpose", "compute fit"},
    Words{"super", "compute fit"},
    Words{"esp", "compute potential"},
    Words{"mep", "compute potential"},
    Words{"pb", "compute potential"},
    Words{"mo", "compute orbital"},
    Words{"orbitals", "compute orbital"},
    Words{"pockets", "compute cavities"},
    Words{"voids", "compute cavities"},
    Words{"md", "compute dynamics"},
    Words{"minimise", "compute dynamics --minimise"},
    Words{"minimize", "compute dynamics --minimise"},
    Words{"area", "compute sasa"},
    Words{"draw", "render"},
    Words{"ray", "render"},
    Words{"show", "render"},
    Words{"png", "render"},
    Words{"save", "convert"},
    Words{"fetch", "a file; none is fetched"},
};

std::string lower(const std::string& word) {
  std::string out = word;
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
  return out;
}

template <std::size_t count>
std::string_view find(const std::array<Words, count>& list, const std::string& word) {
  const std::string small = lower(word);
  const auto found = std::find_if(list.begin(), list.end(), [&](const Words& w) { return w.there == small; });
  return found == list.end() ? std::string_view() : found->here;
}

}  // namespace

std::string own_style(const std::string& word) {
  if (const auto surface = find(surfaces, word); !surface.empty()) {
    throw Error(fmt::format("--style {}: a surface is no style; draw it with --surface {} (gaussian, ses, sas, vdw, "
                            "cavities or potential)",
                            word, surface),
                Error::Kind::usage);
  }
  const auto own = find(styles, word);
  return own.empty() ? word : std::string(own);
}

std::string own_colouring(const std::string& word) {
  const auto own = find(colourings, word);
  return own.empty() ? word : std::string(own);
}

std::string own_subcommand(const std::string& word) {
  const auto own = find(subcommands, word);
  return own.empty() ? std::string() : "; for that: " + std::string(own);
}

}  // namespace isolume::cli
