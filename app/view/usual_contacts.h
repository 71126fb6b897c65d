// The usual field of noncovalent contacts.
#pragma once

#include <cstdint>

#include "app/scene/scene.h"
#include "molecule/molecule.h"

namespace isolume {

/// Contacts of a molecule's ligands with all other atoms; without ligands those of its first chain; else of all atoms,
/// so that somebody has to choose.
Field usual_contacts(const Molecule& molecule, std::uint32_t number);

}  // namespace isolume
