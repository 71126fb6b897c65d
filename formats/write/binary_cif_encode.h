// Tables of CIF text as BinaryCIF.
#pragma once

#include <ostream>

#include "formats/structures/cif.h"

namespace isolume {

/// Writes the blocks of a document of text as BinaryCIF 0.3: categories, columns and values are those of the text. What
/// the PDBx/mmCIF dictionary has as numbers is numbers, with as many decimals as the text has: integers by the shortest
/// of run lengths, differences and packing, reals by fixed point where all of a column fit into 32 bits, else as they
/// are. All else is an array of strings. "." and "?" are in the mask.
void write_binary_cif(std::ostream& out, const CifDocument& document);

}  // namespace isolume
