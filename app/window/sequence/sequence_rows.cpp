// Chains as rows of letters for the sequence panel.
#include "app/window/sequence/sequence_rows.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "app/models/labels.h"
#include "molecule/residue_kinds.h"

namespace isolume {
namespace {

constexpr std::int64_t widest_gap = 5;  // columns

/// The residues that a bond joins to the one before.
std::unordered_set<std::uint32_t> joined_residues(const Topology& topology) {
  std::unordered_set<std::uint32_t> result;
  for (const Bond& bond : topology.bonds) {
    const std::uint32_t a = topology.atoms[bond.a].residue, b = topology.atoms[bond.b].residue;
    if (b == a + 1) result.insert(b);
  }
  return result;
}

void add_residue(SequenceRow& row, std::uint32_t residue, bool joined) {
  const Topology& topology = *row.topology;
  if (!row.residues.empty() && !joined) {
    const std::int64_t missing =
        std::int64_t(topology.residues[residue].number) - topology.residues[row.residues.back()].number - 1;
    if (missing > 0) row.columns.insert(row.columns.end(), static_cast<std::size_t>(std::min(missing, widest_gap)), -1);
  }
  row.columns.push_back(static_cast<std::int32_t>(row.residues.size()));
  row.residues.push_back(residue);
  row.letters += residue_letter(topology.residues[residue].name);
}

}  // namespace

std::vector<SequenceRow> sequence_rows(std::uint32_t number, const Molecule& molecule, const QString& title) {
  std::vector<SequenceRow> rows;
  if (!molecule.topology) return rows;
  const Topology& topology = *molecule.topology;
  const auto joined = joined_residues(topology);
  std::string last_name;
  for (const Chain& chain : topology.chains) {
    const std::string name = chain.id.empty() ? chain.segment : chain.id;
    for (std::uint32_t r = chain.first_residue; r < chain.first_residue + chain.residue_count; ++r) {
      const ResidueKind kind = residue_kind(topology, r);
      if (kind != ResidueKind::protein && kind != ResidueKind::nucleic) continue;
      const SequenceKind wanted = kind == ResidueKind::protein ? SequenceKind::protein : SequenceKind::nucleic;
      if (rows.empty() || rows.back().kind != wanted || last_name != name ||
          (r == chain.first_residue && !joined.contains(r) &&
           topology.residues[r].number <= topology.residues[rows.back().residues.back()].number)) {
        SequenceRow& row = rows.emplace_back();
        row.molecule = number;
        row.topology = molecule.topology;
        row.kind = wanted;
        row.title = name.empty() ? QStringLiteral("%1").arg(rows.size()) : to_qt(name);
        if (!title.isEmpty()) row.title = QStringLiteral("%1 %2").arg(title, row.title);
        last_name = name;
      }
      add_residue(rows.back(), r, joined.contains(r));
    }
  }
  return rows;
}

bool is_related(std::size_t pairs, std::size_t identical, std::size_t shorter) {
  if (pairs == 0 || 2 * pairs < shorter) return false;
  const double length = static_cast<double>(std::clamp<std::size_t>(pairs, 20, 450));
  const double least = 480 * std::pow(length, -0.32 * (1 + std::exp(-length / 1000)));
  return 100.0 * static_cast<double>(identical) >= least * static_cast<double>(pairs);
}

void align_rows(std::vector<SequenceRow>& rows, std::size_t first, Job& job) {
  if (first >= rows.size()) return;
  std::vector<std::size_t> members{first};
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (i != first && rows[i].kind == rows[first].kind) members.push_back(i);
  std::vector<std::string> sequences;
  for (const std::size_t i : members) sequences.push_back(rows[i].letters);
  std::vector<SequenceColumns> columns = align_to_first(sequences, rows[first].kind, job);
  // Letters of chains that have nothing to do with the first would part its columns and tell nothing.
  const std::size_t before = members.size();
  for (std::size_t k = members.size(); k-- > 1;) {
    SequenceRow& row = rows[members[k]];
    const std::size_t shorter = std::min(sequences[k].size(), sequences[0].size());
    row.unrelated = !is_related(columns[k].pairs, columns[k].identical, shorter);
    if (!row.unrelated) continue;
    row.pairs = row.identical = 0;
    members.erase(members.begin() + static_cast<std::ptrdiff_t>(k));
    sequences.erase(sequences.begin() + static_cast<std::ptrdiff_t>(k));
  }
  if (members.size() < before) columns = align_to_first(sequences, rows[first].kind, job);
  for (std::size_t k = 0; k < members.size(); ++k) {
    SequenceRow& row = rows[members[k]];
    row.columns = std::move(columns[k].places);
    row.pairs = columns[k].pairs;
    row.identical = columns[k].identical;
  }
}

QString fasta(const std::vector<SequenceRow>& rows, const ResidueMask& selected, bool gaps) {
  constexpr int letters_a_line = 80;
  const auto any_in = [&](const SequenceRow& row) {
    return std::any_of(row.residues.begin(), row.residues.end(), [&](std::uint32_t residue) {
      return holds(selected, row.molecule, static_cast<std::int32_t>(residue));
    });
  };
  const bool some = std::any_of(rows.begin(), rows.end(), any_in);
  QString text;
  for (const SequenceRow& row : rows) {
    if (some && !any_in(row)) continue;
    text += QStringLiteral(">%1\n").arg(row.title);
    int written = 0;
    for (std::size_t column = 0; column < row.columns.size(); ++column) {
      const std::int32_t residue = row.residue_at(column);
      if (residue < 0 ? !gaps || some : some && !holds(selected, row.molecule, residue)) continue;
      if (written > 0 && written % letters_a_line == 0) text += QLatin1Char('\n');
      text += QLatin1Char(row.letter_at(column));
      ++written;
    }
    text += QLatin1Char('\n');
  }
  return text;
}

}  // namespace isolume
