// Which edges and cells of a word cross the surface, for marching cubes on CUDA; the CPU has its own in vectors.
#pragma once

#include "compute/isosurface/marching_cubes_math.h"

namespace isolume {

namespace {

/// Which of a word's edges along each axis cross the surface.
struct CrossedEdges {
  std::uint32_t along[3];

  __device__ CrossedEdges(const IsoGrid& g, const std::uint32_t* bits, int w, int j, int k) {
    const std::uint32_t here = bits[g.word(w, j, k)];
    along[0] = (here ^ g.next_points(bits, w, j, k)) & g.has_next(w);
    along[1] = j + 1 < g.ny ? here ^ bits[g.word(w, j + 1, k)] : 0u;
    along[2] = k + 1 < g.nz ? here ^ bits[g.word(w, j, k + 1)] : 0u;
  }
  __device__ int count() const { return __popc(along[0]) + __popc(along[1]) + __popc(along[2]); }
};

/// The rows of points around a row of cells: bit i of corner[c] is corner c of cell i.
struct CellCorners {
  std::uint32_t corner[8];
  std::uint32_t mixed;  ///< cells whose corners differ

  __device__ CellCorners(const IsoGrid& g, const std::uint32_t* bits, int w, int j, int k) {
    std::uint32_t any = 0;
    std::uint32_t all = ~0u;
    for (int row = 0; row < 4; ++row) {
      const int y = j + (row & 1);
      const int z = k + (row >> 1);
      corner[2 * row] = bits[g.word(w, y, z)];
      corner[2 * row + 1] = g.next_points(bits, w, y, z);
      any |= corner[2 * row] | corner[2 * row + 1];
      all &= corner[2 * row] & corner[2 * row + 1];
    }
    mixed = any & ~all & g.has_next(w);
  }
  __device__ int case_of(int bit) const {
    int result = 0;
    for (int c = 0; c < 8; ++c) result |= static_cast<int>(corner[c] >> bit & 1u) << c;
    return result;
  }
};

/// Number of the vertex on an edge (see CaseTable) of cell (i, j, k); vertex_start(word) is the first of a word's.
template <class VertexStart>
__device__ inline std::uint32_t edge_vertex(const IsoGrid& g, const std::uint32_t* bits,
                                            const VertexStart& vertex_start, int edge, int i, int j, int k) {
  const int axis = edge >> 2;
  const int u = edge & 1;
  const int v = edge >> 1 & 1;
  i += axis == 0 ? 0 : u;
  j += axis == 0 ? u : axis == 2 ? v : 0;
  k += axis == 2 ? 0 : v;
  const int w = i >> 5;
  const CrossedEdges crossed(g, bits, w, j, k);
  const std::uint32_t below = (1u << (i & 31)) - 1u;
  std::uint32_t number = g.first_vertex + vertex_start(g.word(w, j, k));
  if (axis > 0) number += static_cast<std::uint32_t>(__popc(crossed.along[0]));
  if (axis > 1) number += static_cast<std::uint32_t>(__popc(crossed.along[1]));
  // Chosen by hand: an index would put the three words into memory.
  const std::uint32_t along = axis == 0 ? crossed.along[0] : axis == 1 ? crossed.along[1] : crossed.along[2];
  return number + static_cast<std::uint32_t>(__popc(along & below));
}

}  // namespace

}  // namespace isolume
