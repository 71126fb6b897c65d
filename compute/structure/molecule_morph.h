// Morphing molecules: matched atoms of two conformations, and whole frames in between.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compute/analysis/residue_matching.h"
#include "compute/structure/morph.h"
#include "molecule/molecule.h"

namespace isolume {

/// One end of a morph: a frame of a molecule, and which of its atoms.
struct MorphEnd {
  std::shared_ptr<const Molecule> molecule;
  std::size_t frame = 0;
  std::string selection = "all";
};

/// The way of the atoms of `from` that match atoms of `to`, as frames of `from`'s molecule.
class MoleculeMorph {
 public:
  /// Throws Error (usage) for ends without positions or selected atoms, and for what does not match (match_atoms());
  /// Error (failed) where there is not enough memory.
  MoleculeMorph(const MorphEnd& from, const MorphEnd& to, AtomMatching matching, const MorphOptions& options, Job& job);

  /// The atoms of the start that move, ascending; others stay where they are, and should not be written.
  const std::vector<std::uint32_t>& atoms() const { return atoms_; }
  AtomMatching matched_by() const { return matched_; }
  const Morph& morph() const { return *morph_; }
  /// The start's, for a writer: without assemblies, since positions in between are those of no crystal.
  const Molecule& molecule() const { return molecule_; }
  /// At `t` from 0 to 1, without velocities, forces and time. `bond_error` gets the larger of its value and the
  /// largest deviation of a bond, angstrom.
  Frame frame(double t, double& bond_error, Job& job) const;

 private:
  Molecule molecule_;
  Frame start_;
  std::vector<std::uint32_t> atoms_;
  AtomMatching matched_ = AtomMatching::automatic;
  std::unique_ptr<const Morph> morph_;
};

}  // namespace isolume
