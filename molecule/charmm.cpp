// CharmmParameters: keys, and files that follow one another.
#include "molecule/charmm.h"

#include <algorithm>
#include <utility>

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

std::string words(const std::string& type) {
  return type;
}
template <std::size_t count>
std::string words(const CharmmParameters::Types<count>& types) {
  return charmm_words(types);
}

/// Counts what changes.
struct Changes {
  std::size_t count = 0;
  std::string first;

  template <class Map>
  void merge(Map& into, const Map& from, const char* what) {
    for (const auto& [key, value] : from) {
      const auto [place, added] = into.insert({key, value});
      if (added || place->second == value) continue;
      if (count++ == 0) first = std::string(what) + " " + words(key);
      place->second = value;
    }
  }
};

}  // namespace

std::string CharmmParameters::append(const CharmmParameters& later) {
  for (const auto& [number, type] : later.numbers) numbers[number] = type;
  Changes changes;
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

}  // namespace isolume
