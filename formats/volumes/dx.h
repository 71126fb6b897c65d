// OpenDX grids of scalar values.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// Reads the part of OpenDX that molecular programs write (OpenDX user's guide, appendix B.2, "native" files with text
/// data): one gridpositions object with origin and three deltas of any direction, one array of scalars with z running
/// fastest. Lengths are angstrom. The keys "origin" and "delta" and the gridconnections may be absent, as some programs
/// leave them out. "POTENTIAL (kT/e)" in APBS's comment becomes the unit.
/// Throws Error (input) with the line: binary data, vector data, fewer values than promised.
extern const Format dx_format;

}  // namespace isolume
