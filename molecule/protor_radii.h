// Radii of united atoms for accessible areas: ProtOr.
#pragma once

#include <optional>
#include <string_view>

namespace isolume {

/// The radius (angstrom) of a heavy atom with its hydrogens in a residue of a protein, by the kind of atom (Tsai,
/// Taylor, Chothia, Gerstein 1999, J. Mol. Biol. 290, 253, table 2): the radii that FreeSASA takes unless told
/// otherwise. Nothing for hydrogens and residues other than the twenty amino acids (and MSE, SEC).
std::optional<float> protor_radius(std::string_view residue, std::string_view atom);

}  // namespace isolume
