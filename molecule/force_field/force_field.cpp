// ForceField: its invariants.
#include "molecule/force_field/force_field.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "molecule/base/error.h"

namespace isolume {
namespace {

[[noreturn]] void broken(const std::string& what) {
  throw Error("force field: " + what);
}

void check_length(std::size_t length, std::size_t expected, const char* what) {
  if (length != expected) {
    broken(std::string(what) + " has " + std::to_string(length) + " entries, expected " + std::to_string(expected));
  }
}

void check_finite(const std::vector<double>& values, const char* what) {
  for (const double value : values) {
    if (!std::isfinite(value)) broken(std::string(what) + " has a number that is not finite");
  }
}

template <class Term>
void check_terms(const std::vector<Term>& terms, std::size_t atoms, const char* what) {
  for (const Term& term : terms) {
    for (const std::uint32_t atom : term.atoms) {
      if (atom >= atoms) {
        broken(std::string(what) + " names atom " + std::to_string(atom) + " of " + std::to_string(atoms));
      }
    }
  }
}

}  // namespace

bool ForceField::excludes(std::uint32_t a, std::uint32_t b) const {
  if (a > b) std::swap(a, b);
  if (b >= atom_count()) return false;
  return std::binary_search(excluded.begin() + exclusion_offsets[a], excluded.begin() + exclusion_offsets[a + 1], b);
}

void ForceField::validate() const {
  const std::size_t atoms = charges.size();
  check_length(masses.size(), atoms, "masses");
  check_length(types.size(), atoms, "types");
  const std::size_t table = std::size_t{type_count} * type_count;
  check_length(lj_a.size(), table, "lj_a");
  check_length(lj_b.size(), table, "lj_b");
  if (!lj14_a.empty() || !lj14_b.empty()) {
    check_length(lj14_a.size(), table, "lj14_a");
    check_length(lj14_b.size(), table, "lj14_b");
  }
  for (const std::uint32_t type : types) {
    if (type >= type_count) broken("type " + std::to_string(type) + " of " + std::to_string(type_count));
  }
  check_finite(charges, "charges");
  check_finite(masses, "masses");
  check_finite(lj_a, "lj_a");
  check_finite(lj_b, "lj_b");
  check_finite(lj14_a, "lj14_a");
  check_finite(lj14_b, "lj14_b");
  check_terms(bonds, atoms, "a bond");
  check_terms(urey_bradley, atoms, "a Urey-Bradley term");
  check_terms(angles, atoms, "an angle");
  check_terms(dihedrals, atoms, "a dihedral");
  check_terms(impropers, atoms, "an improper");
  check_terms(corrections, atoms, "a correction");
  for (const CorrectionTerm& term : corrections) {
    if (term.map >= maps.size()) broken("a correction names map " + std::to_string(term.map));
  }
  for (const CorrectionMap& map : maps) {
    if (map.size < 1) broken("a correction map of size " + std::to_string(map.size));
    check_length(map.energies.size(), static_cast<std::size_t>(map.size) * static_cast<std::size_t>(map.size),
                 "a correction map");
    check_finite(map.energies, "a correction map");
  }
  check_length(exclusion_offsets.size(), atoms + 1, "exclusion_offsets");
  if (exclusion_offsets.front() != 0 || exclusion_offsets.back() != excluded.size()) {
    broken("exclusion_offsets do not span the exclusions");
  }
  for (std::size_t a = 0; a < atoms; ++a) {
    const std::size_t begin = exclusion_offsets[a];
    const std::size_t end = exclusion_offsets[a + 1];
    if (begin > end || end > excluded.size()) broken("exclusion_offsets do not ascend");
    for (std::size_t i = begin; i < end; ++i) {
      if (excluded[i] >= atoms || excluded[i] <= (i == begin ? a : excluded[i - 1])) {
        broken("the exclusions of atom " + std::to_string(a) + " are out of order");
      }
    }
  }
  for (std::size_t i = 0; i < pairs14.size(); ++i) {
    const Pair14& pair = pairs14[i];
    if (pair.a >= pair.b || pair.b >= atoms) broken("a 1-4 pair of atoms that are not in order");
    if (i > 0 && std::pair(pairs14[i - 1].a, pairs14[i - 1].b) >= std::pair(pair.a, pair.b)) {
      broken("1-4 pairs are out of order");
    }
    if (!excludes(pair.a, pair.b)) broken("a 1-4 pair is not among the exclusions");
  }
}

}  // namespace isolume
