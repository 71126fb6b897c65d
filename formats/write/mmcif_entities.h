// The chemical entities of a molecule as mmCIF names them: polymers, each ligand and ion, waters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "molecule/topology.h"

namespace isolume {

/// A run of residues that mmCIF gives a label of its own (struct_asym).
struct CifGroup {
  enum class Kind : std::uint8_t { protein, nucleic, water, other };
  Kind kind = Kind::other;
  std::string label;       ///< label_asym_id, unique
  std::size_t entity = 0;  ///< index into CifEntities::entities
  std::vector<std::uint32_t> residues;
  bool polymer() const { return kind == Kind::protein || kind == Kind::nucleic; }
};

/// What is there in one or more copies.
struct CifEntity {
  CifGroup::Kind kind = CifGroup::Kind::other;
  std::vector<std::string> residues;  ///< names in order; of what is no polymer the one name
  bool deoxyribose = false;           ///< of nucleic acids
  std::vector<std::string> chains;    ///< the author's names, each once
};

struct CifEntities {
  std::vector<CifEntity> entities;
  std::vector<CifGroup> groups;
  /// By residue of the topology: its group, and its number in the polymer from 1 (0 for what is none).
  std::vector<std::uint32_t> group_of, number_in;
};

/// Groups the residues of the atoms that are written, in their order. Residues of a chain follow one another in a
/// polymer, whatever gaps their numbers have: what was not resolved is not known.
CifEntities cif_entities(const Topology& topology, const std::vector<std::uint32_t>& atoms);

/// The name of a residue or its atom in the file, where it has none of its own: "UNL" (wwPDB: unknown ligand), and the
/// element.
std::string cif_residue_name(const Residue& residue);
std::string cif_atom_name(const Atom& atom);

}  // namespace isolume
