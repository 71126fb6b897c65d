// Compiled kernels on disk, so that a basis is compiled once on a machine.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace isolume {

/// Where compiled kernels are kept: $XDG_CACHE_HOME/isolume/kernels, else ~/.cache/isolume/kernels; empty where there
/// is neither, and then nothing is kept.
std::filesystem::path kernel_cache_folder();

/// The machine code kept under a key (any text: all that it depends on), or nothing: where there is none, and where the
/// file is of another key, cut short or changed, which is as if it were not there. Never throws.
std::optional<std::vector<char>> read_kernel(const std::string& key);

/// Keeps machine code under a key: written next to its place and renamed, whole or not at all. A folder that cannot be
/// written is no error. Never throws.
void write_kernel(const std::string& key, const std::vector<char>& code);

}  // namespace isolume
