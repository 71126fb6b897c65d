// Total charges of molecules, chains and residues, for isolume info.
#pragma once

#include <nlohmann/json.hpp>

#include "molecule/molecule.h"

namespace isolume::cli {

/// The key "charges": those of the file (null where there are none), and "prepared_charges": those that
/// `isolume compute charges` would give (null where there are charges, or nothing that the tables know, or more than
/// 200 000 atoms). Each has the total and lists of molecules, chains and residues (without waters and ions), and of
/// charges more than 0.01 e from an integer. In e.
void add_charges(nlohmann::ordered_json& json, const Molecule& molecule);

}  // namespace isolume::cli
