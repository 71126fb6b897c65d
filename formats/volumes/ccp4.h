// CCP4 and MRC density maps.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// CCP4 map (CCP4 "maplib" documentation) and MRC2014 (doi:10.1016/j.jsb.2015.04.002): 1024 bytes of header, NSYMBT
/// bytes, values as int8, int16, float or uint16 (modes 0, 1, 2, 6) in either byte order, with columns, rows and
/// sections along any of x, y, z (MAPC, MAPR, MAPS). The volume is in angstrom, x fastest, in the orthogonal frame of
/// the cell (a along x, b in the xy plane).
///
/// Where the first point is: at ORIGIN (words 50 to 52) where that is not zero, else at NSTART steps from the
/// cell's origin; a skew transformation (LSKFLG) is applied when it is a rotation: x = S^-1 x' + t.
/// Throws Error (input) where sizes contradict the file's length, for other modes, and for values that are not finite.
extern const Format ccp4_format;

}  // namespace isolume
