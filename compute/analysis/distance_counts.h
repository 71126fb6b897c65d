// Counts of the distances between two sets of points, in bins: what radial distribution functions are made of.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "molecule/cell.h"

namespace isolume {

/// Bins of equal width from 0 to `maximum`: bin k holds distances from k to k + 1 widths, the upper end excluded.
struct DistanceBins {
  double maximum = 0;       ///< angstrom, > 0
  std::uint32_t count = 0;  ///< 1 to most_distance_bins
};
/// As many as single precision tells apart. On a CUDA device 8192 are counted at once, more in several passes.
inline constexpr std::uint32_t most_distance_bins = 1u << 20;

/// Bytes that counting takes on a device, for so many points in both sets together.
std::size_t distance_count_memory(std::size_t points, std::uint32_t bins, Device device);

/// Points of which distances are taken.
struct DistancePoints {
  Span<const glm::vec3> positions;        ///< angstrom; host memory, or of the device that counts
  std::span<const std::uint32_t> groups;  ///< empty, or one for each point, in host memory
};

/// The largest distance up to which no point has two images of another: half the shortest vector of the lattice, in
/// angstrom. Infinite without a cell.
double largest_unique_distance(const Cell& cell);

/// Counts the pairs (a, b) by their distance in angstrom, in a periodic cell of any shape that of nearest images.
/// Pairs of the same group (where both sets have groups) do not count, such as atoms of one molecule.
///
/// Points are sorted along columns of the cell and cut into tiles; tiles farther apart than the maximum, for each
/// image of the lattice, are passed over, so that a small maximum costs time in proportion to the points alone.
///
/// @param counts  bins.count values on the device that computes; what was there is overwritten
/// Errors (usage): points or groups of wrong number, coordinates that are not finite, a maximum beyond
/// largest_unique_distance(), too many bins, 2^30 points or more on a CUDA device (2^32 on the CPU), more memory than
/// there is.
/// Accuracy: whole numbers, the same for every number of threads. Distances are of single precision: a pair whose
/// distance is within some 1e-7 of the cell's length of the end of a bin may be counted on either side of it.
void count_distances(const DistancePoints& a, const DistancePoints& b, const Cell& cell, const DistanceBins& bins,
                     Span<std::uint64_t> counts, Job& job);

/// The same of the pairs within one set, each counted once.
void count_distances_within(const DistancePoints& points, const Cell& cell, const DistanceBins& bins,
                            Span<std::uint64_t> counts, Job& job);

/// The same in double precision by two plain loops over all pairs (of points in host memory); for tests.
void count_distances_reference(const DistancePoints& a, const DistancePoints& b, bool within, const Cell& cell,
                               const DistanceBins& bins, std::span<std::uint64_t> counts);

}  // namespace isolume
