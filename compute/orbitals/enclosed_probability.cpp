// The isovalue of an orbital whose surface encloses a given part of the electron.
#include "compute/orbitals/enclosed_probability.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "molecule/base/error.h"

namespace isolume {
namespace {

// The bits of a positive float grow with it: their upper 16 are a histogram of 128 bins to the octave, without a range
// that would have to be known beforehand.
constexpr int shift = 16;
constexpr std::size_t bins = std::size_t{1} << (31 - shift);

std::uint32_t magnitude_bits(float value) {
  return std::bit_cast<std::uint32_t>(value) & 0x7fffffffu;
}

double square(float value) {
  return std::isfinite(value) ? double{value} * double{value} : 0.0;
}

/// Points of one magnitude.
struct Group {
  float value;
  double weight;
};

}  // namespace

double enclosed_probability_isovalue(std::span<const float> amplitude, double fraction) {
  if (!(fraction > 0 && fraction < 1)) {
    throw Error(fmt::format("enclosed probability: {} is not between 0 and 1", fraction), Error::Kind::usage);
  }
  std::vector<double> sums(bins, 0.0);
  double total = 0;
  for (const float value : amplitude) {
    const double weight = square(value);
    sums[magnitude_bits(value) >> shift] += weight;
    total += weight;
  }
  if (total == 0) return 0;
  // From the largest values down to the bin in which the fraction is reached.
  const double wanted = fraction * total;
  double above = 0;
  std::size_t bin = bins - 1;
  while (bin > 0 && above + sums[bin] < wanted) above += sums[bin--];
  // Groups of equal values, from large to small: those of the bin, and the ones next to it on either side.
  std::vector<Group> groups;
  Group over{std::numeric_limits<float>::max(), 0}, under{0, 0};
  for (const float signed_value : amplitude) {
    const std::size_t of = magnitude_bits(signed_value) >> shift;
    const float value = std::abs(signed_value);
    const double weight = square(value);
    if (weight == 0) continue;
    if (of == bin) groups.push_back({value, weight});
    if (of > bin && value < over.value) over = {value, 0};
    if (of < bin && value > under.value) under = {value, 0};
    if (of > bin && value == over.value) over.weight += weight;
    if (of < bin && value == under.value) under.weight += weight;
  }
  std::sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.value > b.value; });
  groups.push_back(under);
  // At its own value half of a group is inside; in between the sum is taken to be linear.
  double before = above - 0.5 * over.weight;
  double value_before = over.weight > 0 ? double{over.value} : 0;
  for (std::size_t i = 0; i < groups.size();) {
    Group group{groups[i].value, 0};
    while (i < groups.size() && groups[i].value == group.value) group.weight += groups[i++].weight;
    if (group.weight == 0) break;
    const double here = above + 0.5 * group.weight;
    if (here >= wanted) {
      if (value_before == 0) return double{group.value};
      return value_before + (wanted - before) / (here - before) * (double{group.value} - value_before);
    }
    above += group.weight;
    before = here;
    value_before = double{group.value};
  }
  return value_before;
}

double enclosed_probability(std::span<const float> amplitude, double isovalue) {
  double total = 0, inside = 0;
  for (const float value : amplitude) {
    const double weight = square(value);
    total += weight;
    if (double{std::abs(value)} >= isovalue) inside += weight;
  }
  return total > 0 ? inside / total : 0;
}

}  // namespace isolume
