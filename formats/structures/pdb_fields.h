// Fields of PDB records: numbers with their overflow conventions, coordinates, cell.
#pragma once

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "formats/bytes/text.h"
#include "molecule/cell.h"

namespace isolume::pdb {

/// True for ATOM and HETATM records.
bool is_atom(std::string_view line);

/// A number of `field`'s width in decimal or in hybrid-36 (Grosse-Kunstleve, Adams and Adams, "hybrid_36", cctbx: after
/// 99999 comes A0000, after ZZZZZ a0000), or in hexadecimal as VMD and psfgen write it after 99999. Empty where it is
/// none of them (overflow stars).
std::optional<std::int32_t> number(std::string_view field);

/// The residue number out of columns 23 to 27 and what is left as insertion code.
struct ResidueNumber {
  std::int32_t value = 0;
  char insertion = ' ';
};
std::optional<ResidueNumber> residue_number(std::string_view line, std::size_t first_column = 23);

/// Coordinates of an ATOM record, columns 31 to 54, in angstrom. Fails at the scanner's line.
glm::dvec3 position(const LineScanner& scanner);

/// The cell of a CRYST1 record; no cell where it is the unit cube that stands for "none" (NMR, models) or zero. Empty
/// where the record makes no sense.
std::optional<Cell> cell(std::string_view line);

/// True where an ATOM line has its numbers in the columns of the format: points at columns 35, 43, 51, and, where
/// occupancy and B factor are there, two decimals each.
bool has_pdb_columns(std::string_view line);

/// Anisotropic displacement of an ANISOU record, columns 29 to 70, in angstrom^2: U11 U22 U33 U12 U13 U23. Empty where
/// a number is none.
std::optional<std::array<float, 6>> displacement(std::string_view line);

/// The element of an AutoDock atom type: A carbon, HD hydrogen, NA nitrogen, OA oxygen, SA sulfur, Cl chlorine; 0 for
/// its points without an element. Empty where it is none.
std::optional<std::uint8_t> autodock_element(std::string_view type);

/// Formal charge in e out of columns 79 and 80 ("2+", "1-", "+1"), 0 where there is none.
std::int8_t formal_charge(std::string_view line);

/// A residue or chain name: columns without blanks, made harmless.
std::string name(std::string_view line, std::size_t first, std::size_t last);
/// One column as a character, ' ' where it is missing or a control character.
char letter(std::string_view line, std::size_t column);

}  // namespace isolume::pdb
