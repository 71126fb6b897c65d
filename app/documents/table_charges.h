// Molecules of a scene whose charges come from the built-in tables.
#pragma once

#include <string>

#include "compute/preparation/prepared_charges.h"

namespace isolume {

/// Hydrogens and charges of the tables that `name` says ("tables:amber", "tables:charmm", "tables:parse"; see
/// app/scene/built_in_tables.h), with missing side chains where it ends in "+side-chains". Residues that have no
/// charges there stay, without any. The result has one frame, the first (see with_all_frames()). Throws Error.
PreparedStructure charged_by_tables(const Molecule& bare, const std::string& entry);

/// Whether a molecule would get charges so: proteins or nucleic acids with positions, without charges of their own.
bool takes_tables(const Molecule& molecule);

}  // namespace isolume
