// The periodic cell: geometry and minimum image.
#include "molecule/cell.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

constexpr double degree = units::pi / 180.0;

double angle_between(const glm::dvec3& a, const glm::dvec3& b) {
  const double norms = glm::length(a) * glm::length(b);
  if (norms == 0) return 90.0;
  return std::acos(glm::clamp(glm::dot(a, b) / norms, -1.0, 1.0)) / degree;
}

// 90 degrees is what files mean far more often than they can write it: its cosine must be exactly 0.
double cosine(double degrees) {
  return degrees == 90.0 ? 0.0 : std::cos(degrees * degree);
}

}  // namespace

Cell Cell::from_lengths_angles(glm::dvec3 lengths, glm::dvec3 angles_degrees) {
  for (int i = 0; i < 3; ++i) {
    if (!(lengths[i] > 0) || !std::isfinite(lengths[i])) {
      throw Error("a cell edge of " + std::to_string(lengths[i]) + " angstrom: expected a positive length",
                  Error::Kind::input);
    }
    if (!(angles_degrees[i] > 0 && angles_degrees[i] < 180)) {
      throw Error("a cell angle of " + std::to_string(angles_degrees[i]) + " degrees: expected one between 0 and 180",
                  Error::Kind::input);
    }
  }
  const double cos_alpha = cosine(angles_degrees.x);
  const double cos_beta = cosine(angles_degrees.y);
  const double cos_gamma = cosine(angles_degrees.z);
  const double sin_gamma = angles_degrees.z == 90.0 ? 1.0 : std::sin(angles_degrees.z * degree);
  const double cy = (cos_alpha - cos_beta * cos_gamma) / sin_gamma;
  const double cz2 = 1.0 - cos_beta * cos_beta - cy * cy;
  if (!(cz2 > 1e-12)) {
    throw Error("no cell has angles of " + std::to_string(angles_degrees.x) + ", " + std::to_string(angles_degrees.y) +
                    " and " + std::to_string(angles_degrees.z) + " degrees",
                Error::Kind::input);
  }
  Cell cell;
  cell.vectors[0] = glm::dvec3(lengths.x, 0, 0);
  cell.vectors[1] = lengths.y * glm::dvec3(cos_gamma, sin_gamma, 0);
  cell.vectors[2] = lengths.z * glm::dvec3(cos_beta, cy, std::sqrt(cz2));
  return cell;
}

double Cell::volume() const {
  return std::abs(glm::determinant(vectors));
}

glm::dvec3 Cell::lengths() const {
  return {glm::length(vectors[0]), glm::length(vectors[1]), glm::length(vectors[2])};
}

glm::dvec3 Cell::angles() const {
  return {angle_between(vectors[1], vectors[2]), angle_between(vectors[0], vectors[2]),
          angle_between(vectors[0], vectors[1])};
}

bool Cell::orthogonal() const {
  const glm::dvec3 off = glm::abs(angles() - glm::dvec3(90.0));
  return off.x <= 1e-4 && off.y <= 1e-4 && off.z <= 1e-4;
}

glm::dvec3 Cell::minimum_image(glm::dvec3 d) const {
  if (!exists()) return d;
  const glm::dmat3 inverse = glm::inverse(vectors);
  const glm::dvec3 shift = glm::round(inverse * d);
  d -= vectors * shift;
  // The rows of the inverse are the reciprocals of the heights of the cell: an image shifted by n along axis i is at
  // least (|n| - 1/2) heights away, which bounds the images to be compared, for strongly skewed cells too.
  glm::ivec3 reach;
  const double length = glm::length(d);
  if (!std::isfinite(length)) return d;
  for (int i = 0; i < 3; ++i) {
    const double reciprocal = glm::length(glm::dvec3(inverse[0][i], inverse[1][i], inverse[2][i]));
    reach[i] = std::min(64, static_cast<int>(std::floor(length * reciprocal + 0.5)));
  }
  glm::dvec3 best = d;
  double shortest = glm::dot(d, d);
  for (int i = -reach.x; i <= reach.x; ++i) {
    for (int j = -reach.y; j <= reach.y; ++j) {
      for (int k = -reach.z; k <= reach.z; ++k) {
        const glm::dvec3 image = d + vectors * glm::dvec3(i, j, k);
        const double squared = glm::dot(image, image);
        if (squared < shortest * (1 - 1e-14)) {
          shortest = squared;
          best = image;
        }
      }
    }
  }
  return best;
}

}  // namespace isolume
