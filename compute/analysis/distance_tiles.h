// How the points whose distances are counted are put in order: what the bodies on the CPU and on CUDA share.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "compute/analysis/distance_counts.h"
#include "compute/base/host_device.h"

namespace isolume {

inline constexpr std::uint32_t distance_tile = 32;  ///< points of a tile, and tiles of a block

/// A place, in bin widths.
struct DistancePlace {
  float x, y, z;
};

/// Into the cell, and into the order of columns: the fine cells of a column follow each other, upwards in one column
/// and downwards in the next, so that points next to each other in the order are near each other in space.
struct DistanceOrder {
  double inverse[9];   ///< of the lattice's vectors, column by column; unused without a cell
  double vectors[9];   ///< of the reduced lattice, angstrom
  bool periodic;       ///< there is a cell
  double scale;        ///< bins per angstrom
  double origin[3];    ///< of the fine cells, angstrom
  double per_cell[3];  ///< fine cells per angstrom
  int cells[3];

  std::uint32_t total() const {
    return static_cast<std::uint32_t>(cells[0]) * static_cast<std::uint32_t>(cells[1]) *
           static_cast<std::uint32_t>(cells[2]);
  }

  /// Where a point is drawn into the cell, and the number of its fine cell.
  ISOLUME_HOST_DEVICE DistancePlace place(float px, float py, float pz, std::uint32_t& key) const {
    double p[3] = {static_cast<double>(px), static_cast<double>(py), static_cast<double>(pz)};
    if (periodic) {
      double f[3];
      for (int i = 0; i < 3; ++i) {
        f[i] = inverse[i] * p[0] + inverse[3 + i] * p[1] + inverse[6 + i] * p[2];
        f[i] -= floor(f[i]);
      }
      for (int i = 0; i < 3; ++i) p[i] = vectors[i] * f[0] + vectors[3 + i] * f[1] + vectors[6 + i] * f[2];
    }
    int c[3];
    for (int i = 0; i < 3; ++i) {
      const double at = (p[i] - origin[i]) * per_cell[i];
      // Points that are not numbers go to the first cell, too.
      c[i] = at > 0 ? (at < cells[i] ? static_cast<int>(at) : cells[i] - 1) : 0;
    }
    const bool back = c[1] % 2 != 0;
    const int column = c[1] * cells[0] + (back ? cells[0] - 1 - c[0] : c[0]);
    const int up = column % 2 != 0 ? cells[2] - 1 - c[2] : c[2];
    key = static_cast<std::uint32_t>(column) * static_cast<std::uint32_t>(cells[2]) + static_cast<std::uint32_t>(up);
    return {static_cast<float>(p[0] * scale), static_cast<float>(p[1] * scale), static_cast<float>(p[2] * scale)};
  }
};

/// The lattice of a cell by short vectors.
glm::dmat3 reduced_lattice(const Cell& cell);

/// The order for `count` points. Without a cell, `lower` and `upper` are the corners of their box, angstrom.
DistanceOrder distance_order(std::size_t count, const Cell& cell, const DistanceBins& bins, glm::dvec3 lower,
                             glm::dvec3 upper);

/// The lattice vectors, in bin widths, by which points of the cell may have to be moved to be within the maximum of
/// others; the first is 0.
std::vector<DistancePlace> distance_shifts(const Cell& cell, const DistanceBins& bins);

void count_distances_cpu(const DistancePoints& a, const DistancePoints& b, bool within, const Cell& cell,
                         const DistanceBins& bins, Span<std::uint64_t> counts, Job& job);
void count_distances_cuda(const DistancePoints& a, const DistancePoints& b, bool within, const Cell& cell,
                          const DistanceBins& bins, Span<std::uint64_t> counts, Job& job);

}  // namespace isolume
