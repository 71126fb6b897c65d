// Particles as one array of NumPy: lattice models of cells, and any other points with kinds.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// NPY (numpy.lib.format, versions 1 to 3): one array of N rows and 3 to 5 columns, in C or Fortran order. Columns 1 to
/// 3 are x, y, z in angstrom, column 4 the kind of the particle, a whole number from 0 to 65535, column 5 its radius in
/// angstrom. Numbers are floats of 4 or 8 bytes or integers of 1 to 8, in either byte order. Without the fourth column
/// all are of kind 0; without the fifth their radius is half of the mean distance of particles that fill their box
/// evenly, (V/N)^(1/3) / 2, which on a full lattice is half of its spacing, and a note says so.
///
/// A particle of kind 7 has the name and the type "K7" and the B factor 7, by which it is selected and coloured; it has
/// no element. All are one residue of one chain, without bonds. Positions are decoded from the mapped file whenever a
/// frame is asked for; the topology takes 96 bytes a particle.
extern const Format npy_format;

}  // namespace isolume
