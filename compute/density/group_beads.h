// Beads: one ball for each group of atoms, such as a residue.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/density/density_atoms.h"

namespace isolume {

/// One ball for each group of consecutive atoms, at their centre of mass and with the mean of their colours by mass.
/// Its radius R is that of the homogeneous ball which has the radius of gyration of the atoms, themselves homogeneous
/// balls of their radii r:
///
///     R^2 = (5/3) R_g^2 + <r^2>,    R_g^2 = <|position - centre|^2>,    means by mass
///
/// so that a group of one atom is that atom. In a group whose masses are all 0, atoms count alike.
///
/// @param atoms   with their radii, angstrom
/// @param masses  one for each atom, Da, >= 0
/// @param first   the first atom of each group, ascending from 0, and the number of atoms at the end
/// Throws Error (usage) where there are not as many masses as atoms, or the groups do not cover the atoms without gap.
std::vector<DensityAtom> group_beads(std::span<const DensityAtom> atoms, std::span<const float> masses,
                                     std::span<const std::uint32_t> first);

}  // namespace isolume
