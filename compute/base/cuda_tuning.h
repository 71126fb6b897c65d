// What a multiprocessor of each architecture holds, and how many blocks of a kernel it should hold at once.
//
// This file is compiled with the program, and again at run time with the kernel of orbitals: it includes nothing and
// uses nothing but the language.
#pragma once

namespace isolume {

/// What the blocks of a multiprocessor share.
struct Multiprocessor {
  int architecture;  ///< ten times the major number of the compute capability, and its minor number
  int threads;       ///< of all blocks
  int blocks;
  int shared_kib;  ///< shared memory of all blocks
};

/// From the table of technical specifications in NVIDIA's CUDA programming guide.
inline constexpr Multiprocessor multiprocessors[] = {
    {75, 1024, 16, 64},    // GeForce RTX 20, T4
    {80, 2048, 32, 164},   // A100
    {86, 1536, 16, 100},   // GeForce RTX 30, A10, A40
    {87, 1536, 16, 164},   // Orin
    {89, 1536, 24, 100},   // GeForce RTX 40, L4, L40
    {90, 2048, 32, 228},   // H100, H200
    {100, 2048, 32, 228},  // B200
    {103, 2048, 32, 228},  // B300
    {110, 1536, 24, 228},  // Thor
    {120, 1536, 24, 100},  // GeForce RTX 50
    {121, 1536, 24, 100},  // GB10
};

/// The row of an architecture: the last that is not newer, else the first.
constexpr Multiprocessor multiprocessor(int architecture) {
  Multiprocessor found = multiprocessors[0];
  for (const Multiprocessor& m : multiprocessors) {
    if (m.architecture <= architecture) found = m;
  }
  return found;
}

/// Blocks that a kernel wants at once. Registers are shared out among so many: fewer blocks leave more registers to a
/// thread, more blocks hide more waiting. Measured on 9.0.
namespace blocks_wanted {
inline constexpr int isosurface_count = 6;
inline constexpr int isosurface_fill = 8;
inline constexpr int row_sum = 4;
inline constexpr int hcp_field_of_singles = 14;  // a charge for a component
inline constexpr int hcp_field_of_pairs = 10;    // two charges for a component
inline constexpr int electron_density = 2;
inline constexpr int orbital_low = 7;   // degrees up to 2
inline constexpr int orbital_high = 5;  // higher degrees
}  // namespace blocks_wanted

/// The wanted blocks, or as many as the multiprocessor holds of so many threads and bytes of shared memory each. Shared
/// memory comes in pieces of 128 bytes, and the system keeps 1 KiB of it for each block.
constexpr int blocks_held(const Multiprocessor& m, int wanted, int threads, unsigned long long shared_bytes) {
  const int by_threads = m.threads / threads;
  const int by_shared =
      static_cast<int>(static_cast<unsigned>(m.shared_kib) * 1024ull / ((shared_bytes + 127) / 128 * 128 + 1024));
  int held = wanted;
  if (held > m.blocks) held = m.blocks;
  if (held > by_threads) held = by_threads;
  if (held > by_shared) held = by_shared;
  return held < 1 ? 1 : held;
}

/// The same on the architecture that is being compiled for.
constexpr int blocks_at_once(int wanted, int threads, unsigned long long shared_bytes) {
#ifdef __CUDA_ARCH__
  return blocks_held(multiprocessor(__CUDA_ARCH__ / 10), wanted, threads, shared_bytes);
#else
  return blocks_held(multiprocessor(0), wanted, threads, shared_bytes);
#endif
}

}  // namespace isolume
