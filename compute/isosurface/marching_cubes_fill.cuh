// The kernel of marching cubes on CUDA that fills: vertices and triangles by word.
#pragma once

#include "compute/isosurface/marching_cubes_kernels.cuh"

namespace isolume {

namespace {

constexpr unsigned fill_words = 64;  // words that a block fills
constexpr unsigned fill_threads = 2 * fill_words;
constexpr unsigned fill_parts = block_words / fill_words;
constexpr unsigned vertex_list_length = 1024;
constexpr unsigned triangle_list_length = 2048;
constexpr int fill_blocks =
    blocks_at_once(blocks_wanted::isosurface_fill, fill_threads,
                   (vertex_list_length + triangle_list_length) * sizeof(std::uint32_t) + fill_words * sizeof(int3));

/// What counting leaves for filling.
struct Numbering {
  const std::uint32_t* bits;
  const std::uint32_t* before;
  const std::uint32_t* block_counts;
  const uint2* block_starts;

  __device__ std::uint32_t operator()(std::size_t word) const {
    return __ldg(&block_starts[word / block_words].x) + BlockCounts::vertices(__ldg(before + word));
  }
};

/// Where the mesh is written, and how much of it: tightly packed triples, RGBA bytes or null.
struct MeshMemory {
  float* positions;
  float* normals;
  std::uint32_t* triangles;
  uchar4* colours;
  std::size_t vertex_room;
  std::size_t triangle_room;
};

template <class T>
__device__ void make_vertex(const IsoGrid& g, const T* __restrict__ volume, const VertexColour& by,
                            const MeshMemory& mesh, int axis, int i, int j, int k, std::size_t to) {
  const IsoVertex v = iso_vertex(g, volume, axis, i, j, k);
  for (std::size_t c = 0; c < 3; ++c) {
    mesh.positions[3 * to + c] = v.position[c];
    mesh.normals[3 * to + c] = v.normal[c];
  }
  if (!mesh.colours) return;
  float colour[3];
  vertex_colour(g, by, v, axis, i, j, k, colour);
  mesh.colours[to] = make_uchar4(colour_byte(colour[0]), colour_byte(colour[1]), colour_byte(colour[2]), 255);
}

/// The triangle of an entry of the list.
__device__ inline void make_triangle(const IsoGrid& g, const Numbering& numbering, const CaseTable* __restrict__ table,
                                     const MeshMemory& mesh, unsigned entry, const int3* places, std::size_t place) {
  const int3 p = places[entry >> 16];
  const std::uint8_t* edges = table->edges[entry >> 3 & 255u] + 3 * (entry & 7u);
  std::uint32_t ids[3];
#pragma unroll
  for (int c = 0; c < 3; ++c) {
    ids[c] =
        edge_vertex(g, numbering.bits, numbering, edges[c], 32 * p.x + static_cast<int>(entry >> 11 & 31u), p.y, p.z);
  }
  std::uint32_t* to = mesh.triangles + 3 * place;
  to[0] = ids[0];
  to[1] = g.mirrored ? ids[2] : ids[1];
  to[2] = g.mirrored ? ids[1] : ids[2];
}

/// A block fills what its words hold: half of its threads list the vertices by word, the others the triangles, then
/// each warp takes vertices or triangles, a thread one. Words of the layer that is only numbered come last and are left
/// out.
template <class T>
__global__ void __launch_bounds__(fill_threads, fill_blocks)
    fill_kernel(IsoGrid g, const T* __restrict__ volume, Numbering numbering, const CaseTable* __restrict__ table,
                std::size_t words, std::size_t first_part, VertexColour by, MeshMemory mesh) {
  __shared__ std::uint32_t vertex_list[vertex_list_length];
  __shared__ std::uint32_t triangle_list[triangle_list_length];
  __shared__ int3 places[fill_words];
  // A part of a block of words, so that no block has much more to do than others.
  const std::size_t part = first_part + blockIdx.x;
  const std::size_t block = part / fill_parts;
  const std::size_t first_word = part * fill_words;
  if (first_word >= words) return;
  const bool last_part = (part + 1) % fill_parts == 0 || first_word + fill_words >= words;
  // Asked for together: each is waited for.
  const unsigned counts = numbering.block_counts[block];
  const unsigned packed_begin = numbering.before[first_word];
  const unsigned packed_end = last_part ? counts : numbering.before[first_word + fill_words];
  uint2 start = numbering.block_starts[block];
  if (packed_end == packed_begin) return;
  const unsigned vertices = BlockCounts::vertices(packed_end) - BlockCounts::vertices(packed_begin);
  const unsigned triangles = BlockCounts::triangles(packed_end) - BlockCounts::triangles(packed_begin);
  start.x += BlockCounts::vertices(packed_begin);
  start.y += BlockCounts::triangles(packed_begin);
  const unsigned t = threadIdx.x;
  const unsigned own = t % fill_words;
  const std::size_t word = first_word + own;
  const bool exists = word < words;
  const WordPlace at(g, exists ? word : 0);
  if (t < fill_words) places[own] = {at.w, at.j, at.k};
  const unsigned before = exists ? numbering.before[word] - packed_begin : 0u;

  for (unsigned round = 0;; ++round) {
    const unsigned first_vertex = round * vertex_list_length;
    const unsigned first_triangle = round * triangle_list_length;
    if (first_vertex >= vertices && first_triangle >= triangles) return;
    if (exists && t < fill_words) {
      if (first_vertex < vertices) {
        // An entry: word, axis, bit.
        const CrossedEdges crossed(g, numbering.bits, at.w, at.j, at.k);
        unsigned place = BlockCounts::vertices(before) - first_vertex;
#pragma unroll
        for (unsigned axis = 0; axis < 3; ++axis) {
          for (std::uint32_t rest = crossed.along[axis]; rest != 0; rest &= rest - 1, ++place) {
            if (place < vertex_list_length) {
              vertex_list[place] = own << 7 | axis << 5 | static_cast<unsigned>(lowest_bit(rest));
            }
          }
        }
      }
    } else if (exists && first_triangle < triangles && at.j + 1 < g.ny && at.k + 1 < g.nz && at.k < g.own) {
      // An entry: word, bit, case, number in the cell.
      const CellCorners corners(g, numbering.bits, at.w, at.j, at.k);
      unsigned place = BlockCounts::triangles(before) - first_triangle;
      for (std::uint32_t rest = corners.mixed; rest != 0; rest &= rest - 1) {
        const int bit = lowest_bit(rest);
        const auto which = static_cast<unsigned>(corners.case_of(bit));
        const unsigned entry = own << 16 | static_cast<unsigned>(bit) << 11 | which << 3;
        const unsigned count = table->triangle_count[which];
        for (unsigned n = 0; n < count; ++n, ++place) {
          if (place < triangle_list_length) triangle_list[place] = entry | n;
        }
      }
    }
    __syncthreads();
    const unsigned listed_vertices = first_vertex < vertices ? min(vertex_list_length, vertices - first_vertex) : 0u;
    const unsigned listed_triangles =
        first_triangle < triangles ? min(triangle_list_length, triangles - first_triangle) : 0u;
    const unsigned padded = (listed_vertices + 31u) & ~31u;  // no warp has both
    for (unsigned n = t; n < padded + listed_triangles; n += fill_threads) {
      if (n < padded) {
        if (n >= listed_vertices) continue;
        const unsigned entry = vertex_list[n];
        const int3 p = places[entry >> 7];
        const std::size_t to = std::size_t{start.x} + first_vertex + n;
        if (p.z >= g.own || to >= mesh.vertex_room) continue;
        make_vertex(g, volume, by, mesh, static_cast<int>(entry >> 5 & 3u), 32 * p.x + static_cast<int>(entry & 31u),
                    p.y, p.z, to);
      } else {
        const std::size_t place = std::size_t{start.y} + first_triangle + (n - padded);
        if (place >= mesh.triangle_room) continue;
        make_triangle(g, numbering, table, mesh, triangle_list[n - padded], places, place);
      }
    }
    __syncthreads();
  }
}

}  // namespace

}  // namespace isolume
