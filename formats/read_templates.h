// Residue templates from files.
#pragma once

#include <string>
#include <vector>

#include "molecule/force_field/residue_templates.h"

namespace isolume {

/// The residues of structures with charges: PQR files one by one; what else there is makes one structure (a topology
/// with its coordinates). Throws Error.
ResidueTemplates read_templates(const std::vector<std::string>& paths);

}  // namespace isolume
