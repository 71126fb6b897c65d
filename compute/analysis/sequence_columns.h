// Several sequences in common columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compute/analysis/sequence_alignment.h"
#include "compute/base/job.h"

namespace isolume {

/// A sequence in the columns that it shares with others.
struct SequenceColumns {
  std::vector<std::int32_t> places;  ///< one per column: the place in the sequence, from 0, or -1 for a gap
  std::size_t pairs = 0;             ///< letters that are aligned with one of the first sequence
  std::size_t identical = 0;         ///< of them
};

/// Aligns every sequence with the first (align_sequences) and puts all of them into common columns, equally many for
/// each: those of the first sequence, and between them columns for what others have more. Letters of two others in one
/// such column are not aligned with each other. Throws Error (cancelled). Bytes: of align_sequences for one pair.
std::vector<SequenceColumns> align_to_first(std::span<const std::string> sequences, SequenceKind kind, Job& job);

}  // namespace isolume
