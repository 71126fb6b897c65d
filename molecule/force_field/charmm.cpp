// CharmmParameters: keys, and files that follow one another.
#include "molecule/force_field/charmm.h"

#include <algorithm>
#include <utility>

#include "molecule/force_field/charmm_lookup.h"

namespace isolume {

template <std::size_t count>
CharmmParameters::Types<count> charmm_key(CharmmParameters::Types<count> types) {
  CharmmParameters::Types<count> other = types;
  constexpr std::size_t half = count == 8 ? 4 : count;
  for (std::size_t begin = 0; begin < count; begin += half) {
    const auto from = static_cast<std::ptrdiff_t>(begin);
    const auto to = static_cast<std::ptrdiff_t>(begin + half);
    std::reverse(other.begin() + from, other.begin() + to);
    if (std::lexicographical_compare(types.begin() + from, types.begin() + to, other.begin() + from,
                                     other.begin() + to)) {
      std::copy(types.begin() + from, types.begin() + to, other.begin() + from);
    }
  }
  return other;
}

template <std::size_t count>
std::string charmm_words(const CharmmParameters::Types<count>& types) {
  std::string text;
  for (const std::string& type : types) text += (text.empty() ? "" : " ") + type;
  return text;
}

template CharmmParameters::Types<2> charmm_key(CharmmParameters::Types<2>);
template CharmmParameters::Types<3> charmm_key(CharmmParameters::Types<3>);
template CharmmParameters::Types<4> charmm_key(CharmmParameters::Types<4>);
template CharmmParameters::Types<8> charmm_key(CharmmParameters::Types<8>);
template std::string charmm_words(const CharmmParameters::Types<2>&);
template std::string charmm_words(const CharmmParameters::Types<3>&);
template std::string charmm_words(const CharmmParameters::Types<4>&);
template std::string charmm_words(const CharmmParameters::Types<8>&);

namespace {

/// Counts what changes.
struct Changes {
  std::size_t count = 0;
  std::string first;

  template <class Map>
  void merge(Map& into, const Map& from, const char* what) {
    for (const auto& [key, value] : from) {
      const auto [place, added] = into.insert({key, value});
      if (added || place->second == value) continue;
      if (count++ == 0) first = std::string(what) + " " + charmm_words(key);
      place->second = value;
    }
  }
};

}  // namespace

std::string CharmmParameters::append(const CharmmParameters& later) {
  Changes changes;
  for (const auto& [number, type] : later.numbers) {
    std::string& own = numbers[number];
    if (!own.empty() && own != type && changes.count++ == 0) {
      changes.first.assign("type ").append(std::to_string(number)).append(", ").append(own);
      changes.first.append(" before and ").append(type).append(" now");
    }
    own = type;
  }
  changes.merge(bonds, later.bonds, "bond");
  changes.merge(angles, later.angles, "angle");
  changes.merge(dihedrals, later.dihedrals, "dihedral");
  changes.merge(impropers, later.impropers, "improper");
  changes.merge(maps, later.maps, "map");
  changes.merge(radii, later.radii, "Lennard-Jones");
  changes.merge(pairs, later.pairs, "NBFIX");
  if (later.one_four) {
    if (one_four && *one_four != *later.one_four && changes.count++ == 0) changes.first = "E14FAC";
    one_four = later.one_four;
  }
  notes.insert(notes.end(), later.notes.begin(), later.notes.end());
  if (changes.count == 0) return {};
  return std::to_string(changes.count) +
         (changes.count == 1 ? " parameter replaces one" : " parameters replace those") + " of files before (" +
         (changes.count == 1 ? "" : "first: ") + changes.first + ").";
}

bool is_charmm_pattern(const std::string& type) {
  return type.find_first_of("*%#+") != std::string::npos;
}

bool charmm_pattern_fits(const std::string& pattern, const std::string& type) {
  constexpr std::size_t longest = 32;  // a name: or the pattern of a made-up file would take for ever
  if (pattern.size() > longest || type.size() > longest) return pattern == type;
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  // Which beginnings of the type the pattern fits so far.
  std::vector<bool> fits(type.size() + 1);
  fits[0] = true;
  for (const char c : pattern) {
    std::vector<bool> next(type.size() + 1);
    const bool many = c == '*' || c == '#';
    if (many) next[0] = fits[0];
    for (std::size_t n = 0; n < type.size(); ++n) {
      const bool one = c == '*' || c == '%' || ((c == '#' || c == '+') ? digit(type[n]) : c == type[n]);
      next[n + 1] = (many && fits[n + 1]) || (one && (many ? next[n] : fits[n]));
    }
    fits = std::move(next);
  }
  return fits.back();
}

}  // namespace isolume
