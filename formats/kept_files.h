// The molecules of small files that were read last, for a process that is asked about the same ones again and again.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "formats/bytes/byte_source.h"
#include "molecule/molecule.h"

namespace isolume {

/// Whether the four small files (at most 4 MiB of text each) that were read last are kept with what was made of them,
/// and what gzip files were decompressed to (formats/bytes/kept_contents.h). Off before the first call: a program that
/// does one thing gains nothing. Off forgets them. Any thread may call.
void keep_read_files(bool wanted);

/// What the same bytes under the same name made the last time; nothing where they are others, by one byte, or where
/// none are kept. Whoever changed the file, and when, makes no difference: all bytes are compared.
std::optional<Molecule> kept_molecule(const ByteSource& source);

/// The content to read and to keep: copied, because a file may change while it is mapped. Null where it is too large,
/// and where none are kept. Throws Error (input) where the file became shorter meanwhile.
std::shared_ptr<const ByteSource> copy_to_keep(const ByteSource& source);

/// Keeps what was made of such a copy, in place of the one that was asked for the longest ago.
void keep_molecule(std::shared_ptr<const ByteSource> copy, const Molecule& molecule);

}  // namespace isolume
