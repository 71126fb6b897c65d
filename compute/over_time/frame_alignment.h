// Frames moved onto a reference frame by the atoms of a selection.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "molecule/molecule.h"
#include "molecule/rigid_motion.h"

namespace isolume {

/// A frame's motion onto the reference, and how well it fits.
struct FrameMotion {
  RigidMotion motion;
  double rmsd = 0;  ///< angstrom, of the selected atoms; 0 without a selection
};

/// Moves frames onto a reference frame of the same molecule, by unweighted least squares of the atoms that `selection`
/// holds in the reference; an empty selection leaves them where they are. Safe from several threads at once.
class FrameAlignment {
 public:
  /// Throws Error (usage) where the selection holds no atoms, fewer than three of them, or the molecule has no such
  /// frame.
  FrameAlignment(const Molecule& molecule, const std::string& selection, std::size_t reference);

  /// Throws Error (input) where an aligned atom has no finite position.
  FrameMotion motion(const Frame& frame, std::size_t index) const;
  const std::vector<std::uint32_t>& atoms() const { return atoms_; }
  const std::string& selection() const { return selection_; }
  std::size_t reference() const { return reference_; }
  /// "frames superposed on frame 0 by 46 atoms (protein and name CA)", or "frames as they are".
  std::string text() const;

 private:
  std::string selection_;
  std::size_t reference_;
  std::vector<std::uint32_t> atoms_;
  std::vector<glm::dvec3> places_;
};

/// A frame of a molecule with a position for every atom. Throws Error (input), with its number, where it has another
/// number of positions, or one that is not finite.
Frame whole_frame(const Molecule& molecule, std::size_t index);

/// Moves whole residues by cell vectors, so that the first atom of each is at its image nearest to `centre`. Frames
/// without a cell stay as they are.
void gather_residues(Frame& frame, const Topology& topology, const std::vector<std::uint32_t>& residues,
                     glm::dvec3 centre);

/// The mean of the atoms' positions.
glm::dvec3 middle_of(const Frame& frame, const std::vector<std::uint32_t>& atoms);

/// Moves positions and turns the cell; velocities and forces are dropped.
void move_positions(Frame& frame, const RigidMotion& motion);

}  // namespace isolume
