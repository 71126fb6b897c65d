// The bytes of an index of frames that is kept on disk.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "formats/bytes/known_frames.h"

namespace isolume {

/// What an index is of.
struct IndexedFile {
  std::uint64_t size = 0;     ///< bytes
  std::int64_t modified = 0;  ///< nanoseconds since 1970
  std::uint64_t samples = 0;  ///< samples_of() what is before the last frame

  bool operator==(const IndexedFile&) const = default;
};

struct FrameIndexFile {
  IndexedFile of;
  KnownFrames frames;
};

/// "isolume frames1\n", numbers as LEB128 (offsets and lines as differences), and a checksum of all of it. About four
/// bytes for each frame.
std::string index_bytes(const FrameIndexFile& index);

/// The index that these bytes are; nothing where they are damaged, of another version or make no sense: places must
/// rise, be inside the file and before the last frame. Any bytes may be given.
std::optional<FrameIndexFile> index_of_bytes(std::string_view bytes);

/// Asks the system to bring these bytes of a mapped file into memory, so that several such places are read side by
/// side.
void read_ahead(std::string_view bytes);

/// A hash of 4 KiB at both ends of the first `size` bytes of a text, and of 64 pieces of 256 bytes between.
std::uint64_t samples_of(std::string_view text, std::size_t size);

}  // namespace isolume
