// The table of radices that the coordinates of XTC are coded with.
#pragma once

#include <array>
#include <cstdint>

namespace isolume {

inline constexpr int xtc_first_index = 9;
inline constexpr int xtc_last_index = 72;

/// Radix of the differences by index: about 2^(i/3), so that three of them fit in i bits. Part of the format, with the
/// roundings of its first implementation.
inline constexpr std::array<std::uint32_t, xtc_last_index + 1> xtc_radices = {
    0,       0,       0,       0,       0,        0,        0,       0,       0,       8,       10,
    12,      16,      20,      25,      32,       40,       50,      64,      80,      101,     128,
    161,     203,     256,     322,     406,      512,      645,     812,     1024,    1290,    1625,
    2048,    2580,    3250,    4096,    5060,     6501,     8192,    10321,   13003,   16384,   20642,
    26007,   32768,   41285,   52015,   65536,    82570,    104031,  131072,  165140,  208063,  262144,
    330280,  416127,  524287,  660561,  832255,   1048576,  1321122, 1664510, 2097152, 2642245, 3329021,
    4194304, 5284491, 6658042, 8388607, 10568983, 13316085, 16777216};

}  // namespace isolume
