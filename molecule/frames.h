// Frames of a molecule by any number: beyond the last one, the last.
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

}  // namespace isolume
