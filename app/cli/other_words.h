// What users of other programs type, in the words of this one.
#pragma once

#include <string>

namespace isolume::cli {

/// The style that VMD, PyMOL or Chimera calls `word` ("licorice" is sticks); else the word as it is. Throws Error
/// (usage) that names --surface for what is a surface there.
std::string own_style(const std::string& word);

/// The colouring that VMD or PyMOL calls `word` ("spectrum", "beta"); else the word as it is.
std::string own_colouring(const std::string& word);

/// "; for that: compute fit" for words of things that another subcommand does; else empty.
std::string own_subcommand(const std::string& word);

}  // namespace isolume::cli
