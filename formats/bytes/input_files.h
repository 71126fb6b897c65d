// Files that were opened for reading, so that nothing that is written replaces one of them; and the memory for them.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <vector>

namespace isolume {

struct ReadLimits;

/// From here on the program remembers every file that it opens for reading (by device and inode), and refuses to write
/// over one. For programs that do one thing and end; a window replaces what it has read when it saves.
void keep_inputs();
/// Remembers an open file, after keep_inputs().
void note_input(const struct stat& file);
/// Whether note_input() had the file that `path` leads to, links resolved. False where there is no such file.
bool is_input(const std::string& path);

/// Throws Error (usage) where one of `outputs` is one of `inputs` (the same device and inode, links resolved), or where
/// two outputs are the same file. Empty paths are passed over.
void check_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

/// The largest content of one file in memory, bytes; 0 for none but that of ReadLimits. The command line sets it from
/// the memory that can be had.
void set_content_limit(std::uint64_t bytes);
std::uint64_t content_limit(const ReadLimits& limits);

}  // namespace isolume
