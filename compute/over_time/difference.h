// A field's values less those of another one, and how large the difference is.
#pragma once

#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/base/span.h"

namespace isolume {

/// values[i] becomes values[i] - factor * others[i], formed in double precision and rounded once; NaN where either is.
/// @param values  on any device
/// @param others  as many, on the same device
/// @param factor  the unit of `others` in that of `values`
/// Throws Error (usage) for another number or another device, and cancelled; the values may then be changed in part.
void take_off(Span<float> values, Span<const float> others, double factor, Job& job);

/// The standard errors of a difference of two fields that have nothing to do with each other: the roots of the sums of
/// both errors' squares, -1 where one of them is not known (NaN, or below 0 as in maps). One of the spans may be empty:
/// that field has no error. Throws Error (usage) for another number.
std::vector<float> errors_of_difference(std::span<const float> first, std::span<const float> second);

/// The root of the mean square of the values that are finite, in double precision; 0 for none. Of host memory.
double finite_rms(std::span<const float> values);

/// For the dispatcher.
void take_off_cuda(Span<float> values, Span<const float> others, double factor);

}  // namespace isolume
