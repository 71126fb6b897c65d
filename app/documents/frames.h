// Frames as pictures need them: any number is a frame, and molecules are whole.
#pragma once

#include <cstddef>
#include <memory>

#include "molecule/molecule.h"

namespace isolume {

/// `frame`, or the last frame of the molecule where it has fewer (0 where it has none).
std::size_t frame_in(const Molecule& molecule, std::size_t frame);

/// Frame `frame_in(molecule, frame)`; empty where the molecule has no positions.
Frame frame_at(const Molecule& molecule, std::size_t frame);

/// The first frame that has orbitals, 0 where none has.
std::size_t first_frame_with_orbitals(const Molecule& molecule);

/// The orbitals of that frame. Throws Error (usage) where there are none.
std::shared_ptr<const Orbitals> orbitals_of(const Molecule& molecule, std::size_t frame);

/// A trajectory that puts bonded atoms beside each other where a simulation left them at opposite sides of the periodic
/// cell: along the bonds from the first atom of every fragment, each atom takes its image nearest to its neighbour.
/// Frames without a cell, and velocities and forces, are as they were.
std::shared_ptr<const Trajectory> whole_molecules(std::shared_ptr<const Trajectory> trajectory,
                                                  const Topology& topology);

/// build_assembly(), refused beforehand where its bytes cannot be had.
Molecule built_assembly(const Molecule& molecule, const std::string& id);

}  // namespace isolume
