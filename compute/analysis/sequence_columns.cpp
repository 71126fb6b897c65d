// Several sequences in common columns.
#include "compute/analysis/sequence_columns.h"

#include <algorithm>

namespace isolume {
namespace {

/// Letters of a sequence between two letters of the first one: which ones, and before which letter of the first.
struct Insertion {
  std::size_t begin, end;  ///< places in the sequence
  std::size_t slot;        ///< place in the first sequence, its length for the end
};

std::vector<Insertion> insertions_of(const SequenceAlignment& alignment, std::size_t length) {
  std::vector<Insertion> result;
  std::size_t next = 0, slot = alignment.pairs.empty() ? 0 : alignment.pairs.front().first;
  for (const auto& [of_first, own] : alignment.pairs) {
    if (own > next) result.push_back({next, own, slot});
    next = own + 1;
    slot = of_first + 1;
  }
  if (length > next) result.push_back({next, length, slot});
  return result;
}

}  // namespace

std::vector<SequenceColumns> align_to_first(std::span<const std::string> sequences, SequenceKind kind, Job& job) {
  if (sequences.empty()) return {};
  const std::size_t length = sequences.front().size();
  std::vector<SequenceAlignment> alignments(sequences.size());
  std::vector<std::vector<Insertion>> insertions(sequences.size());
  std::vector<std::size_t> widths(length + 1, 0);  // columns before each letter of the first sequence, and at the end
  for (std::size_t s = 1; s < sequences.size(); ++s) {
    job.check();
    job.progress(static_cast<double>(s) / static_cast<double>(sequences.size()), "sequence alignment");
    alignments[s] = align_sequences(sequences.front(), sequences[s], kind, job);
    insertions[s] = insertions_of(alignments[s], sequences[s].size());
    for (const Insertion& insertion : insertions[s])
      widths[insertion.slot] = std::max(widths[insertion.slot], insertion.end - insertion.begin);
  }
  std::vector<std::size_t> columns(length + 1);  // of the letters of the first sequence
  std::size_t column = 0;
  for (std::size_t i = 0; i <= length; ++i) {
    column += widths[i];
    columns[i] = column++;
  }
  const std::size_t count = columns[length];
  std::vector<SequenceColumns> result(sequences.size());
  for (SequenceColumns& sequence : result) sequence.places.assign(count, -1);
  for (std::size_t i = 0; i < length; ++i) result.front().places[columns[i]] = static_cast<std::int32_t>(i);
  result.front().pairs = result.front().identical = length;
  for (std::size_t s = 1; s < sequences.size(); ++s) {
    result[s].pairs = alignments[s].pairs.size();
    result[s].identical = alignments[s].identical;
    for (const auto& [of_first, own] : alignments[s].pairs)
      result[s].places[columns[of_first]] = static_cast<std::int32_t>(own);
    for (const Insertion& insertion : insertions[s]) {
      std::size_t at = columns[insertion.slot] - (insertion.end - insertion.begin);  // next to the letter behind it
      for (std::size_t own = insertion.begin; own < insertion.end; ++own)
        result[s].places[at++] = static_cast<std::int32_t>(own);
    }
  }
  return result;
}

}  // namespace isolume
