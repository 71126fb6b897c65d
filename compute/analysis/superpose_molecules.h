// Superposing frames of one molecule on a frame of another.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compute/analysis/residue_matching.h"
#include "compute/base/job.h"
#include "molecule/molecule.h"
#include "molecule/rigid_motion.h"

namespace isolume {

/// Which atoms are brought onto which.
struct SuperposeOptions {
  std::string moving_selection;  ///< empty: trace_atoms(), or all atoms where there is no polymer
  std::string fixed_selection;
  AtomMatching matching = AtomMatching::automatic;
  double cutoff = 2;  ///< angstrom: pairs farther apart are left out, one round after another; 0: none is
};

/// How far a residue of the fixed molecule is from what was brought onto it.
struct ResidueDistance {
  std::uint32_t residue = 0;  ///< of the fixed molecule
  std::uint32_t atom = 0;     ///< of the fixed molecule, the first that was matched
  double distance = 0;        ///< angstrom, root mean square over its matched atoms
  bool kept = false;          ///< at least one pair counts
};

struct SuperposeResult {
  RigidMotion motion;  ///< of the moving molecule's positions as they were given
  AtomMatching how = AtomMatching::automatic;
  std::size_t pairs = 0;     ///< matched
  std::size_t kept = 0;      ///< of these within the cutoff
  double rmsd = 0;           ///< angstrom, over the kept pairs
  double rmsd_all = 0;       ///< over all pairs
  std::size_t residues = 0;  ///< matched
  std::size_t identical = 0;
  double identity = 0;                      ///< MatchedAtoms::identity()
  double coverage = 0;                      ///< MatchedAtoms::coverage()
  std::string chains;                       ///< MatchedAtoms::chains
  std::vector<ResidueDistance> by_residue;  ///< ascending
};

/// Superposes frames of one molecule on a frame of another: atoms are selected and matched once, for all of them.
class Superposer {
 public:
  /// Selections are looked up in frame `moving_frame` of `moving` and `fixed_frame` of `fixed`; where one selection is
  /// asked of one topology twice, in the latter alone. Throws Error (usage) where fewer than three pairs of atoms are
  /// found, or a selection cannot be read.
  Superposer(const Molecule& moving, std::size_t moving_frame, const Molecule& fixed, std::size_t fixed_frame,
             const SuperposeOptions& options, Job& job);

  /// The motion that brings `frame` of the moving molecule onto the fixed one. Throws Error (usage) where it has
  /// no positions.
  SuperposeResult operator()(const Frame& frame) const;

 private:
  std::shared_ptr<const Topology> fixed_;
  MatchedAtoms matched_;
  std::vector<glm::dvec3> stands_;  ///< of each pair the fixed atom
  double cutoff_;
};

/// The motion that brings a frame of `moving` onto a frame of `fixed`. Throws as Superposer does.
SuperposeResult superpose_molecules(const Molecule& moving, std::size_t moving_frame, const Molecule& fixed,
                                    std::size_t fixed_frame, const SuperposeOptions& options, Job& job);

/// "198 of 214 pairs by residues (100 % identical, 98 % of the smaller molecule), RMSD 1.06 A; all pairs 7.12 A", and
/// a warning where less than 30 % of the pairs were kept.
std::string describe(const SuperposeResult& result);

}  // namespace isolume
