// What isolume info says of a molecule, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "molecule/molecule.h"

namespace isolume::cli {

/// Atoms, residues, frames, box, charges, assemblies, orbitals and volumes; null where there are none. Text of the file
/// comes without control characters.
nlohmann::ordered_json molecule_json(const Molecule& molecule);

}  // namespace isolume::cli
