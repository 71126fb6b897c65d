// Frames as pictures and analyses need them: any number is a frame, and molecules are whole.
#pragma once

#include <memory>

#include "molecule/frames.h"
#include "molecule/molecule.h"
#include "molecule/whole_molecules.h"

namespace isolume {

/// The molecule with the treatment of its cell in every frame; one that was treated is treated again from its file's
/// positions. Molecules with orbitals, whose places are in the file, stay as they are. Throws Error (usage) where the
/// selection to centre holds no atoms of the first frame.
std::shared_ptr<const Molecule> treated(std::shared_ptr<const Molecule> molecule, const CellTreatment& treatment);

/// build_assembly(), refused beforehand where its bytes cannot be had.
Molecule built_assembly(const Molecule& molecule, const std::string& id);

}  // namespace isolume
