// A solution of the Poisson-Boltzmann equation in host memory, and its slopes.
#pragma once

#include <vector>

#include "compute/electrostatics/poisson_boltzmann/pb_harmonic_fit.h"
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann.h"

namespace isolume {

struct PbKept {
  /// Takes the solution out of `start`, from whatever device it is on.
  explicit PbKept(PoissonBoltzmannStart& start);

  glm::dvec3 origin{0.0}, step{1.0};
  glm::ivec3 counts{0};
  std::vector<double> solution;  ///< kT/e; in the solute the reaction potential
  std::vector<unsigned char> inside;

  std::size_t index(glm::ivec3 place) const {
    return static_cast<std::size_t>(place.x) +
           static_cast<std::size_t>(counts.x) *
               (static_cast<std::size_t>(place.y) +
                static_cast<std::size_t>(counts.y) * static_cast<std::size_t>(place.z));
  }
  PbNodes nodes() const;
  glm::dvec3 point(glm::ivec3 place) const { return origin + step * glm::dvec3(place); }

  /// The gradient at a point of the ten polynomials up to degree 2, fitted to the nodes in the solute, or to those
  /// outside, among the 4 x 4 x 4 about it, kT/(e angstrom).
  glm::dvec3 fitted_slope(glm::dvec3 where, bool within) const;
  /// The gradient at a node, of what is kept on its side of the surface: by central differences, next to the surface by
  /// fitted_slope().
  glm::dvec3 slope(glm::ivec3 place) const;
};

}  // namespace isolume
