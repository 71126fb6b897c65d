// Values faded by their standard errors: what is significant stays, what is not becomes 0.
#pragma once

#include <cstddef>
#include <span>

namespace isolume {

/// So many standard errors and more: a value stays what it is; so many and fewer: it becomes 0.
inline constexpr double significant_errors = 4, insignificant_errors = 2;

/// Each value times a weight w: with t the value's magnitude over its standard error, w is 0 for t <= 2, t/2 - 1
/// between, and 1 for t >= 4. Two standard errors are the half of the interval that holds 95 of 100 values of many
/// degrees of freedom. Where the error is unknown (NaN, or below 0 as in maps) the value becomes 0; an error of 0
/// leaves it. Returns how many values of t <= 2 there are, those of unknown error among them; a value of 0 counts. All
/// spans have the same size, and `faded` may be `values`. Throws Error (usage) otherwise.
std::size_t fade_insignificant(std::span<const float> values, std::span<const float> errors, std::span<float> faded);

}  // namespace isolume
