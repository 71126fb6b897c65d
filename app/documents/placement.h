// Molecules at the places where a scene has them.
#pragma once

#include <memory>

#include "app/scene/scene.h"
#include "molecule/molecule.h"

namespace isolume {

/// The molecule as a scene places it: every frame superposed on Placement::steady_frame by the atoms of
/// Placement::steady (a selection, looked up in that frame), with its orbitals, and then all of it moved; volumes are
/// moved alone. Its memory is asked for before. Throws Error (usage) where fewer than three atoms are selected or there
/// is no such frame.
Molecule placed(const Molecule& molecule, const Placement& placement);

}  // namespace isolume
