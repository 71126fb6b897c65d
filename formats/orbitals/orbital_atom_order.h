// Whether a file lists its atoms in another order than the blocks of its basis.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/orbitals/orbital_assembly.h"

namespace isolume {

/// The overlap over which as many orbitals as functions are orthonormal, S' = (C^T C)^-1 with one orbital a row of C,
/// n x n over the map's basis. Of the first orbital's spin; empty where orbitals are missing, depend on each other, or
/// there are more than 600 functions.
std::vector<double> implied_overlap(const FileOrbitals& file, const FunctionMap& map);

/// For each centre of the basis the atom at whose place it must stand for the orbitals to be orthonormal; empty where
/// there is no such order but the file's own, or none was found. `implied` is implied_overlap() of the same map.
///
/// Functions of one atom must overlap as they should. Then places are tried atom by atom, each next to those with which
/// it should overlap most, and kept where the overlap of the pairs is the implied one; gives up after some seconds.
/// Atoms that no overlap tells apart (alone in space, or mirror images of each other) may be exchanged.
std::vector<std::uint32_t> other_atom_order(const FileOrbitals& file, const FunctionMap& map,
                                            const std::vector<double>& implied);

}  // namespace isolume
