// XYZ files, plain and extended.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// XYZ (XMol): count, comment, one "symbol x y z" per atom in angstrom; frame after frame. Extended XYZ (the
/// libAtoms/extxyz specification) adds Lattice="ax ay az bx by bz cx cy cz" and Properties=name:type:columns:... to the
/// comment; read are species, Z, pos, charges, masses, and forces (eV/angstrom by its convention). A CP2K comment gives
/// the time. Frames with another number of atoms than the first are left out with a warning.
extern const Format xyz_format;

}  // namespace isolume
