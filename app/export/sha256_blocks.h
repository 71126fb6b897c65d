// The rounds of SHA-256 (FIPS 180-4, section 6.2.2).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace isolume {

using Sha256State = std::array<std::uint32_t, 8>;

/// Takes blocks of 64 bytes into the state, by the processor's own instructions where it has them.
void sha256_blocks(Sha256State& state, std::span<const std::byte> blocks);
/// The same by the formulas of the standard alone.
void sha256_blocks_by_formula(Sha256State& state, std::span<const std::byte> blocks);

}  // namespace isolume
