// Which lanes of a vector of eight come first where those of a mask are moved to its front.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace isolume {

/// lane_order[bits]: the lanes whose bits are set, in their order, then the others in theirs.
inline constexpr std::array<std::array<std::uint8_t, 8>, 256> lane_order = [] {
  std::array<std::array<std::uint8_t, 8>, 256> table{};
  for (std::size_t bits = 0; bits < table.size(); ++bits) {
    std::size_t next = 0;
    for (const std::size_t wanted : {1, 0})
      for (std::size_t lane = 0; lane < 8; ++lane)
        if ((bits >> lane & 1) == wanted) table[bits][next++] = static_cast<std::uint8_t>(lane);
  }
  return table;
}();

}  // namespace isolume
