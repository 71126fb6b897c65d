// Molecules of a scene whose charges come from the built-in tables.
#pragma once

#include <string>

#include "compute/preparation/prepared_charges.h"

namespace isolume {

/// Hydrogens and charges of the tables that `name` says ("tables:amber", "tables:charmm", "tables:parse"; see
/// app/scene/built_in_tables.h). Residues that the tables lack stay, without charges. One frame. Throws Error.
PreparedStructure charged_by_tables(const Molecule& bare, const std::string& name);

/// Whether a molecule would get charges so: one frame of proteins or nucleic acids, without charges of its own.
bool takes_tables(const Molecule& molecule);

}  // namespace isolume
