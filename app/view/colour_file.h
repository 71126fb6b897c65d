// Colours of atoms from a file: a table of numbers or colours, or an alignment whose conservation is shown.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "molecule/topology.h"
#include "render/represent/colour.h"

namespace isolume {

/// The colours by the file `path`, and their key.
///
/// A table is a CSV file with a heading. Columns that name atoms: chain, number (resid), residue (resname), atom
/// (name), index (from 0), serial; one at least. Then a column `colour` (#rrggbb), perhaps with a column `label` for
/// the key, or a column of numbers, whose name is the title of the scale; without one that is named value the last
/// column is taken. A later line wins. Atoms without a line are grey.
///
/// An alignment (formats/sequences/alignment.h) gives each residue the conservation of its column
/// (compute/structure/conservation.h), from 0 to 1. A chain is looked for in the alignment; below 30 % of identical
/// residues it is grey.
///
/// Throws Error::in_file with the line that is wrong, and where no atom has a line or no chain is in the alignment.
/// Files are kept in memory until they change.
AtomColours colours_by_file(const std::string& path, const Topology& topology, const ColourRule& rule,
                            std::span<const std::uint8_t> mask);

/// The numbers of a table's column, one for each atom; NaN for atoms without a line.
struct AtomNumbers {
  std::vector<float> values;
  std::string title;  ///< of the column
};
/// Throws Error::in_file as colours_by_file(), and for alignments and tables of colours.
AtomNumbers numbers_by_file(const std::string& path, const Topology& topology);

}  // namespace isolume
