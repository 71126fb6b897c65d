// ChargedSphere: an atom with its charge and its radius.
#pragma once

#include <glm/glm.hpp>

namespace isolume {

struct ChargedSphere {
  glm::vec3 position;  ///< angstrom
  float charge;        ///< e
  float radius;        ///< R, angstrom, >= 0: closest approach of the ions to its centre
  /// Poisson-Boltzmann: of the solute about it, relative; 0: that of the options.
  float permittivity = 0;
};

}  // namespace isolume
