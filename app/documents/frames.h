// Frames as pictures and analyses need them: any number is a frame, and molecules are whole.
#pragma once

#include <cstddef>
#include <memory>

#include "molecule/molecule.h"
#include "molecule/whole_molecules.h"

namespace isolume {

/// `frame`, or the last frame of the molecule where it has fewer (0 where it has none).
std::size_t frame_in(const Molecule& molecule, std::size_t frame);

/// Frame `frame_in(molecule, frame)`; empty where the molecule has no positions.
Frame frame_at(const Molecule& molecule, std::size_t frame);

/// The first frame that has orbitals, 0 where none has.
std::size_t first_frame_with_orbitals(const Molecule& molecule);

/// The orbitals of that frame. Throws Error (usage) where there are none.
std::shared_ptr<const Orbitals> orbitals_of(const Molecule& molecule, std::size_t frame);

/// The molecule with the treatment of its cell in every frame; one that was treated is treated again from its file's
/// positions. Molecules with orbitals, whose places are in the file, stay as they are. Throws Error (usage) where the
/// selection to centre holds no atoms of the first frame.
std::shared_ptr<const Molecule> treated(std::shared_ptr<const Molecule> molecule, const CellTreatment& treatment);

/// build_assembly(), refused beforehand where its bytes cannot be had.
Molecule built_assembly(const Molecule& molecule, const std::string& id);

}  // namespace isolume
