// The periodic cell.
#pragma once

#include <glm/glm.hpp>

namespace isolume {

/// A periodic cell: its three edge vectors in angstrom are the columns of `vectors`. A zero matrix means "no cell".
struct Cell {
  glm::dmat3 vectors{0.0};

  /// From lengths (angstrom) and angles (degrees): a along x, b in the xy plane with positive y (the crystallographers'
  /// convention, as in GROMACS, AMBER and CHARMM). Throws Error (kind input) where no such cell exists.
  static Cell from_lengths_angles(glm::dvec3 lengths, glm::dvec3 angles_degrees);

  bool exists() const { return volume() > 0.0; }
  double volume() const;       ///< angstrom^3, 0 for no cell
  glm::dvec3 lengths() const;  ///< a, b, c in angstrom
  glm::dvec3 angles() const;   ///< alpha, beta, gamma in degrees
  bool orthogonal() const;     ///< all angles 90 degrees to 1e-4

  /// The image of difference vector d that is shortest (exact for any cell: neighbouring images are compared).
  glm::dvec3 minimum_image(glm::dvec3 d) const;

  bool operator==(const Cell&) const = default;
};

}  // namespace isolume
