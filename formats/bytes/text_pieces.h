// Large texts in pieces that are read side by side, and topologies of pieces joined.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "formats/bytes/byte_source.h"
#include "formats/bytes/element_column.h"
#include "formats/bytes/text.h"
#include "molecule/base/error.h"
#include "molecule/base/threads.h"
#include "molecule/frame.h"
#include "molecule/topology.h"

namespace isolume {

/// Bytes [begin, end) of a text, from the start of a line to the start of another or the end.
struct TextPiece {
  std::size_t begin = 0, end = 0;
};

/// Pieces of at least `smallest` bytes (0: ReadLimits::piece), 64 at most, in order; one where the text is shorter, or
/// its lines do not end with LF. A byte-order mark stays in the first.
std::vector<TextPiece> text_pieces(const ByteSource& source, std::size_t smallest = 0);

/// Some of the lines of a text, with their place in it.
struct LinePiece {
  std::size_t begin = 0, end = 0;  ///< bytes
  std::int64_t number = 1;         ///< of the first line in the file, from 1
  std::size_t count = 0;           ///< of lines
};

/// Behind the `count` lines from byte `offset` on, the last of which may lack its end; npos where there are fewer, or
/// one ends in CR alone.
std::size_t end_of_lines(const ByteSource& source, std::size_t offset, std::size_t count);

/// `count` lines from byte `offset`, the start of line `number`, in pieces of at least ReadLimits::piece bytes, 64 at
/// most, in order. Empty where they are to be read in turn: too short for two pieces, fewer than that, or ended by CR.
std::vector<LinePiece> line_pieces(const ByteSource& source, std::size_t offset, std::int64_t number,
                                   std::size_t count);

/// What a part of a file says of atoms, while it is read.
struct AtomPart {
  TopologyBuilder builder;
  ElementColumn elements;
  Frame frame;                  ///< positions, perhaps velocities and forces: one of each per atom, or none
  std::int32_t unnumbered = 0;  ///< residues that the file does not number (mmCIF)
  bool in_turn = false;         ///< set by a reader that needs to know what is before: all is then read in turn
};

/// Whether alternate atoms of one place, which take the name of the first residue there, go on from `part` to `next`.
bool alternates_go_on(AtomPart& part, AtomPart& next);

/// Reads the `count` lines after the scanner's current one by `read(scanner, count, part)`, which takes that many
/// lines, on all threads where they are many, and joins the parts as if they had been read in turn. Where a piece fails
/// all is read in turn, so that errors are those of the first faulty line. The scanner is left at the last line.
template <class Read>
AtomPart read_in_pieces(LineScanner& scanner, std::size_t count, const Read& read);

/// Makes room for `atoms` of what the part has.
void reserve_part(AtomPart& part, std::size_t atoms);

/// Appends what follows `part` in the file; `chain_ends` as for append_topology().
void append_part(AtomPart& part, AtomPart&& next, bool chain_ends = false);

/// Appends a piece's topology to that of what is before it, as if both had been built as one: the last residue and
/// chain go on where the first of `next` have the same key, unless `chain_ends`. Bonds are those of `topology` alone.
void append_topology(Topology& topology, Topology&& next, bool chain_ends);

template <class Read>
AtomPart read_in_pieces(LineScanner& scanner, std::size_t count, const Read& read) {
  const ByteSource& source = scanner.source();
  const std::vector<LinePiece> pieces = line_pieces(source, scanner.next_offset(), scanner.number() + 1, count);
  if (!pieces.empty()) {
    std::vector<AtomPart> parts(pieces.size());
    std::atomic<bool> plain = true;
    on_threads(pieces.size(), [&](std::size_t i) {
      LineScanner piece(source, pieces[i].begin, pieces[i].number);
      try {
        if (plain) read(piece, pieces[i].count, parts[i]);
        if (piece.next_offset() != pieces[i].end) plain = false;
      } catch (const Error&) {
        plain = false;
      }
    });
    for (std::size_t i = 0; i < parts.size() && plain; ++i) {
      if (parts[i].in_turn || (i > 0 && alternates_go_on(parts[i - 1], parts[i]))) plain = false;
    }
    if (plain) {
      AtomPart all = std::move(parts.front());
      reserve_part(all, count);
      for (std::size_t i = 1; i < parts.size(); ++i) append_part(all, std::move(parts[i]));
      scanner =
          LineScanner(source, pieces.back().end, pieces.back().number + static_cast<std::int64_t>(pieces.back().count));
      return all;
    }
  }
  AtomPart all;
  read(scanner, count, all);
  return all;
}

}  // namespace isolume
