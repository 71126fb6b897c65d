// The text of a selection of atoms by their numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace isolume {

/// "index 3 to 9 12": a selection of these atoms, in any order; "none" for none.
std::string index_selection(std::vector<std::uint32_t> atoms);

}  // namespace isolume
