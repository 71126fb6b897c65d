// The kernel of marching cubes on CUDA after classifying: counts by word, and numbers the blocks of words.
#pragma once

#include <cub/block/block_scan.cuh>

#include "compute/base/cuda_tuning.h"
#include "compute/isosurface/marching_cubes_cells.cuh"
#include "compute/isosurface/marching_cubes_classify.cuh"
#include "compute/isosurface/marching_cubes_table.h"
#include "compute/isosurface/vertex_colour.h"

namespace isolume {

namespace {

constexpr unsigned number_items = 8;

/// Vertices (low half) and triangles (high half) of up to block_words words: 96 and 160 a word at most.
struct BlockCounts {
  static __device__ unsigned vertices(unsigned packed) { return packed & 0xffffu; }
  static __device__ unsigned triangles(unsigned packed) { return packed >> 16; }
};

/// Vertices and triangles before a block, and of all.
struct Numbers {
  unsigned long long vertices, triangles;
};

/// What counting writes.
struct CountMemory {
  std::uint32_t* before;        ///< of each word in its block, packed
  std::uint32_t* block_counts;  ///< packed
  uint2* block_starts;          ///< first vertex and triangle of every block
  Numbers* totals;              ///< sums of the words before `own_words`
  unsigned* finished;           ///< blocks of words that are counted; 0 before and after
  unsigned blocks;
  std::size_t own_words, words;
};

// Vertices in the low half, triangles in the high one: some thousand blocks at a time do not overflow either.
using CountPair = unsigned long long;
using CountScan = cub::BlockScan<unsigned, block_words>;
using NumberScan = cub::BlockScan<CountPair, block_words>;
constexpr int count_blocks = blocks_at_once(blocks_wanted::isosurface_count, block_words,
                                            sizeof(CountScan::TempStorage) + sizeof(NumberScan::TempStorage));

/// By one block, when all are counted: the first vertex and triangle of every block of words, and of all.
__device__ inline void number_blocks(const CountMemory& out) {
  __shared__ NumberScan::TempStorage memory;
  Numbers carried{0, 0};
  for (unsigned begin = 0; begin < out.blocks; begin += block_words * number_items) {
    CountPair items[number_items];
    // Read in the room that the blocks' counts have behind the last.
    const unsigned own = begin + threadIdx.x * number_items;
    uint4 counts[number_items / 4];
#pragma unroll
    for (unsigned n = 0; n < number_items / 4; ++n) {
      counts[n] = own < out.blocks ? __ldcg(reinterpret_cast<const uint4*>(out.block_counts + own) + n) : uint4{};
    }
#pragma unroll
    for (unsigned n = 0; n < number_items; ++n) {
      const uint4 four = counts[n / 4];
      const unsigned packed = own + n >= out.blocks ? 0u
                              : n % 4 == 0          ? four.x
                              : n % 4 == 1          ? four.y
                              : n % 4 == 2          ? four.z
                                                    : four.w;
      items[n] = BlockCounts::vertices(packed) | CountPair{BlockCounts::triangles(packed)} << 32;
    }
    CountPair all = 0;
    NumberScan(memory).ExclusiveSum(items, items, all);
#pragma unroll
    for (unsigned n = 0; n < number_items; ++n) {
      const unsigned block = own + n;
      if (block < out.blocks) {
        out.block_starts[block] = {static_cast<unsigned>(carried.vertices) + static_cast<unsigned>(items[n]),
                                   static_cast<unsigned>(carried.triangles) + static_cast<unsigned>(items[n] >> 32)};
      }
    }
    carried.vertices += all & 0xffffffffu;
    carried.triangles += all >> 32;
    __syncthreads();
  }
  if (threadIdx.x != 0) return;
  if (out.own_words < out.words) {
    const unsigned packed = __ldcg(out.before + out.own_words);
    const uint2 start = out.block_starts[out.own_words / block_words];
    carried.vertices = start.x + BlockCounts::vertices(packed);
    carried.triangles = start.y + BlockCounts::triangles(packed);
  }
  *out.totals = carried;
}

/// A thread a word: what comes before it in its block, and the sums of the blocks, which the last one to end numbers.
__global__ void __launch_bounds__(block_words, count_blocks)
    count_kernel(IsoGrid g, const std::uint32_t* __restrict__ bits, const CaseTable* __restrict__ table,
                 std::size_t first, std::size_t end, CountMemory out) {
  __shared__ CountScan::TempStorage memory;
  __shared__ bool last;
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
  CountScan(memory).ExclusiveSum(mine, place, all);
  if (word < end) out.before[word] = place;
  if (threadIdx.x == 0) out.block_counts[word / block_words] = all;
  // The sums, and the word that tells of the totals, are there for whoever comes last.
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicInc(out.finished, out.blocks - 1) == out.blocks - 1;
  __syncthreads();
  if (!last) return;
  __threadfence();
  number_blocks(out);
}

}  // namespace

}  // namespace isolume
