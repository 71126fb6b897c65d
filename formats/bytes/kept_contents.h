// The contents of small gzip files that were decompressed last, for a process that is asked about the same ones again.
#pragma once

#include <memory>

#include "formats/bytes/byte_source.h"

namespace isolume {

/// Whether the contents of the four gzip files that were read last are kept, those of at most 4 MiB. Off before the
/// first call. Off forgets them. Any thread may call.
void keep_contents(bool wanted);

/// What the same bytes under the same name were decompressed to the last time; null where they are others, by one byte,
/// and where none are kept. Throws Error (input) where the file became shorter meanwhile.
std::shared_ptr<const ByteSource> kept_content(const ByteSource& packed);

/// Keeps what such a file was decompressed to, in place of the one that was asked for the longest ago. Throws as
/// kept_content() does.
void keep_content(const ByteSource& packed, std::shared_ptr<const ByteSource> content);

}  // namespace isolume
