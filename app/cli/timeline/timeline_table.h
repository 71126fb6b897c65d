// A timeline as a table in CSV.
#pragma once

#include <string>

#include "compute/timeline/timeline.h"

namespace isolume::cli {

/// A line for each row, a column for each frame with its unit; `structure`: as words.
std::string timeline_table(const Timeline& line, const Topology& topology, bool by_atom, bool structure);

/// "coil", "helix", ... of SecondaryStructure.
const char* structure_word(int number);

}  // namespace isolume::cli
