// How hydrophobic amino acids are, on three published scales.
#pragma once

#include <optional>
#include <string_view>

namespace isolume {

enum class HydrophobicityScale { kyte_doolittle, eisenberg, wimley_white };

/// The value of a residue by its name ("ALA", also of other protonation states and force fields: "HID", "CYX"), none
/// where it is no standard amino acid.
///
/// * kyte_doolittle: hydropathy, hydrophobic above 0, -4.5 to 4.5 (J. Kyte and R. F. Doolittle, J. Mol. Biol. 157
/// (1982)
///   105, table 2).
/// * eisenberg: consensus scale, hydrophobic above 0, -2.53 to 1.38 (D. Eisenberg, E. Schwarz, M. Komaromy and R. Wall,
///   J. Mol. Biol. 179 (1984) 125).
/// * wimley_white: free energy of transfer from water to the interface of a POPC bilayer, kcal/mol, hydrophobic below
///   0, -1.85 to 2.02; His neutral, Asp and Glu charged (W. C. Wimley and S. H. White, Nat. Struct. Biol. 3 (1996) 842,
///   table 2).
std::optional<double> hydrophobicity(std::string_view residue_name, HydrophobicityScale scale);

}  // namespace isolume
