// Biological assemblies: copies of chains by the operators that a file gives.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <string>
#include <vector>

#include "molecule/molecule.h"

namespace isolume {

/// Chains that are copied by the same operators.
struct AssemblyPart {
  std::vector<std::uint32_t> chains;  ///< indices into Topology::chains, ascending
  std::vector<glm::dmat4> operators;  ///< affine, angstrom: a copy is at operators[i] * (x, y, z, 1)
  std::vector<std::string> names;     ///< one per operator: the file's number or name, products joined: "1", "P-61"
};

/// One assembly of a file: REMARK 350 of PDB, pdbx_struct_assembly of mmCIF.
struct Assembly {
  std::string id;       ///< "1", "PAU"
  std::string details;  ///< "complete icosahedral assembly"; empty where the file says nothing
  std::vector<AssemblyPart> parts;
  std::string space_group{};  ///< of the unit cell of a crystal: the Hermann-Mauguin symbol of the file
  int z = 0;                  ///< and its Z, 0 where the file has none
  bool fills_cell = false;    ///< the copies are what the cell holds: frames of it keep the cell
};

/// The assembly of that id. Throws Error (usage) that lists those the file has.
const Assembly& find_assembly(const Molecule& molecule, const std::string& id);

/// True where build_assembly() made the topology: chains of one id are copies of one.
bool is_assembly(const Topology& topology);

std::size_t copy_count(const Assembly& assembly);                            ///< operators of all parts
std::size_t atom_count(const Assembly& assembly, const Topology& topology);  ///< atoms when it is built

/// Bytes of host memory that build_assembly() and one of its frames take, strings with buffers of their own apart.
std::size_t assembly_bytes(const Assembly& assembly, const Topology& topology);

/// The molecule with every chain copied as the assembly says, part after part, operator after operator. Chains keep
/// their id; their segment becomes the operator's name, so that `segid 7` is the seventh copy.
/// Atoms, residues, bonds within the copied chains and every frame of the trajectory are copied; the cell stays where
/// they fill it, and there are no orbitals. Throws Error (usage) for an id that is not there, Error (failed) beyond
/// 2^31 atoms.
Molecule build_assembly(const Molecule& molecule, const std::string& id);
/// The same of an assembly that need not be one of the molecule's (molecule/crystal/crystal.h).
Molecule build_assembly(const Molecule& molecule, const Assembly& assembly);

}  // namespace isolume
