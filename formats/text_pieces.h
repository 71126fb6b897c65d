// Large texts in pieces that are read side by side, and topologies of pieces joined.
#pragma once

#include <cstddef>
#include <vector>

#include "formats/byte_source.h"
#include "molecule/topology.h"

namespace isolume {

/// Bytes [begin, end) of a text, from the start of a line to the start of another or the end.
struct TextPiece {
  std::size_t begin = 0, end = 0;
};

/// Pieces of at least `smallest` bytes, 64 at most, in order; one where the text is shorter, or its lines do not end
/// with LF. A byte-order mark stays in the first.
std::vector<TextPiece> text_pieces(const ByteSource& source, std::size_t smallest = std::size_t{1} << 20);

/// Appends a piece's topology to that of what stands before it, as if both had been built as one: the last residue and
/// chain go on where the first of `next` have the same key, unless `chain_ends`. Bonds are those of `topology` alone.
void append_topology(Topology& topology, Topology&& next, bool chain_ends);

}  // namespace isolume
