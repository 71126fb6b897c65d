// IonKind: the ions that can be placed, the salts that they make, and how many of each are asked for.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace isolume {

struct IonKind {
  std::string_view name;  ///< of the atom and its residue in files: "NA"
  int element;            ///< atomic number
  int charge;             ///< e
  float radius;           ///< angstrom, crystal radius for six neighbours (Shannon 1976, doi:10.1107/S0567739476001551)
};

/// All that are known.
std::span<const IonKind> ion_kinds();

/// In any case, with or without its sign: "Na", "NA+", "Mg2+". Throws Error (usage) that lists the known ones.
const IonKind& ion_kind(std::string_view name);

/// A positive and a negative ion; `cations` and `anions` are those of one neutral unit: 1 and 2 in MgCl2.
struct Salt {
  const IonKind* cation;
  const IonKind* anion;
  int cations, anions;
};

/// "NaCl", "KBr", "MgCl2" in any case. Throws Error (usage) that names the known ions.
Salt salt_of(std::string_view formula);

struct IonCount {
  const IonKind* kind;
  int count;
};

/// "NA:10,CL:12"; empty for none. Throws Error (usage).
std::vector<IonCount> ion_counts(const std::string& text);

/// Units of a salt that make a concentration (mol/l) in a volume (angstrom^3): the nearest whole number.
int salt_units(double concentration, double volume);

/// Adds to `counts` (each kind once) the fewest ions of the salt that take a total charge of `charge` (e, whole) with
/// those ions to 0; never takes one away. Throws Error (usage) where the salt's charges cannot.
void add_neutralising(std::vector<IonCount>& counts, const Salt& salt, int charge);

enum class IonOrder {
  alternating,      ///< one of each kind in turn, first one whose charge is opposite to the solute's
  neutralise_first  ///< first such ions until the solute's charge is made up for, then one of each kind in turn
};

/// The order in which ions are placed. A solute without a charge counts as negative: cations go first.
std::vector<const IonKind*> ion_sequence(std::vector<IonCount> counts, int charge, IonOrder order);

}  // namespace isolume
