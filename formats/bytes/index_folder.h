// The files in which indices of frames are kept: their names, reading, writing, and how many there are.
#pragma once

#include <optional>
#include <string>

#include "formats/bytes/index_file.h"
#include "formats/bytes/known_frames.h"

namespace isolume {

/// Size and time of the file that a source was read from, without samples; nothing where the source is no plain file
/// (compressed, in memory), or the file has another size by now.
std::optional<IndexedFile> file_of(const ByteSource& source);

/// Where the index of a file is kept: in the cache under a hash of the file's whole path. Empty where nowhere.
std::string index_path(const std::string& path, IndexKeeping::Where where);

/// Nothing where there is no such file, it is larger than `most` bytes, no plain file, or no index.
std::optional<FrameIndexFile> read_index(const std::string& path, std::uint64_t most);

/// Writes under another name first and renames, so that readers and other writers see a whole index or none. In the
/// cache the indices that were not used for longest are removed where all are too large. False where that failed.
bool write_index(const std::string& path, const std::string& bytes, const IndexKeeping& keeping);

}  // namespace isolume
