// Records and cells of DCD files.
#pragma once

#include <array>
#include <cstdint>

#include "formats/bytes/binary.h"
#include "molecule/cell.h"

namespace isolume::dcd {

/// Byte order and width of the record markers, from the first record: a length of 84 and the word CORD (or VELD).
struct Layout {
  bool found = false;
  bool swap = false;
  unsigned marker = 4;
  bool velocities = false;
};

Layout layout_of(const ByteSource& source);

struct Record {
  std::uint64_t offset = 0;  ///< of the content
  std::uint64_t bytes = 0;   ///< of the content
};

/// Steps over one Fortran record and checks both of its markers. Throws Error (input).
Record take_record(BinaryCursor& cursor, unsigned marker, const char* what);

/// The cell from its six numbers; see dcd.h. No cell where a length is zero. Throws Error (input).
Cell cell_from(const std::array<double, 6>& c, int version);

}  // namespace isolume::dcd
