// The space group of a structure file: its operators as an assembly.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formats/structures/cif.h"
#include "molecule/crystal/crystal.h"

namespace isolume {

/// The triplets of REMARK 290 ("REMARK 290       2555   -X+1/2,-Y,Z+1/2"), in order. Empty where a line makes no sense.
std::vector<std::string> remark_triplets(const std::vector<std::string_view>& lines);

/// Adds the unit cell (molecule/crystal.h) to the assemblies of a structure: by `triplets` or, where those are empty,
/// by the group's name. Nothing is added without a cell, for a group that is not known, and for one operator alone
/// unless the triplets say so: files of simulations have "P 1" too.
/// `z`: what the file says, 0 for nothing.
void add_unit_cell(Molecule& molecule, const Cell& cell, std::vector<std::string> triplets, const std::string& group,
                   int z);

namespace mmcif {

/// The same of an mmCIF file: _symmetry_equiv.pos_as_xyz or _space_group_symop.operation_xyz, else _symmetry or
/// _space_group by name.
void add_unit_cell(Molecule& molecule, const Cell& cell, const CifDocument& document, std::size_t block);

}  // namespace mmcif
}  // namespace isolume
