// Part files: intermediate results of a computation over frames, to be resumed or merged with others.
#pragma once

#include <istream>
#include <string>

#include "molecule/frame_part.h"

namespace isolume {

/// Writes a part: a line, a header in JSON, the arrays, a checksum. Whole or not at all.
void write_part_file(const std::string& path, const FramePart& part);

/// Reads one. Sizes are checked against the bytes that are there before anything is taken. Throws Error (input) for
/// what is no part, cut off, damaged, or does not fit together.
FramePart read_part_file(const std::string& path);

/// A part without its arrays, quick to have; its checksum is not looked at. Throws as read_part_file().
FramePart read_part_head(const std::string& path);

/// read_part_file() of `size` bytes of a stream; messages name `path`. `checked`: a wrong checksum is refused.
FramePart read_part_stream(std::istream& in, std::uint64_t size, const std::string& path, bool checked = true);

}  // namespace isolume
