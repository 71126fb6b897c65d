// Crystals: the copies of the asymmetric unit by the operators of the space group and the vectors of the cell.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "molecule/assembly.h"
#include "molecule/cell.h"
#include "molecule/molecule.h"

namespace isolume {

/// The assembly that readers add to a crystal structure: the operators of its space group on all chains.
inline constexpr const char* unit_cell_id = "unit-cell";
/// The segment of the chains of the asymmetric unit itself in what is built of a crystal's assembly.
inline constexpr const char* asymmetric_unit_name = "1_555";

/// "-x+1/2,-y,z+1/2" (any case, blanks allowed; International Tables): the operator on fractional coordinates. Nothing
/// where it is none, or its linear part has no inverse.
std::optional<glm::dmat4> symmetry_operator(std::string_view triplet);

/// The unit cell of a topology: a copy of all chains for each operator. Null for no operator, no cell, no chains, and
/// where an operator is none or more than 512 are given. Names of copies are those of the PDB: "2_555" is the second
/// operator without a shift by the cell's vectors, "2_645" with one of a and one of -b.
std::shared_ptr<const Assembly> unit_cell(const Topology& topology, const Cell& cell,
                                          const std::vector<std::string>& triplets, const std::string& group,
                                          int z = 0);

/// What a file says of the symmetry of its cell.
struct SpaceGroup {
  std::string symbol = "P 1";  ///< Hermann-Mauguin
  int z = 1;                   ///< 0: not known
};
/// The space group of which positions of the molecule in a cell are the asymmetric unit, as it was read: P 1 where the
/// operators are none of this cell's (another cell, a trajectory's, or a molecule that was turned or shifted).
SpaceGroup space_group_of(const Molecule& molecule, const Cell& cell);

/// Whether an assembly is one of those of crystals: unit_cell_id or "symmetry-mates ...".
bool is_of_crystal(const std::string& id);
/// "symmetry-mates 5": the distance, angstrom. Nothing where it is no such id. Throws Error (usage) for a distance that
/// is not from 0 to 1000.
std::optional<double> mates_distance(const std::string& id);
std::string mates_id(double distance);

/// The asymmetric unit (the first copy, "1_555") and all its copies that have an atom within `distance` of one of its
/// atoms, in the first frame; ascending by operator, then by shift. Copies are whole: all chains of the file. Without
/// operators (REMARK 290, CRYST1's group, _symmetry) those of the cell's vectors alone. Distances are those of float
/// positions moved in double precision. Throws Error (usage) without a cell or positions, and where the cell is so
/// small that more than a million copies would have to be looked at.
Assembly symmetry_mates(const Molecule& molecule, double distance);

/// The assembly of that id: one of the file's, "symmetry-mates D", or unit_cell_id with every copy shifted so that its
/// centre is in the cell. Throws Error (usage) as find_assembly() and symmetry_mates() do.
Assembly assembly_of(const Molecule& molecule, const std::string& id);

/// Whether assembly_of() gave the operators of a built topology for one of is_of_crystal().
bool is_crystal(const Topology& topology);

}  // namespace isolume
