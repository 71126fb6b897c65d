// Residues of a structure built from the tables: charges of the file's atoms, and the hydrogens that are missing.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <vector>

#include "compute/preparation/hydrogen_turns.h"
#include "compute/preparation/residue_states.h"

namespace isolume {

struct UnknownResidue;
struct FilledResidue;

/// Collects the atoms of the prepared structure, residue by residue in the file's order.
class ResidueBuilder {
 public:
  /// The arguments must outlive the builder; what is noticed goes into `result`.
  ResidueBuilder(const Topology& topology, const std::vector<glm::vec3>& positions,
                 const std::vector<ResidueTarget>& targets, PreparedStructure& result, bool estimates_all = false);

  /// A residue with a template.
  void add(std::uint32_t residue, const ChargedResidue& from);
  /// One without: the file's charges, else hydrogens and Gasteiger-Marsili charges, else it is left out, or kept
  /// without charges.
  void add_unknown(std::uint32_t residue, const ChargeOptions& options);
  /// Places the hydrogens that can turn; after all residues.
  void turn();
  /// Atoms so far.
  std::size_t size() const { return atoms_.size(); }
  Molecule finish(const Molecule& molecule, const Frame& frame, const ChargeOptions& options);

 private:
  glm::dvec3 at(std::int64_t atom) const { return glm::dvec3(positions_[static_cast<std::size_t>(atom)]); }
  std::uint32_t push(std::uint32_t residue, Atom atom, glm::dvec3 place, std::int64_t source, std::uint32_t carrier);
  void begin(std::uint32_t residue, std::string state, std::string why);
  void note(ChargeIssue::Kind kind, std::uint32_t residue, std::vector<std::uint32_t> atoms, std::string text,
            std::string remedy);
  /// Heavy atoms of other residues that are bonded to an atom, metals, ions and waters left out.
  std::vector<std::uint32_t> links(std::uint32_t atom) const;
  /// Charges of a residue that has all its hydrogens and no bonds to others; nothing where that is not so.
  std::optional<std::vector<double>> whole_charges(const std::vector<std::uint32_t>& atoms) const;
  /// Hydrogens and charges of a residue by its heavy atoms; false where they cannot be had.
  bool estimate(std::uint32_t residue, const ChargeOptions& options);
  UnknownResidue gather(const ResidueTarget& target) const;
  void write(std::uint32_t residue, const UnknownResidue& unknown, FilledResidue& made);
  void note_estimate(std::uint32_t residue, const UnknownResidue& unknown, const FilledResidue& made,
                     const ChargeOptions& options);
  bool name_differences(std::uint32_t residue, const ChargedResidue& from, const std::vector<std::int64_t>& own);
  void add_hydrogens(std::uint32_t residue, const ChargedResidue& from, const std::vector<std::int64_t>& own,
                     const std::vector<std::uint32_t>& placed, std::size_t parent);
  HydrogenParent parent_of(const ResidueTarget& target, const ChargedResidue& from,
                           const std::vector<std::int64_t>& own, std::size_t parent, std::int64_t& neighbour) const;

  const Topology& topology_;
  BondTable bonds_;
  std::vector<char> used_;  // atoms of the file that the targets have
  bool estimates_all_;      // peptide bonds are links between estimated residues
  const std::vector<glm::vec3>& positions_;
  const std::vector<ResidueTarget>& targets_;
  PreparedStructure& result_;
  std::vector<Atom> atoms_;
  std::vector<glm::dvec3> places_;
  std::vector<std::uint32_t> residues_;  // of the file
  std::vector<std::uint32_t> carriers_;  // of a hydrogen its heavy atom, of others the atom itself
  std::vector<std::int64_t> own_index_;  // of an atom of the file, here; -1 where it is left out
  std::vector<TurningHydrogens> turning_;
  std::vector<std::int64_t> neighbours_;  // of each group in turning_: the file's atom
};

}  // namespace isolume
