// Hydrogens that follow their atoms from frame to frame.
#pragma once

#include "compute/preparation/prepared_charges.h"

namespace isolume {

/// `prepared.molecule` with all frames of `molecule`, which it was prepared from with the positions of `frame`. Atoms
/// of the file are where the file has them. Each built atom keeps its place next to the atom that carries it, in the
/// axes of that atom, a neighbour and a third atom; where there are no such neighbours (water of one atom) it keeps its
/// direction in space. States of residues are those of `frame` in all of them. Velocities and forces are left out.
Molecule with_all_frames(const PreparedStructure& prepared, const Molecule& molecule, std::size_t frame);

}  // namespace isolume
