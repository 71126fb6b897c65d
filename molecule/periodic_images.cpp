// Images of points across the faces of a periodic cell.
#include "molecule/periodic_images.h"

#include <algorithm>
#include <string>

#include "molecule/base/error.h"

namespace isolume {

namespace {

constexpr double most_images = 134217728;  // 2^27, 2 GiB

}  // namespace

glm::vec3 wrapped(glm::vec3 point, const glm::dmat3& vectors, const glm::dmat3& inverse) {
  return glm::vec3(glm::dvec3(point) - vectors * glm::floor(inverse * glm::dvec3(point)));
}

PeriodicImages periodic_images(std::span<const glm::vec3> points, const Cell& cell, double cutoff) {
  const glm::dmat3& vectors = cell.vectors;
  const glm::dmat3 inverse = glm::inverse(vectors);
  const glm::dvec3 edges = cell.lengths();
  cutoff = std::min(cutoff, 0.5 * (edges.x + edges.y + edges.z));
  glm::dvec3 margin;  // the cutoff in heights of the cell, with a little for the rounding of single precision
  for (int i = 0; i < 3; ++i) {
    margin[i] = (cutoff + 1e-3) * glm::length(glm::dvec3(inverse[0][i], inverse[1][i], inverse[2][i]));
  }
  const glm::dvec3 per_axis = 1.0 + 2.0 * margin;
  const double expected = static_cast<double>(points.size()) * per_axis.x * per_axis.y * per_axis.z;
  if (!(expected <= most_images)) {
    throw Error("looking " + std::to_string(cutoff) + " angstrom across the faces of a cell of volume " +
                    std::to_string(cell.volume()) + " angstrom^3 takes more than 134217728 images of its atoms",
                Error::Kind::usage);
  }
  PeriodicImages images;
  images.points.reserve(points.size() + points.size() / 2);
  images.origin.reserve(points.size() + points.size() / 2);
  for (std::size_t i = 0; i < points.size(); ++i) {
    images.points.push_back(wrapped(points[i], vectors, inverse));
    images.origin.push_back(static_cast<std::uint32_t>(i));
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const glm::dvec3 at(images.points[i]);
    const glm::dvec3 fraction = inverse * at;
    // Not a number, or so far out that single precision cannot say where in the cell it is.
    if (!(glm::length(fraction) < 1e3)) continue;
    const glm::ivec3 low(glm::ceil(-margin - fraction));
    const glm::ivec3 high(glm::floor(1.0 + margin - fraction));
    for (int x = low.x; x <= high.x; ++x) {
      for (int y = low.y; y <= high.y; ++y) {
        for (int z = low.z; z <= high.z; ++z) {
          if (x == 0 && y == 0 && z == 0) continue;
          images.points.emplace_back(at + vectors * glm::dvec3(x, y, z));
          images.origin.push_back(static_cast<std::uint32_t>(i));
        }
      }
    }
  }
  return images;
}

}  // namespace isolume
