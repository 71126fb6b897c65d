// JSON files that ORCA's orca_2json writes of a .gbw file.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// orca_2json (ORCA manual, "orca_2json"): atoms, charges of nuclei, basis and orbitals of "Molecule". Spherical shells
/// with p as z, x, y and the others from m = 0 to l as 0, 1, -1, 2, -2; |m| = 3 and 4 have the opposite sign.
/// Coordinates are in angstrom, or in bohr where "CoordinateUnits" says so. Integrals, densities and "TD-DFT" are
/// passed over.
extern const Format orca_json_format;

}  // namespace isolume
