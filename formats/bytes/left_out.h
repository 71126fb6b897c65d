// Frames that a reader left out since their atoms are not those of the first.
#pragma once

#include "molecule/molecule.h"

namespace isolume {

/// Throws Error (input) where frames of the molecule were left out, or were not read any more, because they have other
/// atoms than the first: what is computed over all frames would miss them in silence. `what` needs them ("an average").
void require_same_atoms(const Molecule& molecule, const char* what);

}  // namespace isolume
