// Compressing coordinates as XTC does.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/trajectories/xtc_decode.h"

namespace isolume {

using XtcPosition = std::array<std::int32_t, 3>;

/// Codes the positions of one frame, whole multiples of 1/precision nm, as decode_xtc() takes them back. The bits
/// replace what is in `bits`, which the result refers to; its precision is left to the caller. At least one position;
/// along each axis they may differ by less than 2^31.
///
/// Each run of atoms near each other begins with one whole position; the others are differences within a range that
/// grows where the next atom would fit in a wider one, and shrinks where all of a run fit in a narrower one. `least`
/// is the least range, such as that of a frame before (XtcBlock::small_index); 0: the one that takes the fewest bits,
/// tried on pieces of the positions.
XtcBlock encode_xtc(std::span<const XtcPosition> positions, std::vector<std::byte>& bits, int least = 0);

}  // namespace isolume
