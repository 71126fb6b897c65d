// What a part comes from: its files by size and samples, and the options on which it depends.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/options.h"
#include "molecule/frame_part.h"

namespace isolume::cli {

/// "1234 bytes, samples 0123456789abcdef" of the first so many bytes of a file: their number and a hash of 64 pieces of
/// it. Throws Error (input) where it cannot be read.
std::string samples_of(const std::string& path, std::uint64_t bytes);

/// Of each file of the command line its name without a folder, and samples_of() it.
std::vector<std::pair<std::string, std::string>> sampled_inputs();

/// The options that were given; of values that name a file its samples.
std::vector<std::pair<std::string, std::string>> sampled_options();

/// Whether the files of a part are those of the command line, or have only grown since.
bool inputs_go_on(const FramePart& part);

/// --partial, which is written and read.
void add_partial_option(Verb command, std::string& path);

/// Throws Error where the folder of a part is not there.
void check_part_path(const std::string& path);

}  // namespace isolume::cli
