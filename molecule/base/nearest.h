// The word that a mistyped one may have meant.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace isolume {

/// The word of `words` that `word` begins, else the nearest by the number of letters that differ, in any case; empty
/// where none is near.
std::string nearest_of(const std::string& word, const std::vector<std::string>& words);

/// " (did you mean 'cartoon'?)", or nothing where no word is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& words);
std::string did_you_mean(const std::string& word, std::span<const char* const> words);

}  // namespace isolume
