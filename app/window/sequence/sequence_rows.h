// Chains as rows of letters for the sequence panel.
#pragma once

#include <QString>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compute/analysis/sequence_alignment.h"
#include "compute/analysis/sequence_columns.h"
#include "molecule/molecule.h"

namespace isolume {

/// One chain: a column for each residue, and for gaps.
struct SequenceRow {
  std::uint32_t molecule = 0;  ///< index into Scene::molecules
  std::shared_ptr<const Topology> topology;
  QString title;  ///< "A", or "1abc A" where there are several molecules
  SequenceKind kind = SequenceKind::protein;
  std::vector<std::uint32_t> residues;  ///< of the chain, protein or nucleic, in their order
  std::string letters;                  ///< one for each of them
  /// One per column: place in `residues`, or -1 for a gap.
  std::vector<std::int32_t> columns;
  /// Of aligned chains: pairs with the first, and those of them with equal letters.
  std::size_t pairs = 0, identical = 0;
  bool unrelated = false;  ///< left out of the alignment

  bool aligned() const { return pairs > 0; }
  /// Index into Topology::residues of what is in a column, -1 for a gap.
  std::int32_t residue_at(std::size_t column) const {
    const std::int32_t place = column < columns.size() ? columns[column] : -1;
    return place < 0 ? -1 : static_cast<std::int32_t>(residues[static_cast<std::size_t>(place)]);
  }
  char letter_at(std::size_t column) const {
    const std::int32_t place = column < columns.size() ? columns[column] : -1;
    return place < 0 ? '-' : letters[static_cast<std::size_t>(place)];
  }
};

/// The chains of a molecule that are protein or nucleic acid; two entries of one name that are next to each other in
/// the file and of one kind are one row. Where residue numbers jump and no bond joins the two residues there is a gap
/// of as many columns as numbers are missing, five at most.
std::vector<SequenceRow> sequence_rows(std::uint32_t number, const Molecule& molecule, const QString& title);

/// Whether two aligned sequences are alike enough for their alignment to mean something: at least half of the `shorter`
/// one's letters are in pairs, and the part that is identical is not below Rost's curve for L pairs (20 to 450; fewer
/// as 20, more as 450), 480 L^(-0.32 (1 + exp(-L / 1000))) percent (Protein Eng. 12 (1999) 85,
/// doi:10.1093/protein/12.2.85): 72 for 20 pairs, 34 for 71, 29 for 100, 20 for 450.
bool is_related(std::size_t pairs, std::size_t identical, std::size_t shorter);

/// Puts all rows of the kind of row `first` that are related to it into common columns with it (align_to_first); other
/// rows stay.
void align_rows(std::vector<SequenceRow>& rows, std::size_t first, Job& job);

/// Residues by molecule: one byte for each of the topology's residues.
using ResidueMask = std::vector<std::vector<std::uint8_t>>;

/// True where the mask has the residue.
inline bool holds(const ResidueMask& mask, std::uint32_t molecule, std::int32_t residue) {
  return residue >= 0 && molecule < mask.size() && static_cast<std::size_t>(residue) < mask[molecule].size() &&
         mask[molecule][static_cast<std::size_t>(residue)] != 0;
}

/// The rows as FASTA, 80 letters a line: those residues that the mask has, all where it has none of them. `gaps`: with
/// '-' for the gaps of an alignment.
QString fasta(const std::vector<SequenceRow>& rows, const ResidueMask& selected, bool gaps);

}  // namespace isolume
