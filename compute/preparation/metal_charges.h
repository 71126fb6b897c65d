// Charges of metal ions in water.
#pragma once

#include <cstdint>

namespace isolume {

/// The charge of a metal's ion where its element has one in water, e; 0 where it has several, or none.
int usual_charge(std::uint8_t metal);

}  // namespace isolume
