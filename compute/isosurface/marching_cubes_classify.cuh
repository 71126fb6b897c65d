// The first kernels of marching cubes on CUDA: a bit for each point, set inside.
#pragma once

#include "compute/isosurface/marching_cubes_math.h"

namespace isolume {

namespace {

constexpr unsigned block_words = 256;  // words that a block counts, and its threads
constexpr unsigned words_per_warp = 8;
constexpr unsigned words_per_warp_of_fours = 16;

struct WordPlace {
  int w, j, k;
  __device__ WordPlace(const IsoGrid& g, std::size_t word) {
    if (word >> 32 == 0) {
      const auto row = static_cast<unsigned>(word) / static_cast<unsigned>(g.words);
      w = static_cast<int>(static_cast<unsigned>(word) - row * static_cast<unsigned>(g.words));
      j = static_cast<int>(row % static_cast<unsigned>(g.ny));
      k = static_cast<int>(row / static_cast<unsigned>(g.ny));
    } else {
      const std::size_t row = word / static_cast<std::size_t>(g.words);
      w = static_cast<int>(word % static_cast<std::size_t>(g.words));
      j = static_cast<int>(row % static_cast<std::size_t>(g.ny));
      k = static_cast<int>(row / static_cast<std::size_t>(g.ny));
    }
  }
};

/// A warp makes several words, a lane a point of each; all are read before the first is used.
template <class T>
__global__ void __launch_bounds__(block_words)
    classify_kernel(IsoGrid g, const T* __restrict__ volume, std::size_t first, std::size_t end, std::uint32_t* bits) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const std::size_t warp = static_cast<std::size_t>(blockIdx.x) * (block_words / 32) + threadIdx.x / 32;
  const std::size_t word = first + warp * words_per_warp;
  if (word >= end) return;
  WordPlace at(g, word);
  std::size_t row = g.index(0, at.j, at.k);
  float value[words_per_warp];
  bool exists[words_per_warp];
#pragma unroll
  for (unsigned n = 0; n < words_per_warp; ++n) {
    const int i = 32 * at.w + lane;
    exists[n] = word + n < end && i < g.nx;
    value[n] = exists[n] ? to_float(volume[row + static_cast<std::size_t>(i)]) : 0.0f;
    if (++at.w == g.words) {
      // Rows follow each other without a gap.
      at.w = 0;
      row += static_cast<std::size_t>(g.nx);
    }
  }
  unsigned mine = 0;
#pragma unroll
  for (unsigned n = 0; n < words_per_warp; ++n) {
    const unsigned votes = __ballot_sync(~0u, exists[n] && g.inside(value[n]));
    if (lane == static_cast<int>(n)) mine = votes;
  }
  if (lane < static_cast<int>(words_per_warp) && word + static_cast<unsigned>(lane) < end) {
    bits[word + static_cast<unsigned>(lane)] = mine;
  }
}

/// Four values that are loaded at once.
template <class T>
struct alignas(4 * sizeof(T)) FourValues {
  T value[4];
};

/// The same where rows are multiples of four points: a lane takes four, eight lanes a word.
template <class T>
__global__ void __launch_bounds__(block_words)
    classify_four_kernel(IsoGrid g, const T* __restrict__ volume, std::size_t first, std::size_t end,
                         std::uint32_t* bits) {
  constexpr unsigned steps = words_per_warp_of_fours / 4;
  const unsigned lane = threadIdx.x % 32;
  const std::size_t warp = static_cast<std::size_t>(blockIdx.x) * (block_words / 32) + threadIdx.x / 32;
  const std::size_t word = first + warp * words_per_warp_of_fours + lane / 8;
  WordPlace at(g, word < end ? word : first);
  std::size_t row = g.index(0, at.j, at.k);
  FourValues<T> values[steps];
  bool exists[steps];
#pragma unroll
  for (unsigned n = 0; n < steps; ++n) {
    const int i = 32 * at.w + 4 * static_cast<int>(lane % 8);
    exists[n] = word + 4 * n < end && i < g.nx;
    if (exists[n]) {
      values[n] = *reinterpret_cast<const FourValues<T>*>(volume + row + static_cast<std::size_t>(i));
    }
    for (at.w += 4; at.w >= g.words; at.w -= g.words) row += static_cast<std::size_t>(g.nx);
  }
#pragma unroll
  for (unsigned n = 0; n < steps; ++n) {
    unsigned mine = 0;
    if (exists[n]) {
#pragma unroll
      for (unsigned c = 0; c < 4; ++c) mine |= static_cast<unsigned>(g.inside(to_float(values[n].value[c]))) << c;
    }
    mine <<= 4 * (lane % 8);
    mine |= __shfl_xor_sync(~0u, mine, 1);
    mine |= __shfl_xor_sync(~0u, mine, 2);
    mine |= __shfl_xor_sync(~0u, mine, 4);
    if (lane % 8 == 0 && word + 4 * n < end) bits[word + 4 * n] = mine;
  }
}

}  // namespace

}  // namespace isolume
