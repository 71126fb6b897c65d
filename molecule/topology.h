// Topology: which atoms there are, how they are grouped and bonded; everything that does not change from frame to
// frame.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "molecule/atom_table.h"
#include "molecule/base/name.h"

namespace isolume {

/// Secondary structure of a residue, in DSSP's classes reduced to what is drawn.
enum class SecondaryStructure : std::uint8_t { coil, helix, helix_3_10, helix_pi, strand, turn };

/// A residue: a run of atoms [first_atom, first_atom + atom_count) of one chain.
struct Residue {
  Name name;                ///< "ALA", "DG", "HOH"
  std::int32_t number = 0;  ///< the file's residue number (may be negative, may repeat)
  std::uint32_t chain = 0;  ///< index into Topology::chains
  std::uint32_t first_atom = 0;
  std::uint32_t atom_count = 0;
  char insertion = ' ';  ///< insertion code, ' ' for none
  SecondaryStructure structure = SecondaryStructure::coil;
};

/// A chain: a run of residues [first_residue, first_residue + residue_count).
struct Chain {
  Name id;       ///< "A"; empty where the file has no chains
  Name segment;  ///< segment name (PSF, segid), empty for none
  std::uint32_t first_residue = 0;
  std::uint32_t residue_count = 0;
};

/// A bond between atoms a < b.
struct Bond {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint8_t order = 1;  ///< 1, 2, 3; 4 aromatic

  bool operator==(const Bond&) const = default;
};

/// Atoms, residues, chains and bonds of one molecule or system.
/// Invariants (checked by validate()): every atom is in exactly one residue and every residue in one chain, in order;
/// bonds are unique with a < b < atoms.size().
struct Topology {
  AtomTable atoms;
  std::vector<Residue> residues;
  std::vector<Chain> chains;
  std::vector<Bond> bonds;  ///< sorted by (a, b)
  /// Anisotropic displacements U of every atom in Cartesian axes, angstrom^2: U11 U22 U33 U12 U13 U23, all 0 for an
  /// atom without; empty where the file has none.
  std::vector<std::array<float, 6>> displacements;

  bool has_charges = false;    ///< Atom::charge comes from the file
  bool has_radii = false;      ///< Atom::radius comes from the file
  bool has_bonds = false;      ///< bonds come from the file and are complete; else they are to be guessed by distance
  bool has_kinds = false;      ///< Atom::b_factor is the kind of a particle, as of lattice models
  bool has_structure = false;  ///< secondary structure comes from the file; else it is to be computed
  std::vector<std::string> notes;  ///< what was guessed or left out, one sentence each, shown by `isolume info`

  const Residue& residue_of(std::size_t atom) const { return residues[atoms.residue(atom)]; }
  const Chain& chain_of(std::size_t atom) const { return chains[residue_of(atom).chain]; }
  double total_charge() const;

  /// Throws Error (kind failed) naming the first broken invariant.
  void validate() const;
};

/// Builds a topology from a stream of atoms: starts a new chain or residue when its key differs from the atom before.
class TopologyBuilder {
 public:
  /// Appends `atom` (its `residue` is set here). A new chain starts when chain_id or segment differ from the last
  /// atom's, a new residue also when number, insertion or residue_name differ.
  void add(const Atom& atom, Name residue_name, std::int32_t number, char insertion, Name chain_id, Name segment = {});

  /// Forces the next atom to begin a new chain although its key is the same (TER, a new molecule).
  void end_chain() { chain_open_ = false; }

  Topology& topology() { return topology_; }

  /// Sorts and deduplicates bonds, fills missing masses and radii from the element, validates, and hands the topology
  /// over.
  Topology finish();

 private:
  Topology topology_;
  bool chain_open_ = false;
};

/// Neighbours of every atom by bond, in compressed rows: those of atom i are items[offsets[i]] to
/// items[offsets[i+1]-1].
struct BondTable {
  std::vector<std::uint32_t> offsets;  ///< atoms + 1
  std::vector<std::uint32_t> items;
};
BondTable bond_table(const Topology& topology);

}  // namespace isolume
