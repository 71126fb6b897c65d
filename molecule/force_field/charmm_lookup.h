// What looks up CHARMM's parameters for the terms of a molecule.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "molecule/base/error.h"
#include "molecule/force_field/charmm.h"

namespace isolume {

/// Terms without parameters, by kind.
class MissingParameters {
 public:
  void add(const std::string& kind) {
    if (counts_[kind]++ == 0) order_.push_back(kind);
    ++terms_;
  }

  /// Throws Error (input) where there are some.
  void check() const {
    if (terms_ == 0) return;
    constexpr std::size_t named = 6;
    std::string text = "no parameters for " + std::to_string(terms_) + " terms of " + std::to_string(order_.size()) +
                       (order_.size() == 1 ? " kind: " : " kinds: ");
    for (std::size_t i = 0; i < std::min(named, order_.size()); ++i) text += (i > 0 ? ", " : "") + order_[i];
    if (order_.size() > named) text += " and " + std::to_string(order_.size() - named) + " more";
    throw Error(text + "; open the parameter files that have them as well", Error::Kind::input);
  }

 private:
  std::map<std::string, std::size_t> counts_;
  std::vector<std::string> order_;
  std::size_t terms_ = 0;
};

/// Results by the types of a term's atoms, as indices, so that strings are compared once for each combination of types.
template <std::size_t count, class Found>
class FoundByTypes {
 public:
  template <class Find>
  const Found& at(const std::array<std::uint16_t, count>& types, const Find& find) {
    const auto place = known_.lower_bound(types);
    if (place != known_.end() && place->first == types) return place->second;
    return known_.emplace_hint(place, types, find())->second;
  }

 private:
  std::map<std::array<std::uint16_t, count>, Found> known_;
};

/// Which of four types a wildcard stands for (bit k: the k-th), in the order in which parameters are looked for.
inline constexpr std::array<unsigned, 15> of_dihedrals = {0, 1, 8, 9, 2, 4, 3, 5, 6, 10, 12, 7, 11, 13, 14};
inline constexpr std::array<unsigned, 15> of_impropers = {0, 6, 1, 8, 9, 3, 12, 2, 4, 5, 10, 7, 11, 13, 14};

template <class Value>
const Value* find_torsion(const std::map<CharmmParameters::Types<4>, Value>& table,
                          const CharmmParameters::Types<4>& types, const std::array<unsigned, 15>& order) {
  for (const unsigned wild : order) {
    CharmmParameters::Types<4> key = types;
    for (std::size_t k = 0; k < 4; ++k) {
      if (wild >> k & 1U) key[k] = "X";
    }
    const auto found = table.find(charmm_key(std::move(key)));
    if (found != table.end()) return &found->second;
  }
  return nullptr;
}

/// Whether a type's name is one that a pattern stands for: "*" for any characters, "%" for one, "#" for any digits, "+"
/// for one digit (CHARMM's and X-PLOR's wildcards in NONBONDED and NBFIX).
bool charmm_pattern_fits(const std::string& pattern, const std::string& type);
bool is_charmm_pattern(const std::string& type);

/// What acts between atoms two and three bonds apart: exclusions and 1-4 pairs by the bonds, with the pairs that the
/// PSF excludes by itself. Throws Error (input) where an atom has more bonds than any molecule.
void set_charmm_exclusions(const CharmmTerms& terms, std::uint32_t atoms, double factor, ForceField& field);

}  // namespace isolume
