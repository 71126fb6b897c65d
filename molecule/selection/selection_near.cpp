// Atoms near others, by distance and by bonds.
#include "molecule/selection/selection_near.h"

#include <algorithm>
#include <cmath>

#include "molecule/base/error.h"
#include "molecule/neighbour_grid.h"
#include "molecule/periodic_images.h"

namespace isolume {

Mask select_near(const Near& near, const Mask& centres, const Mask& among, const Frame& frame) {
  if (near.periodic && !frame.cell.exists()) {
    throw Error("pbwithin needs a periodic cell, and this frame has none", Error::Kind::usage);
  }
  Mask result(among.size(), 0);
  std::vector<glm::vec3> points;
  for (std::size_t i = 0; i < centres.size(); ++i) {
    if (centres[i]) points.push_back(frame.positions[i]);
  }
  glm::dmat3 inverse(0.0);
  if (near.periodic) {
    points = periodic_images(points, frame.cell, near.distance).points;
    inverse = glm::inverse(frame.cell.vectors);
  }
  const NeighbourGrid grid(points, near.distance);
  for (std::size_t i = 0; i < among.size(); ++i) {
    if (!among[i]) continue;
    if (centres[i]) {
      result[i] = near.exclude ? 0 : 1;
      continue;
    }
    const glm::vec3 place =
        near.periodic ? wrapped(frame.positions[i], frame.cell.vectors, inverse) : frame.positions[i];
    result[i] = grid.visit(place, [](std::uint32_t, double) { return true; }) ? 1 : 0;
  }
  return result;
}

Mask select_bonded(const Bonded& bonded, const Mask& start, const BondTable& bonds) {
  if (bonded.partners_only) {
    Mask result(start.size(), 0);
    for (std::size_t i = 0; i < start.size(); ++i) {
      for (std::uint32_t k = bonds.offsets[i]; start[i] && k < bonds.offsets[i + 1]; ++k) result[bonds.items[k]] = 1;
    }
    return result;
  }
  Mask result = start;
  std::vector<std::uint32_t> shell, next;
  for (std::size_t i = 0; i < start.size(); ++i) {
    if (start[i]) shell.push_back(static_cast<std::uint32_t>(i));
  }
  for (int step = 0; step < bonded.bonds && !shell.empty(); ++step) {
    next.clear();
    for (std::uint32_t atom : shell) {
      for (std::uint32_t k = bonds.offsets[atom]; k < bonds.offsets[atom + 1]; ++k) {
        if (result[bonds.items[k]]) continue;
        result[bonds.items[k]] = 1;
        next.push_back(bonds.items[k]);
      }
    }
    shell.swap(next);
  }
  if (bonded.exclude) {
    for (std::size_t i = 0; i < start.size(); ++i) result[i] = static_cast<std::uint8_t>(result[i] & ~start[i]);
  }
  return result;
}

}  // namespace isolume
