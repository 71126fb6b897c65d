// ChargeBins: charges sorted into boxes, so that a tile of points meets only those near it.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/electrostatics/charges/direct_math.h"
#include "compute/electrostatics/charges/point_charge.h"
#include "molecule/cell.h"

namespace isolume {

/// Charges in a grid's row frame (see RowFrame), ordered by the box they are in: x fastest, so that neighbouring boxes
/// of a row are neighbours in the arrays too. Charges farther than `reach` from the grid's box are left out. With
/// periodicity the images within reach are added.
struct ChargeBins {
  std::vector<double> x, y, z;       ///< angstrom, row frame
  std::vector<float> charge;         ///< e, times the scale given
  glm::dvec3 lower{0};               ///< corner of box (0,0,0)
  double side = 1;                   ///< of a box, angstrom
  glm::ivec3 counts{0};              ///< boxes per axis
  std::vector<std::uint32_t> first;  ///< counts.x * counts.y * counts.z + 1 offsets into the arrays

  std::size_t size() const { return x.size(); }
  /// Index of the box row (j, k), box 0.
  std::size_t row(int j, int k) const {
    return (static_cast<std::size_t>(k) * static_cast<std::size_t>(counts.y) + static_cast<std::size_t>(j)) *
           static_cast<std::size_t>(counts.x);
  }
};

/// Which images of the charges exist, in the row frame.
struct ChargeImages {
  glm::dmat3 vectors{0};  ///< cell vectors, turned into the frame; only those of periodic axes are used
  glm::dmat3 inverse{0};  ///< of a matrix whose columns are the periodic vectors, and others completing them
  bool periodic[3] = {};
  bool any() const { return periodic[0] || periodic[1] || periodic[2]; }
};

/// Throws Error (cancelled), and Error where there are more images than 2^32.
ChargeBins bin_charges(std::span<const PointCharge> charges, const Grid& grid, const RowFrame& frame, double reach,
                       double side, double scale, const ChargeImages& images, Job& job);

/// Corners of the box, in the row frame, that the grid's points fill.
void grid_bounds(const Grid& grid, const RowFrame& frame, glm::dvec3& lower, glm::dvec3& upper);

/// All images (the charge itself included) whose distance from the box [lower, upper] is at most `reach` along every
/// axis: calls use(position) for each.
template <class Use>
void for_images(glm::dvec3 p, const ChargeImages& images, glm::dvec3 lower, glm::dvec3 upper, double reach,
                const Use& use) {
  const auto inside = [&](glm::dvec3 q) {
    for (int i = 0; i < 3; ++i) {
      if (!(q[i] >= lower[i] - reach && q[i] <= upper[i] + reach)) return false;
    }
    return true;
  };
  if (!images.any()) {
    if (inside(p)) use(p);
    return;
  }
  // The box and its reach, seen along each cell vector's own coordinate.
  const glm::dvec3 centre = 0.5 * (lower + upper);
  const glm::dvec3 half = 0.5 * (upper - lower) + reach;
  const glm::dvec3 offset = images.inverse * (centre - p);
  int first[3];
  int last[3];
  for (int i = 0; i < 3; ++i) {
    first[i] = last[i] = 0;
    if (!images.periodic[i]) continue;
    double extent = 0;
    for (int j = 0; j < 3; ++j) extent += std::abs(images.inverse[j][i]) * half[j];
    first[i] = static_cast<int>(std::ceil(offset[i] - extent));
    last[i] = static_cast<int>(std::floor(offset[i] + extent));
  }
  for (int c = first[2]; c <= last[2]; ++c) {
    for (int b = first[1]; b <= last[1]; ++b) {
      for (int a = first[0]; a <= last[0]; ++a) {
        const glm::dvec3 q = p + images.vectors * glm::dvec3(a, b, c);
        if (inside(q)) use(q);
      }
    }
  }
}

}  // namespace isolume
