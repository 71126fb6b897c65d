// CharmmTerms and CharmmParameters: the contents of a PSF and of CHARMM's parameter files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "molecule/force_field/force_field.h"
#include "molecule/topology.h"

namespace isolume {

/// The terms that a PSF lists; atoms are indices into Topology::atoms, whose `type` names what to look up.
struct CharmmTerms {
  std::vector<double> charges;  ///< e
  std::vector<double> masses;   ///< Da
  std::vector<std::array<std::uint32_t, 2>> bonds;
  std::vector<std::array<std::uint32_t, 3>> angles;
  std::vector<std::array<std::uint32_t, 4>> dihedrals;
  std::vector<std::array<std::uint32_t, 4>> impropers;
  std::vector<std::array<std::uint32_t, 8>> cross_terms;  ///< two dihedrals of a correction map
  std::vector<std::array<std::uint32_t, 2>> excluded;     ///< pairs that the file itself excludes (!NNB), a < b
  /// What the file has and no force field of fixed charges on atoms: "12 lone pairs", "Drude oscillators"; else empty.
  std::string unsupported;

  bool operator==(const CharmmTerms&) const = default;
};

// Parameters in kcal/mol, angstrom and radians, as ForceField has them: no factor 1/2 that is not written there.

struct CharmmBond {
  double force = 0;   ///< kcal/(mol angstrom^2)
  double length = 0;  ///< angstrom
  bool operator==(const CharmmBond&) const = default;
};

struct CharmmAngle {
  double force = 0;  ///< kcal/(mol rad^2)
  double angle = 0;  ///< rad
  CharmmBond urey_bradley;
  bool operator==(const CharmmAngle&) const = default;
};

/// k [1 + cos(n phi - delta)], or k (phi - delta)^2 where n is 0.
struct CharmmTorsion {
  double force = 0;     ///< kcal/mol, or kcal/(mol rad^2)
  int periodicity = 0;  ///< n
  double phase = 0;     ///< delta, rad
  bool operator==(const CharmmTorsion&) const = default;
};

/// Of one type of atom: depth of the well and half the distance of its minimum.
struct CharmmRadius {
  double depth = 0, half = 0;      ///< kcal/mol, >= 0; angstrom
  double depth14 = 0, half14 = 0;  ///< the same for 1-4 pairs
  bool operator==(const CharmmRadius&) const = default;
};

/// Of a pair of types (NBFIX), in place of what the types would give: depth of the well and distance of its minimum.
struct CharmmPair {
  double depth = 0, distance = 0;      ///< kcal/mol, >= 0; angstrom
  double depth14 = 0, distance14 = 0;  ///< the same for 1-4 pairs
  bool operator==(const CharmmPair&) const = default;
};

/// Parameters by the names of types, in capitals; "X" stands for any type in torsions. Keys are those of
/// charmm_key(), so that a term and its mirror image find the same.
struct CharmmParameters {
  template <std::size_t count>
  using Types = std::array<std::string, count>;

  std::map<std::int64_t, std::string> numbers;  ///< types by their numbers (MASS), where these are above 0
  std::map<Types<2>, CharmmBond> bonds;
  std::map<Types<3>, CharmmAngle> angles;
  std::map<Types<4>, std::vector<CharmmTorsion>> dihedrals;  ///< of one quadruple each periodicity once
  std::map<Types<4>, CharmmTorsion> impropers;
  std::map<Types<8>, CorrectionMap> maps;
  std::map<std::string, CharmmRadius> radii;
  std::map<Types<2>, CharmmPair> pairs;
  std::optional<double> one_four;  ///< E14FAC: factor of the Coulomb energy of 1-4 pairs, where the file says one
  std::vector<std::string> notes;  ///< what was left aside or given twice, one sentence each

  bool operator==(const CharmmParameters&) const = default;

  /// Adds a file that was read later, whose entries count where both have some: whole sets of dihedrals too. Returns a
  /// sentence that says how many changed, and which first; empty where none did.
  std::string append(const CharmmParameters& later);
};

/// Of types and the same backwards the one that sorts first; of a correction map each half by itself.
template <std::size_t count>
CharmmParameters::Types<count> charmm_key(CharmmParameters::Types<count> types);

/// "CT1 NH1 C" for messages.
template <std::size_t count>
std::string charmm_words(const CharmmParameters::Types<count>& types);
inline std::string charmm_words(const std::string& type) {
  return type;
}

/// The force field that the terms of a PSF have by the parameters of their types. Atoms one and two bonds apart do not
/// act on each other, those three bonds apart by their own radii (NBXMOD 5, e14fac: 1 where no file says another).
/// Between types the root of the depths and the sum of the radii count (Lorentz, Berthelot), or an NBFIX. Types of
/// NONBONDED and NBFIX may have wildcards (charmm_pattern_fits()); an entry of the type's own name goes first. Of the
/// dihedrals that fit the one with the fewest wildcards counts; of impropers A B C D, A X X D, X B C D, X B C X,
/// X X C D, in this order (CHARMM documentation "parmfile"). Coulomb's constant is CODATA's.
/// Throws Error (input) where parameters are missing, naming the first few kinds and how many there are; where types
/// are numbers that no file names; where several entries with wildcards fit and differ; and for what
/// CharmmTerms::unsupported says.
ForceField charmm_force_field(const Topology& topology, const CharmmTerms& terms, const CharmmParameters& parameters);

}  // namespace isolume
