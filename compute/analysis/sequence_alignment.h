// Which letters of two sequences belong together.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/base/job.h"
#include "molecule/topology.h"

namespace isolume {

/// The one-letter code of an amino acid ("HSD", "CYX" and the like too) or a nucleotide ("DA", "U5"); 'X' for others.
char residue_letter(std::string_view residue_name);

enum class SequenceKind : std::uint8_t { protein, nucleic };

/// The score of two letters: of proteins BLOSUM62 (S. and J. G. Henikoff, PNAS 89 (1992) 10915), X with all -1; of
/// nucleic acids 5 for equal ones (T and U too) and -4 for others, N and X 0.
int letter_score(char a, char b, SequenceKind kind);

struct SequenceAlignment {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  ///< places in a and b, both ascending
  double score = 0;
  std::size_t identical = 0;  ///< of the pairs
};

/// The alignment of the highest score (S. B. Needleman and C. D. Wunsch, J. Mol. Biol. 48 (1970) 443; affine gaps as O.
/// Gotoh, J. Mol. Biol. 162 (1982) 705): a gap costs 11 for its first letter and 1 for each other (nucleic 10 and 1);
/// next to the ends of either sequence it costs nothing. Bytes: lengths multiplied.
SequenceAlignment align_sequences(std::string_view a, std::string_view b, SequenceKind kind, Job& job);

}  // namespace isolume
