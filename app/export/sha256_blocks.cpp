// The rounds of SHA-256 (FIPS 180-4, section 6.2.2).
#include "app/export/sha256_blocks.h"

#include <bit>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace isolume {
namespace {

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (section 4.2.2).
alignas(16) constexpr std::uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

void block_by_formula(Sha256State& state, const std::byte* bytes) {
  std::uint32_t w[64];
  for (int i = 0; i < 16; ++i) {
    w[i] = 0;
    for (int j = 0; j < 4; ++j) w[i] = (w[i] << 8) | std::to_integer<std::uint32_t>(bytes[4 * i + j]);
  }
  for (int i = 16; i < 64; ++i) {
    const std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
    const std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (int i = 0; i < 64; ++i) {
    const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + constants[i] + w[i];
    const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  const std::uint32_t sums[8] = {a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; ++i) state[static_cast<std::size_t>(i)] += sums[i];
}

#if defined(__x86_64__)

/// Whether the processor has the SHA extensions, with which come the shuffles that the blocks need.
bool has_sha() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & bit_SSSE3) == 0 || (c & bit_SSE4_1) == 0) return false;
  constexpr unsigned sha = 1U << 29;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & sha) != 0;
}

/// Four rounds a step: an instruction does two of them on the state as (A, B, E, F) and (C, D, G, H), and two make four
/// words of the message schedule from the sixteen before.
__attribute__((target("sha,sse4.1,ssse3"))) void blocks_by_instructions(Sha256State& state,
                                                                        std::span<const std::byte> blocks) {
  const auto word = [&](std::size_t i) { return static_cast<int>(state[i]); };
  __m128i abef = _mm_set_epi32(word(0), word(1), word(4), word(5));
  __m128i cdgh = _mm_set_epi32(word(2), word(3), word(6), word(7));
  const __m128i big_endian = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
  for (; !blocks.empty(); blocks = blocks.subspan(64)) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w[4];  // the last sixteen words
    for (int step = 0; step < 16; ++step) {
      __m128i& next = w[step % 4];
      if (step < 4) {
        const auto* const at = reinterpret_cast<const __m128i*>(blocks.data() + std::size_t{16} * unsigned(step));
        next = _mm_shuffle_epi8(_mm_loadu_si128(at), big_endian);
      } else {
        const __m128i last = w[(step + 3) % 4];
        const __m128i sum =
            _mm_add_epi32(_mm_sha256msg1_epu32(next, w[(step + 1) % 4]), _mm_alignr_epi8(last, w[(step + 2) % 4], 4));
        next = _mm_sha256msg2_epu32(sum, last);
      }
      const __m128i sum = _mm_add_epi32(next, _mm_load_si128(reinterpret_cast<const __m128i*>(constants + 4 * step)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  alignas(16) std::uint32_t left[4], right[4];  // from F to A, and from H to C
  _mm_store_si128(reinterpret_cast<__m128i*>(left), abef);
  _mm_store_si128(reinterpret_cast<__m128i*>(right), cdgh);
  state = {left[3], left[2], right[3], right[2], left[1], left[0], right[1], right[0]};
}

#endif

}  // namespace

void sha256_blocks_by_formula(Sha256State& state, std::span<const std::byte> blocks) {
  for (; !blocks.empty(); blocks = blocks.subspan(64)) block_by_formula(state, blocks.data());
}

void sha256_blocks(Sha256State& state, std::span<const std::byte> blocks) {
#if defined(__x86_64__)
  static const bool instructions = has_sha();
  if (instructions) return blocks_by_instructions(state, blocks);
#endif
  sha256_blocks_by_formula(state, blocks);
}

}  // namespace isolume
