// Launch bounds: what each architecture holds of a kernel's blocks.
#include "compute/base/cuda_tuning.h"

#include <gtest/gtest.h>

namespace isolume {
namespace {

constexpr unsigned long long kib = 1024;

TEST(CudaTuning, BlocksFitTheThreadsOfAMultiprocessor) {
  // Six blocks of 256 threads: 1024, 1536 and 2048 threads hold four, six and eight.
  EXPECT_EQ(blocks_held(multiprocessor(75), 6, 256, 0), 4);
  EXPECT_EQ(blocks_held(multiprocessor(86), 6, 256, 0), 6);
  EXPECT_EQ(blocks_held(multiprocessor(90), 6, 256, 0), 6);
  EXPECT_EQ(blocks_held(multiprocessor(120), 8, 256, 0), 6);
}

TEST(CudaTuning, BlocksFitTheSharedMemoryOfAMultiprocessor) {
  // 11 KiB and the system's 1 KiB a block: 64 KiB hold 5, 100 KiB hold 8, 228 KiB hold 19.
  EXPECT_EQ(blocks_held(multiprocessor(75), 14, 64, 11 * kib), 5);
  EXPECT_EQ(blocks_held(multiprocessor(89), 14, 64, 11 * kib), 8);
  EXPECT_EQ(blocks_held(multiprocessor(90), 14, 64, 11 * kib), 14);
  // The most that a block may have without asking for more.
  EXPECT_EQ(blocks_held(multiprocessor(75), 2, 256, 48 * kib), 1);
}

TEST(CudaTuning, EveryArchitectureHoldsABlockOfEveryKernel) {
  for (const Multiprocessor& m : multiprocessors) {
    for (const int threads : {32, 64, 128, 256, 512, 1024}) {
      for (int wanted = 1; wanted <= 32; ++wanted) {
        for (unsigned long long shared = 0; shared <= 48 * kib; shared += 12 * kib) {
          const int held = blocks_held(m, wanted, threads, shared);
          ASSERT_GE(held, 1) << m.architecture;
          ASSERT_LE(held, wanted) << m.architecture;
          ASSERT_LE(held * threads, m.threads) << m.architecture;
          ASSERT_LE(static_cast<unsigned long long>(held) * (shared + kib), static_cast<unsigned>(m.shared_kib) * kib)
              << m.architecture << ": " << held << " of " << shared << " bytes";
        }
      }
    }
  }
}

TEST(CudaTuning, AnUnknownArchitectureIsTakenForTheOneBelow) {
  EXPECT_EQ(multiprocessor(70).architecture, 75);
  EXPECT_EQ(multiprocessor(88).architecture, 87);
  EXPECT_EQ(multiprocessor(130).architecture, 121);
}

}  // namespace
}  // namespace isolume
