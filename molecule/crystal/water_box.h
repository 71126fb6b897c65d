// A box of water made by rule: a test system of any size.
#pragma once

#include <cstdint>

#include "molecule/molecule.h"

namespace isolume {

/// A cube of rigid TIP3P water, [0, side]^3 angstrom, as a molecule with charges, bonds, one frame and a cubic cell.
///
/// As many molecules as give 0.1023 atoms per cubic angstrom (0.997 g/cm^3 is 0.1000; the density of the 1,534,539-atom
/// box of Hardy, Stone and Schulten 2009). Their oxygens are a fluid of hard spheres of 2.2 angstrom:
/// a cubic lattice that 12 sweeps of random moves with periodic neighbours have melted, so that no order is left that
/// real water does not have. Each molecule is turned at random. Geometry and charges are those of TIP3P, Jorgensen et
/// al., J. Chem. Phys. 79, 926 (1983), doi:10.1063/1.445869: O-H 0.9572 angstrom, H-O-H 104.52 degrees, O -0.834 e, H
/// 0.417 e. Not equilibrated: there are no hydrogen bonds. The same side and seed give the same box on every machine
/// with IEEE arithmetic. Some seconds for 1.5 million atoms.
///
/// @param side  angstrom, 4 to 2000; 246.6 makes a box of about 1.53 million atoms. Throws Error (usage) otherwise.
Molecule make_water_box(double side, std::uint32_t seed = 1);

}  // namespace isolume
