// How conserved the columns of an alignment are, and which residues of a chain they are.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compute/analysis/sequence_alignment.h"
#include "compute/base/job.h"

namespace isolume {

/// One value a column from 0 (all letters equally frequent) to 1 (one letter alone): 1 - H / ln n with Shannon's
/// entropy H of the column's letters, n = 20 (protein) or 4 (nucleic), times the part of the rows that have a letter
/// there (Shannon 1948; as Capra and Singh 2007, doi:10.1093/bioinformatics/btm270, weigh gaps). Letters that are none
/// of the n count as gaps. Sequences are not weighted.
/// @param rows  equally long
std::vector<float> column_conservation(std::span<const std::string> rows, SequenceKind kind);

/// Where a chain is in an alignment.
struct ChainInAlignment {
  std::size_t row = 0;       ///< of the alignment, whose sequence is nearest
  double identity = 0;       ///< part of the chain's letters that are the same there
  std::vector<int> columns;  ///< one per letter of the chain; -1 for none
};

/// Finds the row whose sequence, without gaps, has most letters in common with a chain's (align_sequences()). Rows that
/// hold the chain as it is are found first; else of more than 200 rows the first 200 are aligned.
ChainInAlignment find_chain(std::string_view chain, std::span<const std::string> rows, SequenceKind kind, Job& job);

}  // namespace isolume
