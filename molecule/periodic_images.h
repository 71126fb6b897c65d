// Points in a periodic cell with the images that are needed to look across its faces.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "molecule/cell.h"

namespace isolume {

/// The points moved into the cell, then images of them.
struct PeriodicImages {
  std::vector<glm::vec3> points;      ///< the first ones are the points themselves, in order, moved into the cell
  std::vector<std::uint32_t> origin;  ///< which point each is an image of
};

/// Images of all points in the cell that lie within `cutoff` (angstrom) of it, for any triclinic cell. A cutoff beyond
/// the largest distance that two points of the cell can have to their nearest images is taken as that distance.
/// Throws Error (usage) where that takes more than 2^27 images.
PeriodicImages periodic_images(std::span<const glm::vec3> points, const Cell& cell, double cutoff);

/// One point moved into the cell.
glm::vec3 wrapped(glm::vec3 point, const glm::dmat3& vectors, const glm::dmat3& inverse);

}  // namespace isolume
