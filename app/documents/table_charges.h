// Molecules of a scene whose charges come from the built-in tables.
#pragma once

#include <string>

#include "compute/preparation/prepared_charges.h"

namespace isolume {

/// Hydrogens and charges of the tables that `name` says ("tables:amber", "tables:charmm", "tables:parse"; see
/// app/scene/built_in_tables.h). Residues that have none stay, without charges. The result has one frame, the first
/// (see with_all_frames()). Throws Error.
PreparedStructure charged_by_tables(const Molecule& bare, const std::string& name);

/// Whether a molecule would get charges so: proteins or nucleic acids with positions, without charges of their own.
bool takes_tables(const Molecule& molecule);

}  // namespace isolume
