// AMBER's masks, which selections do not take, in the words that they take.
#pragma once

#include <string>
#include <string_view>

namespace isolume {

/// ":1-50@CA" as "resid 1 to 50 and name CA"; empty where the text is no mask
/// of residues, atoms, types and elements.
std::string words_of_mask(std::string_view text);

}  // namespace isolume
