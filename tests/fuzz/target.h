// What a fuzzer calls: one input for one reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace isolume::fuzz {

/// Names of all targets: the formats of formats/read.h, "energies", "scene" and "selection".
std::vector<std::string> targets();

/// Reads `bytes` as the target does and looks at what comes out. An Error (input, usage) is a refusal; anything else
/// that is thrown is a failure and passes through. Aborts for a name that is none of targets(). Returns whether it was
/// read.
bool try_input(const std::string& target, const std::uint8_t* bytes, std::size_t size);

}  // namespace isolume::fuzz
