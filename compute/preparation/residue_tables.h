// The built-in tables of residues: atoms, bonds, charges and radii of three published force fields.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace isolume {

/// Published sets of charges and radii, as the files of resources/tables state their sources.
enum class ChargeSet : unsigned char { ff14sb, charmm36, parse };

/// "ff14sb", "charmm36", "parse".
std::string_view charge_set_name(ChargeSet set);

/// One residue in one state (HID, ASH, NALA: first of a chain, CALA: last of a chain, DA5) with its charges.
struct ChargedResidue {
  struct Atom {
    std::string name;                       ///< as in version 3 of the PDB
    std::uint8_t element = 0;               ///< atomic number
    double charge = 0;                      ///< e
    float radius = 0;                       ///< angstrom
    bool linked = false;                    ///< bonded to another residue
    std::vector<std::uint16_t> neighbours;  ///< bonded atoms of the residue
  };
  std::string name;
  double total = 0;  ///< e, as the table states it
  std::vector<Atom> atoms;

  /// Index of an atom, atoms.size() where there is none.
  std::size_t find(std::string_view atom) const;
};

/// The residue of that name, null where the set has none.
const ChargedResidue* charged_residue(ChargeSet set, std::string_view name);

/// All residues of a set, sorted by name.
const std::vector<ChargedResidue>& charged_residues(ChargeSet set);

/// Whether any set has a residue of that name.
bool is_known_residue(std::string_view name);

}  // namespace isolume
