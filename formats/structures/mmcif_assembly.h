// Biological assemblies of mmCIF files: pdbx_struct_assembly and its operators.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formats/structures/cif.h"
#include "molecule/assembly.h"

namespace isolume::mmcif {

/// The assemblies of a block. Chains are those of label_asym_id (Chain::segment here). What names an operator or a
/// chain that is not there is left out with a warning.
std::vector<std::shared_ptr<const Assembly>> read_assemblies(const CifDocument& document, std::size_t block,
                                                             const Topology& topology,
                                                             std::vector<std::string>& warnings);

/// The sequences of operator names of an expression of pdbx_struct_assembly_gen.oper_expression: "1,2", "(1-60)",
/// "(X0)(1-10,21-25)". Names of one sequence are applied from the last to the first. Empty where it makes no sense or
/// has more than 100 000 sequences, or where more than `left` names would be made; `left` is what may still be made
/// after.
std::vector<std::vector<std::string>> operator_sequences(std::string_view expression, std::size_t& left);

}  // namespace isolume::mmcif
