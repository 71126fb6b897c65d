// Biological assemblies of PDB files: REMARK 350.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "molecule/assembly.h"

namespace isolume::pdb {

/// The assemblies that the lines of REMARK 350 describe (wwPDB format 3.3, "REMARK 350"): BIOMOLECULE begins one, APPLY
/// THE FOLLOWING TO CHAINS a group of chains, BIOMT1 to BIOMT3 give the rows of an operator. An operator that is not
/// complete, or not of finite numbers, is left out with a warning, and so are chains that the file does not have.
std::vector<std::shared_ptr<const Assembly>> read_assemblies(const std::vector<std::string_view>& lines,
                                                             const Topology& topology,
                                                             std::vector<std::string>& warnings);

}  // namespace isolume::pdb
