// Ends of chains that the tables do not have: a phosphate at 5', neutral ends of proteins.
#pragma once

#include <optional>
#include <string>

#include "compute/preparation/residue_tables.h"

namespace isolume {

/// A first nucleotide ("DG", "RA") with its phosphate. The charges are those of a nucleotide within a strand; its
/// `oxygens` at the phosphorus, 3 or (where the file lacks one) 2, share what makes the group's charge -2 or -1.
std::optional<ChargedResidue> phosphate_end(ChargeSet set, const std::string& base, std::size_t oxygens);

/// A first amino acid with NH2: a second hydrogen on N like the first, balanced on N. `state` is "ALA", "HIE", ...
std::optional<ChargedResidue> neutral_start(ChargeSet set, const std::string& state);

/// A last amino acid with COOH: the group of ASH, balanced on C.
std::optional<ChargedResidue> neutral_end(ChargeSet set, const std::string& state);

/// An amino acid that is a chain of its own, with NH3+ (NH2+ of proline) and COO-: the start with the carboxylate of
/// the end, balanced on C.
std::optional<ChargedResidue> zwitterion(ChargeSet set, const std::string& state);

}  // namespace isolume
