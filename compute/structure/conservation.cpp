// How conserved the columns of an alignment are, and which residues of a chain they are.
#include "compute/structure/conservation.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace isolume {
namespace {

constexpr std::string_view amino_acids = "ACDEFGHIKLMNPQRSTVWY", bases = "ACGT";
constexpr std::size_t most_aligned = 200;

char base(char letter) {
  return letter == 'U' ? 'T' : letter;
}

/// The letters of a row, and the column of each.
std::string ungapped(const std::string& row, std::vector<int>& columns) {
  std::string letters;
  for (std::size_t i = 0; i < row.size(); ++i)
    if (row[i] != '-') {
      letters += row[i];
      columns.push_back(static_cast<int>(i));
    }
  return letters;
}

}  // namespace

std::vector<float> column_conservation(std::span<const std::string> rows, SequenceKind kind) {
  const bool protein = kind == SequenceKind::protein;
  const std::string_view letters = protein ? amino_acids : bases;
  std::vector<float> result(rows.empty() ? 0 : rows.front().size(), 0.0f);
  for (std::size_t column = 0; column < result.size(); ++column) {
    std::array<std::size_t, 20> counts{};
    std::size_t all = 0;
    for (const std::string& row : rows) {
      const std::size_t letter = letters.find(protein ? row[column] : base(row[column]));
      if (letter == std::string_view::npos) continue;
      ++counts[letter];
      ++all;
    }
    double entropy = 0;
    for (const std::size_t count : counts) {
      if (count == 0) continue;
      const double part = static_cast<double>(count) / static_cast<double>(all);
      entropy -= part * std::log(part);
    }
    const double there = static_cast<double>(all) / static_cast<double>(rows.size());
    result[column] = static_cast<float>(there * (1 - entropy / std::log(static_cast<double>(letters.size()))));
  }
  return result;
}

ChainInAlignment find_chain(std::string_view chain, std::span<const std::string> rows, SequenceKind kind, Job& job) {
  ChainInAlignment best;
  best.columns.assign(chain.size(), -1);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::vector<int> columns;
    const std::string letters = ungapped(rows[r], columns);
    const std::size_t at = letters.find(chain);
    if (chain.empty() || at == std::string::npos) continue;
    best.row = r;
    best.identity = 1;
    for (std::size_t i = 0; i < chain.size(); ++i) best.columns[i] = columns[at + i];
    return best;
  }
  for (std::size_t r = 0; r < std::min(rows.size(), most_aligned); ++r) {
    job.check();
    std::vector<int> columns;
    const std::string letters = ungapped(rows[r], columns);
    if (letters.empty()) continue;
    const SequenceAlignment aligned = align_sequences(chain, letters, kind, job);
    const double identity = static_cast<double>(aligned.identical) / static_cast<double>(chain.size());
    if (identity <= best.identity) continue;
    best.row = r;
    best.identity = identity;
    best.columns.assign(chain.size(), -1);
    for (const auto& [a, b] : aligned.pairs) best.columns[a] = columns[b];
  }
  return best;
}

}  // namespace isolume
