// PairExclusions: the pairs of atoms whose Coulomb interaction a force field leaves out or scales.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "molecule/topology.h"

namespace isolume {

struct ForceField;

/// Pairs in compressed rows: the partners of atom i are partners[offsets[i]] to partners[offsets[i + 1] - 1],
/// ascending; every pair is in both rows with the same value. With periodicity a pair means the two nearest images.
struct PairExclusions {
  std::vector<std::uint32_t> offsets;   ///< atoms + 1; empty where there are none
  std::vector<std::uint32_t> partners;  ///< atom indices
  std::vector<float> kept;              ///< the fraction of q_i q_j / r that stays: 0 excluded, 1/1.2 AMBER's 1-4

  bool empty() const { return partners.empty(); }
  std::size_t pairs() const { return partners.size() / 2; }
  /// Throws Error (usage) naming the first row that is not as described above.
  void check(std::size_t atoms) const;
};

/// A pair for make_exclusions().
struct ExcludedPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  float kept = 0;
};

/// Rows from a list of pairs in any order; of a pair that is given more than once the least value counts. Throws Error
/// (usage) for indices out of range and pairs of an atom with itself.
PairExclusions make_exclusions(std::size_t atoms, std::vector<ExcludedPair> pairs);

/// Atoms one or two bonds apart excluded (1-2, 1-3), three bonds apart scaled (1-4): `one_four` is 1 in CHARMM, 1/1.2
/// in AMBER, 0.5 in OPLS. A pair in a ring counts by its shortest path.
PairExclusions bonded_exclusions(const Topology& topology, double one_four);

/// The exclusions of a force field, its 1-4 pairs with their factors.
PairExclusions force_field_exclusions(const ForceField& field);

}  // namespace isolume
