// The kernels of marching cubes on CUDA after classifying: count by word, number by block, fill by vertex and
// triangle.
#pragma once

#include <cub/block/block_scan.cuh>

#include "compute/isosurface/marching_cubes_classify.cuh"
#include "compute/isosurface/marching_cubes_math.h"
#include "compute/isosurface/marching_cubes_table.h"
#include "compute/isosurface/vertex_colour.h"

namespace isolume {

namespace {

constexpr unsigned number_threads = 512;
constexpr unsigned number_items = 8;
constexpr unsigned list_length = 2048;
constexpr unsigned fill_words = 64;  // words that a block fills
constexpr unsigned fill_threads = 128;
constexpr unsigned fill_parts = block_words / fill_words;

/// Vertices (low half) and triangles (high half) of up to block_words words: 96 and 160 a word at most.
struct BlockCounts {
  static __device__ unsigned vertices(unsigned packed) { return packed & 0xffffu; }
  static __device__ unsigned triangles(unsigned packed) { return packed >> 16; }
};

/// A thread a word: what comes before it in its block, and the sums of the blocks.
__global__ void __launch_bounds__(block_words)
    count_kernel(IsoGrid g, const std::uint32_t* __restrict__ bits, const CaseTable* __restrict__ table,
                 std::size_t first, std::size_t end, std::uint32_t* before, std::uint32_t* block_counts) {
  using Scan = cub::BlockScan<unsigned, block_words>;
  __shared__ typename Scan::TempStorage memory;
  const std::size_t word = first + static_cast<std::size_t>(blockIdx.x) * block_words + threadIdx.x;
  unsigned mine = 0;
  if (word < end) {
    const WordPlace at(g, word);
    mine = static_cast<unsigned>(CrossedEdges(g, bits, at.w, at.j, at.k).count());
    if (at.j + 1 < g.ny && at.k + 1 < g.nz && at.k < g.own) {
      const CellCorners corners(g, bits, at.w, at.j, at.k);
      for (std::uint32_t rest = corners.mixed; rest != 0; rest &= rest - 1) {
        mine += static_cast<unsigned>(table->triangle_count[corners.case_of(lowest_bit(rest))]) << 16;
      }
    }
  }
  unsigned place = 0;
  unsigned all = 0;
  Scan(memory).ExclusiveSum(mine, place, all);
  if (word < end) before[word] = place;
  if (threadIdx.x == 0) block_counts[word / block_words] = all;
}

/// Vertices and triangles before a block, and of all.
struct Numbers {
  unsigned long long vertices, triangles;
  __device__ friend Numbers operator+(Numbers a, Numbers b) {
    return {a.vertices + b.vertices, a.triangles + b.triangles};
  }
};

/// One block: the first vertex and triangle of every block of words; `totals` are the sums of the words before
/// `own_words`.
__global__ void __launch_bounds__(number_threads, 1)
    number_kernel(const std::uint32_t* __restrict__ block_counts, unsigned blocks, uint2* block_starts,
                  const std::uint32_t* __restrict__ before, std::size_t own_words, std::size_t words, Numbers* totals) {
  using Scan = cub::BlockScan<Numbers, number_threads>;
  __shared__ typename Scan::TempStorage memory;
  Numbers carried{0, 0};
  for (unsigned begin = 0; begin < blocks; begin += number_threads * number_items) {
    Numbers items[number_items];
#pragma unroll
    for (unsigned n = 0; n < number_items; ++n) {
      const unsigned block = begin + threadIdx.x * number_items + n;
      const unsigned packed = block < blocks ? block_counts[block] : 0u;
      items[n] = {BlockCounts::vertices(packed), BlockCounts::triangles(packed)};
    }
    Numbers all{0, 0};
    Scan(memory).ExclusiveScan(
        items, items, Numbers{0, 0}, [](Numbers a, Numbers b) { return a + b; }, all);
#pragma unroll
    for (unsigned n = 0; n < number_items; ++n) {
      const unsigned block = begin + threadIdx.x * number_items + n;
      const Numbers start = carried + items[n];
      if (block < blocks) {
        block_starts[block] = {static_cast<unsigned>(start.vertices), static_cast<unsigned>(start.triangles)};
      }
    }
    carried = carried + all;
    __syncthreads();
  }
  if (threadIdx.x != 0) return;
  if (own_words < words) {
    const unsigned packed = before[own_words];
    const uint2 start = block_starts[own_words / block_words];
    carried.vertices = start.x + BlockCounts::vertices(packed);
    carried.triangles = start.y + BlockCounts::triangles(packed);
  }
  *totals = carried;
}

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

/// A block fills what its words hold: lists it by word, then takes a thread a vertex, and a thread a triangle. Words
/// of the layer that is only numbered come last and are left out.
template <class T>
__global__ void __launch_bounds__(fill_threads, 8)
    fill_kernel(IsoGrid g, const T* __restrict__ volume, Numbering numbering, const CaseTable* __restrict__ table,
                std::size_t words, std::size_t first_part, VertexColour by, MeshMemory mesh) {
  __shared__ std::uint32_t list[list_length];
  __shared__ int3 places[fill_words];
  // A part of a block of words, so that no block has much more to do than others.
  const std::size_t part = first_part + blockIdx.x;
  const std::size_t block = part / fill_parts;
  const std::size_t first_word = part * fill_words;
  const unsigned counts = numbering.block_counts[block];
  if (counts == 0 || first_word >= words) return;
  const unsigned packed_begin = numbering.before[first_word];
  const bool last_part = (part + 1) % fill_parts == 0 || first_word + fill_words >= words;
  const unsigned packed_end = last_part ? counts : numbering.before[first_word + fill_words];
  const unsigned vertices = BlockCounts::vertices(packed_end) - BlockCounts::vertices(packed_begin);
  const unsigned triangles = BlockCounts::triangles(packed_end) - BlockCounts::triangles(packed_begin);
  if (vertices == 0 && triangles == 0) return;
  uint2 start = numbering.block_starts[block];
  start.x += BlockCounts::vertices(packed_begin);
  start.y += BlockCounts::triangles(packed_begin);
  const unsigned t = threadIdx.x;
  const std::size_t word = first_word + t;
  const bool exists = t < fill_words && word < words;
  const WordPlace at(g, exists ? word : 0);
  if (t < fill_words) places[t] = {at.w, at.j, at.k};
  const unsigned before = exists ? numbering.before[word] - packed_begin : 0u;

  for (unsigned begin = 0; begin < vertices; begin += list_length) {
    if (exists) {
      // An entry: word, axis, bit.
      const CrossedEdges crossed(g, numbering.bits, at.w, at.j, at.k);
      unsigned place = BlockCounts::vertices(before) - begin;
      for (unsigned axis = 0; axis < 3; ++axis) {
        for (std::uint32_t rest = crossed.along[axis]; rest != 0; rest &= rest - 1, ++place) {
          if (place < list_length) list[place] = t << 7 | axis << 5 | static_cast<unsigned>(lowest_bit(rest));
        }
      }
    }
    __syncthreads();
    for (unsigned n = t; n < min(list_length, vertices - begin); n += fill_threads) {
      const unsigned entry = list[n];
      const int3 p = places[entry >> 7];
      const std::size_t to = std::size_t{start.x} + begin + n;
      if (p.z >= g.own || to >= mesh.vertex_room) continue;
      make_vertex(g, volume, by, mesh, static_cast<int>(entry >> 5 & 3u), 32 * p.x + static_cast<int>(entry & 31u), p.y,
                  p.z, to);
    }
    __syncthreads();
  }

  for (unsigned begin = 0; begin < triangles; begin += list_length) {
    if (exists && at.j + 1 < g.ny && at.k + 1 < g.nz && at.k < g.own) {
      // An entry: word, bit, case, number in the cell.
      const CellCorners corners(g, numbering.bits, at.w, at.j, at.k);
      unsigned place = BlockCounts::triangles(before) - begin;
      for (std::uint32_t rest = corners.mixed; rest != 0; rest &= rest - 1) {
        const int bit = lowest_bit(rest);
        const auto which = static_cast<unsigned>(corners.case_of(bit));
        const unsigned entry = t << 16 | static_cast<unsigned>(bit) << 11 | which << 3;
        const unsigned count = table->triangle_count[which];
        for (unsigned n = 0; n < count; ++n, ++place) {
          if (place < list_length) list[place] = entry | n;
        }
      }
    }
    __syncthreads();
    for (unsigned n = t; n < min(list_length, triangles - begin); n += fill_threads) {
      const std::size_t place = std::size_t{start.y} + begin + n;
      if (place >= mesh.triangle_room) continue;
      const unsigned entry = list[n];
      const int3 p = places[entry >> 16];
      const std::uint8_t* edges = table->edges[entry >> 3 & 255u] + 3 * (entry & 7u);
      std::uint32_t ids[3];
#pragma unroll
      for (int c = 0; c < 3; ++c) {
        ids[c] = edge_vertex(g, numbering.bits, numbering, edges[c], 32 * p.x + static_cast<int>(entry >> 11 & 31u),
                             p.y, p.z);
      }
      std::uint32_t* to = mesh.triangles + 3 * place;
      to[0] = ids[0];
      to[1] = g.mirrored ? ids[2] : ids[1];
      to[2] = g.mirrored ? ids[1] : ids[2];
    }
    __syncthreads();
  }
}

}  // namespace

}  // namespace isolume
