// Alignments of sequences from files.
#pragma once

#include <string>
#include <vector>

#include "formats/bytes/byte_source.h"

namespace isolume {

/// Sequences in common columns.
struct SequenceFile {
  struct Row {
    std::string name;
    std::string letters;  ///< capitals, '-' for a gap; equally many in each row
  };
  std::vector<Row> rows;
};

/// Reads aligned FASTA, Clustal (clustal.org's .aln) or Stockholm (Pfam's); which one the first line tells. '.', '~'
/// and
/// '*' at an end count as gaps. Throws Error::in_file where rows differ in length, there are none, or a letter is none.
SequenceFile read_alignment(const ByteSource& source);

}  // namespace isolume
