// The 256 cases of marching cubes, derived from the cube's geometry.
#pragma once

#include <cstdint>

namespace isolume {

/// Which edges of a cell the triangles of each case join.
///
/// Corner c of a cell is at (c & 1, c >> 1 & 1, c >> 2); bit c of a case is set where the corner is inside. Edges 0
/// to 3 run along x at (y, z) = (e & 1, e >> 1), edges 4 to 7 along y at (x, z), edges 8 to 11 along z at (x, y).
///
/// On every face the contour keeps its inside corners apart (an ambiguous face is cut into two corners), which is a
/// rule of the face alone, so that neighbouring cells agree; no triangle has a side in a face that is not part of the
/// contour there, so that every side is shared by exactly two triangles.
struct CaseTable {
  static constexpr int max_triangles = 5;
  std::uint8_t triangle_count[256];
  std::uint8_t edges[256][3 * max_triangles];
};

/// The same for vectors of 16 bytes: the edges of the triangles' corners, and in the last byte how many corners.
struct CaseCorners {
  alignas(64) std::uint8_t straight[256][16];
  alignas(64) std::uint8_t mirrored[256][16];  ///< triangles wind the other way
};

/// The tables; made on the first call.
const CaseTable& case_table();
const CaseCorners& case_corners();

}  // namespace isolume
